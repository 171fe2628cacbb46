/** The values that compete in a list of the oracle. */
import { attemptsOf } from './arithmetic.js';
import { countsIn } from './regions.js';
import { type OracleContestType, type OracleWorld, type ResultFacts, resultFacts } from './world.js';

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
  readonly category: OracleList['category'];
  readonly roundNumber: number;
  /** Null with show=results. */
  readonly personId: number | null;
  readonly rankingId: string;
}

export const CATEGORY_OF: Readonly<Record<OracleContestType, OracleList['category']>> = {
  competition: 'competitions',
  meetup: 'meetups',
  online: 'online',
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
            category: CATEGORY_OF[type],
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
  if (list.type === 'average' && !isOfOwnFormat(world, list.eventId, result)) return [];
  return [{ value: result.average, attemptNumber: 0 }];
};

export const isOfOwnFormat = (world: OracleWorld, eventId: string, { attempts }: ResultFacts): boolean =>
  attempts.length === (attemptsOf(world.events.get(eventId)?.defaultRoundFormat ?? 'a') === 5 ? 5 : 3);

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
