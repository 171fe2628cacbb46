/** The roster of a round as pages show it: how far the round is, who is missing, and who can still advance. */

import { type Prospect, prospectsOf } from '../../domain/advancement.js';
import { isComplete } from '../../domain/scoring.js';
import { missingOf } from '../aggregates/round/advancement-plan.js';
import type { RosterEntry } from '../aggregates/round/roster.js';
import type { EventDefinition } from '../aggregates/space/space.events.js';
import type { PersonView } from '../persons/person.queries.js';
import type { ResultDocument } from '../results/ranking-documents.js';
import type { RoundRosterView } from './contest.queries.js';
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
  const isPool = missing.every(({ personIds }) => personIds.length === 1);
  const awaited = missing.filter(({ mark }) => mark === 'expected').length;
  const absent = isPool ? Math.floor(awaited / event.participants) : awaited;
  const attempts = entered.map((result) => result.attempts);
  const prospects = prospectsOf({
    rules: round.rules,
    valueFormat: event.format,
    results: attempts,
    absent,
    isOpen: round.open,
  });
  const roster: RoundRosterView = {
    expected: entered.length + absent,
    entered: entered.length,
    complete: attempts.filter((values) => isComplete(values, round.rules)).length,
    missing: missing.map(({ personIds, mark }) => ({
      persons: personIds.flatMap((id) => persons.get(id) ?? []),
      mark,
    })),
  };
  return { roster, prospects };
};

/** A person who was merged may be listed under two ids. */
const presentEntries = ({ competitors, persons }: RosteredRound): readonly RosterEntry[] => {
  const present = competitors.map(({ personIds, mark }) => ({
    personIds: personIds.map((id) => persons.get(id)?.id ?? id),
    mark,
  }));
  return [...new Map(present.map((entry) => [entry.personIds.join(), entry])).values()];
};
