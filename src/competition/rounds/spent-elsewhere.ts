/**
 * What competitors have spent of a cumulative time limit in the other rounds that share it: for decisions from the streams, for
 * readers from the read models.
 */
import type { RoundRules, ValueFormat } from '../../domain/attempts.js';
import { membersKey, type RoundKey } from '../../domain/references.js';
import { placeOf } from '../../domain/round-entry.js';
import { otherRounds } from '../../domain/round-rules.js';
import { timeSpentOn } from '../../domain/scoring.js';
import type { AggregateRuntime, Loaded } from '../../foundation/aggregates/aggregate.js';
import type { ReadView } from '../../foundation/read-models/read-model-store.js';
import { roundAggregate } from '../aggregates/round/round.decider.js';
import type { RoundState } from '../aggregates/round/round.js';
import { results } from '../results/ranking-documents.js';
import type { Entrant } from './contest-entrants.js';

// --- from the streams ------------------------------------------------------------------------------------------------

const spentIn = (state: RoundState, entrant: Entrant): number =>
  state.setup?.valueFormat === 'time' ? timeSpentOn(placeOf(state, entrant).result?.attempts ?? []) : 0;

/** Returns what each competitor has spent in these rounds. Entries of other processes are in no feed, so the rounds are read fresh. */
export const timesIn = async (
  aggregates: AggregateRuntime,
  rounds: readonly RoundKey[],
): Promise<(entrant: Entrant) => number> => {
  const read = (round: RoundKey): Promise<Loaded<RoundState>> =>
    aggregates.load(roundAggregate, round, { fresh: true });
  const states = await Promise.all(rounds.map(read));
  return (entrant) => states.reduce((sum, { state }) => sum + spentIn(state, entrant), 0);
};

// --- from the read models --------------------------------------------------------------------------------------------

/** The time of a competitor in the other rounds that share a cumulative time limit. */
export interface SpentElsewhere {
  readonly personIds: readonly number[];
  readonly centiseconds: number;
}

/** Those who have spent nothing are left out. Only timed rounds have a limit that counts. */
export const spentElsewhere = async (
  view: ReadView,
  key: RoundKey,
  { timeLimit, valueFormat }: Pick<RoundRules, 'timeLimit'> & { readonly valueFormat: ValueFormat },
): Promise<readonly SpentElsewhere[]> => {
  if (valueFormat !== 'time') return [];
  const sums = new Map<string, SpentElsewhere>();
  for (const { spaceId, competitionId, eventId, roundNumber } of otherRounds(key, { timeLimit })) {
    const equals = { spaceId, competitionId, eventId, roundNumber };
    const entered = await view.scan(results, { index: 'byRound', equals });
    for (const { personIds, attempts } of entered) {
      const team = membersKey(personIds);
      const before = sums.get(team)?.centiseconds ?? 0;
      sums.set(team, { personIds, centiseconds: before + timeSpentOn(attempts) });
    }
  }
  return [...sums.values()].filter(({ centiseconds }) => centiseconds > 0);
};
