/** The roster of a round as pages show it: how far the round is, who is missing, and who can still advance. */

import { type Prospect, prospectsOf } from '../../domain/advancement.js';
import { missingOf } from '../../domain/advancement-plan.js';
import type { RoundRules } from '../../domain/attempts.js';
import { entriesOf, isGone, presentRoster, type RosterEntry, rosterOf } from '../../domain/roster.js';
import { isComplete } from '../../domain/scoring.js';
import { textOrder } from '../../domain/text-order.js';
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

interface ShownRoster {
  readonly roster: RoundRosterView;
  readonly prospects: readonly Prospect[] | null;
  /** Whether a result, or an attempt of one, is missing of those who have not quit. */
  readonly isAwaiting: boolean;
}

export const roundRoster = (of: RosteredRound): ShownRoster => {
  const { round, event, entered, competitors, persons } = of;
  const roster = presentRoster(rosterOf(competitors), (id) => persons.get(id)?.id ?? id);
  const missing = missingOf(roster, entered);
  const attempts = entered.map((result) => result.attempts);
  const progress = progressOf({ missing, attempts, participants: event.participants, rules: round.rules });
  const prospects = prospectsOf({
    rules: round.rules,
    valueFormat: event.format,
    results: attempts,
    absent: progress.expected - progress.entered,
    isOpen: round.open,
  });
  const isAwaited = ({ personIds, attempts: values }: ResultDocument): boolean =>
    !isComplete(values, round.rules) && !entriesOf(roster, personIds).some(isGone);
  return {
    roster: { ...progress, missing: missingViews(missing, byPresentId(persons)) },
    prospects,
    isAwaiting: progress.expected > progress.entered || entered.some(isAwaited),
  };
};

/** A merged person may be asked for by the former id only. */
const byPresentId = (persons: ReadonlyMap<number, PersonView>): ReadonlyMap<number, PersonView> =>
  new Map([...persons.values()].map((person) => [person.id, person]));

/** By name. `persons`: by the ids that they have now. */
export const missingViews = (
  missing: readonly RosterEntry[],
  persons: ReadonlyMap<number, PersonView>,
): readonly MissingView[] =>
  missing
    .map(({ personIds, mark }) => ({ persons: personIds.flatMap((id) => persons.get(id) ?? []), mark }))
    .sort(byName);

const byName = ({ persons: [a] }: MissingView, { persons: [b] }: MissingView): number =>
  textOrder(a?.name ?? '', b?.name ?? '') || (a?.id ?? 0) - (b?.id ?? 0);

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
