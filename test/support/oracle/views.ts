/**
 * What the oracle says a ranking list and a round must show, in the JSON of the public API and in its
 * field order, so that answers can be compared as text.
 */
import { goesOn, isAhead } from './advancement.js';
import { CATEGORY_OF, type Candidate, candidates, isOfOwnFormat, type OracleList } from './candidates.js';
import { oracleTags } from './record-tags.js';
import { type OracleWorld, personShown, resultFacts } from './world.js';

/** The whole list; `topN` is its beginning. */
export const oracleRankings = (world: OracleWorld, list: OracleList): readonly object[] => {
  const sorted = candidates(world, list).sort(byRankingOrder);
  const entries = list.show === 'results' ? sorted : firstOfEachPerson(sorted);
  return entries.map((entry) => ({
    rankingId: entry.rankingId,
    ranking: 1 + entries.filter((other) => other.value < entry.value).length,
    ...(entry.personId === null ? {} : { personId: entry.personId }),
    persons: entry.result.personIds.map((personId) => personShown(world, personId)),
    result: entry.value,
    attempts: entry.result.attempts.map((result) => ({ result })),
    date: entry.result.date,
    contest: entry.contest,
    recordTag: isTagged(world, list, entry) ? tagOf(world, list, entry) : null,
  }));
};

/** An attempt that is not the best of its result was nothing, nor is an average of another format. */
const isTagged = (world: OracleWorld, list: OracleList, { value, result }: Candidate): boolean =>
  list.type === 'single' ? value === result.best : isOfOwnFormat(world, list.eventId, result);

const tagOf = (world: OracleWorld, { eventId, type }: OracleList, { result, category }: Candidate) =>
  oracleTags(world, { eventId, category, type: type === 'single' ? 'single' : 'average' }).get(
    result.resultId,
  ) ?? null;

const byText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

/** Value, date, result id, attempt number; members of one team by their entries' ids. */
const byRankingOrder = (a: Candidate, b: Candidate): number =>
  a.value - b.value ||
  byText(a.result.date, b.result.date) ||
  byText(a.result.resultId, b.result.resultId) ||
  a.attemptNumber - b.attemptNumber ||
  byText(a.rankingId, b.rankingId);

const firstOfEachPerson = (sorted: readonly Candidate[]): readonly Candidate[] =>
  sorted.filter(
    (entry, index) => sorted.findIndex((earlier) => earlier.personId === entry.personId) === index,
  );

/** The results of a round in the order of their places, ties by result id; without their prospects: see roster-views.ts. */
export const oracleRound = (
  world: OracleWorld,
  ref: { readonly competitionId: string; readonly eventId: string; readonly roundNumber: number },
): readonly object[] => {
  const round = world.rounds.find(
    (candidate) =>
      candidate.competitionId === ref.competitionId &&
      candidate.eventId === ref.eventId &&
      candidate.roundNumber === ref.roundNumber,
  );
  const contest = world.contests.get(ref.competitionId);
  if (round === undefined || contest === undefined) return [];
  const board = { eventId: ref.eventId, category: CATEGORY_OF[contest.type] };
  const singles = oracleTags(world, { ...board, type: 'single' });
  const averages = oracleTags(world, { ...board, type: 'average' });
  const results = round.results.map((result) => resultFacts(world, round, result));
  return results
    .map((result) => ({
      ...result,
      place: 1 + results.filter((other) => isAhead(other, result)).length,
    }))
    .sort((a, b) => a.place - b.place || byText(a.resultId, b.resultId))
    .map(({ keys, resultId, place, personIds, attempts, best, average, date, regionCode }) => ({
      resultId,
      place,
      advances: goesOn(round, { keys, attempts, best, average }, results),
      recordTags: {
        single: singles.get(resultId) ?? null,
        average: averages.get(resultId) ?? null,
      },
      persons: personIds.map((personId) => personShown(world, personId)),
      attempts: attempts.map((result) => ({ result })),
      best,
      average,
      date,
      regionCode,
    }));
};
