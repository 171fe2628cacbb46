/**
 * What the oracle says a ranking list and a round must show, in the JSON of the public API and in its
 * field order, so that answers can be compared as text.
 */
import { goesOn, isAhead } from './advancement.js';
import { attemptsOf, placeKeys } from './arithmetic.js';
import { countsIn } from './regions.js';
import {
  type OracleContestType,
  type OracleWorld,
  personShown,
  type ResultFacts,
  resultFacts,
} from './world.js';

export interface OracleList {
  readonly eventId: string;
  readonly type: 'single' | 'average' | 'all-avg-formats';
  readonly category: 'competitions' | 'meetups' | 'online' | 'all';
  readonly show: 'persons' | 'results';
  readonly region: string | null;
}

/** One value that competes in a list. */
export interface Candidate {
  readonly value: number;
  /** 0 for an average. */
  readonly attemptNumber: number;
  readonly result: ResultFacts;
  readonly contest: object;
  readonly roundNumber: number;
  /** Null with show=results. */
  readonly personId: number | null;
  readonly rankingId: string;
}

const CATEGORY_OF: Readonly<Record<OracleContestType, OracleList['category']>> = {
  competition: 'competitions',
  meetup: 'meetups',
  online: 'online',
};

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
  }));
};

/** All values that compete in a list, in no order. */
export const candidates = (world: OracleWorld, list: OracleList): Candidate[] =>
  world.rounds.flatMap((round) => {
    const contest = world.contests.get(round.competitionId);
    if (contest === undefined || round.eventId !== list.eventId) return [];
    if (contest.state === 'draft' || contest.state === 'deleted') return [];
    if (list.category !== 'all' && CATEGORY_OF[contest.type] !== list.category) return [];
    const { competitionId } = round;
    const { shortName, type, regionCode } = contest;
    return round.results
      .map((result) => resultFacts(world, round, result))
      .filter((result) => countsIn(result.regionCode, list.region))
      .flatMap((result) =>
        valuesThatCount(world, list, result).flatMap((counted) =>
          idsInList(list, result, counted.attemptNumber).map((ids) => ({
            ...counted,
            ...ids,
            result,
            contest: { competitionId, shortName, type, regionCode },
            roundNumber: round.roundNumber,
          })),
        ),
      );
  });

const valuesThatCount = (
  world: OracleWorld,
  list: OracleList,
  result: ResultFacts,
): { value: number; attemptNumber: number }[] => {
  if (list.type === 'single') {
    return result.attempts
      .map((value, index) => ({ value, attemptNumber: index + 1 }))
      .filter(({ value }) => value > 0);
  }
  if (result.average <= 0) return [];
  const format = world.events.get(list.eventId)?.defaultRoundFormat ?? 'a';
  const attemptsOfOwnFormat = attemptsOf(format) === 5 ? 5 : 3;
  if (list.type === 'average' && result.attempts.length !== attemptsOfOwnFormat) return [];
  return [{ value: result.average, attemptNumber: 0 }];
};

const idsInList = (
  list: OracleList,
  { resultId, personIds }: ResultFacts,
  attemptNumber: number,
): { personId: number | null; rankingId: string }[] => {
  if (list.show === 'persons') {
    return personIds.map((personId) => ({ personId, rankingId: `${resultId}_p${personId}` }));
  }
  return [{ personId: null, rankingId: list.type === 'single' ? `${resultId}_a${attemptNumber}` : resultId }];
};

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
  if (round === undefined) return [];
  const results = round.results.map((result) => {
    const facts = resultFacts(world, round, result);
    return { ...facts, keys: placeKeys(round.format, facts) };
  });
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
        single: tagShown(world, round, resultId, 'single'),
        average: tagShown(world, round, resultId, 'average'),
      },
      persons: personIds.map((personId) => personShown(world, personId)),
      attempts: attempts.map((result) => ({ result })),
      best,
      average,
      date,
      regionCode,
    }));
};

/** Said by looking at all other results: who beat it on its day or before, anywhere, on its continent, in its country. */
const tagShown = (
  world: OracleWorld,
  round: { readonly competitionId: string; readonly eventId: string },
  resultId: string,
  type: 'single' | 'average',
): string | null => {
  const contest = world.contests.get(round.competitionId);
  if (contest === undefined) return null;
  const list = {
    eventId: round.eventId,
    type,
    category: CATEGORY_OF[contest.type],
    show: 'results',
  } as const;
  const everywhere = candidates(world, { ...list, region: null });
  const [own] = everywhere
    .filter(({ result }) => result.resultId === resultId)
    .sort((a, b) => a.value - b.value);
  if (own === undefined) return null;
  const isUnbeaten = (others: readonly Candidate[]): boolean =>
    others.every(({ value, result }) => value >= own.value || result.date > own.result.date);
  const { regionCode, personIds } = own.result;
  if (isUnbeaten(everywhere)) return 'WR';
  const continents =
    regionCode === null
      ? []
      : ['XF', 'XA', 'XE', 'XO', 'XN', 'XS'].filter((code) => countsIn(regionCode, code));
  if (continents.some((region) => isUnbeaten(candidates(world, { ...list, region })))) return 'CR';
  if (regionCode !== null && isUnbeaten(candidates(world, { ...list, region: regionCode }))) return 'NR';
  const isOwnBest = (personId: number): boolean =>
    isUnbeaten(everywhere.filter(({ result }) => result.personIds.includes(personId)));
  return personIds.every(isOwnBest) ? 'PR' : null;
};
