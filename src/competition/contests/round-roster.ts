/** The roster of a round as pages show it: how far the round is, who is missing, and who can still advance. */

import { type Prospect, prospectsOf } from '../../domain/advancement.js';
import type { RoundRules } from '../../domain/attempts.js';
import { isComplete } from '../../domain/scoring.js';
import { missingOf } from '../aggregates/round/advancement-plan.js';
import type { RosterEntry } from '../aggregates/round/roster.js';
import type { EventDefinition } from '../aggregates/space/space.events.js';
import type { PersonView } from '../persons/person.queries.js';
import type { ResultDocument } from '../results/ranking-documents.js';
import type { MissingView, RoundProgress, RoundRosterView } from './contest.queries.js';
import type { PlannedRoundDocument } from './contest-documents.js';

export interface RosteredRound {
  readonly round: PlannedRoundDocument;
  readonly event: Pick<EventDefinition, 'format' | 'participants'>;
  readonly entered: readonly ResultDocument[];
  readonly competitors: readonly RosterEntry[];
  /** By id, merged persons as those that they became. */
  readonly persons: ReadonlyMap<number, PersonView>;
}

export const roundRoster = (
  of: RosteredRound,
): { readonly roster: RoundRosterView; readonly prospects: readonly Prospect[] | null } => {
  const { round, event, entered, persons } = of;
  const missing = missingOf(presentEntries(of), entered);
  const attempts = entered.map((result) => result.attempts);
  const progress = progressOf({ missing, attempts, participants: event.participants, rules: round.rules });
  const prospects = prospectsOf({
    rules: round.rules,
    valueFormat: event.format,
    results: attempts,
    absent: progress.expected - progress.entered,
    isOpen: round.open,
  });
  return { roster: { ...progress, missing: missing.map((entry) => missingView(entry, persons)) }, prospects };
};

export const missingView = (
  { personIds, mark }: RosterEntry,
  persons: ReadonlyMap<number, PersonView>,
): MissingView => ({ persons: personIds.flatMap((id) => persons.get(id) ?? []), mark });

/** `attempts`: of each result. */
export const progressOf = (of: {
  readonly missing: readonly RosterEntry[];
  readonly attempts: readonly (readonly number[])[];
  /** Team size. */
  readonly participants: number;
  readonly rules: Pick<RoundRules, 'format' | 'cutoff'>;
}): RoundProgress => {
  const { missing, attempts, participants, rules } = of;
  const awaited = missing.filter(({ mark }) => mark === 'expected');
  // Round 1 of a team event awaits single persons, who make teams among them.
  const single = awaited.filter(({ personIds }) => personIds.length < participants).length;
  const absent = awaited.length - single + Math.floor(single / participants);
  return {
    expected: attempts.length + absent,
    entered: attempts.length,
    complete: attempts.filter((values) => isComplete(values, rules)).length,
  };
};

/** A person who was merged may be listed under two ids. */
const presentEntries = ({ competitors, persons }: RosteredRound): readonly RosterEntry[] => {
  const present = competitors.map(({ personIds, mark }) => ({
    personIds: personIds.map((id) => persons.get(id)?.id ?? id),
    mark,
  }));
  return [...new Map(present.map((entry) => [entry.personIds.join(), entry])).values()];
};
