/** Holds what the server shows of a history against the oracle: every list, record, round and roster, and what entry answered. */

import { expect } from '@jest/globals';
import type { QueryBus } from '@nestjs/cqrs';
import { GetContest } from '../../src/competition/contests/contest.queries.js';
import { GetPersonResults } from '../../src/competition/persons/person-results.queries.js';
import { GetRankings } from '../../src/competition/rankings/ranking.queries.js';
import { ListRecentRecords, type RecentRecordView } from '../../src/competition/records/recent.queries.js';
import type { RecentPlace } from '../../src/competition/records/recent-records.js';
import { GetRecordHistory, ListRecords, RECORD_TYPES } from '../../src/competition/records/record.queries.js';
import { FEED_LENGTH, GetRecordFeed } from '../../src/competition/records/record-feed.queries.js';
import type { EntryReceipt } from '../../src/competition/rounds/round.commands.js';
import { CATEGORIES, RANKING_TYPES, SHOWS } from '../../src/domain/rankings.js';
import type { RoundKey } from '../../src/domain/references.js';
import { compareRoster, compareTaken } from './compare-rosters.js';
import { EVENTS, LISTED_REGIONS } from './histories.js';
import type { HistoryRunner } from './history-runner.js';
import { oracleRecent, oracleTakeable, oracleWithdrawn } from './oracle/recent-records.js';
import { oracleTags } from './oracle/record-tags.js';
import { oracleRecords } from './oracle/records.js';
import { oracleReferences } from './oracle/references.js';
import { oracleRankings, oracleRound } from './oracle/views.js';
import { type OracleWorld, personNow, resultFacts, worldAfter } from './oracle/world.js';
import { type RanHistory, roundIn } from './ran-history.js';
import type { RestartingApp } from './restarting-app.js';

/** Every ranking list that the small world has. */
const ALL_LISTS = EVENTS.flatMap(({ eventId }) =>
  RANKING_TYPES.flatMap((type) =>
    CATEGORIES.flatMap((category) =>
      SHOWS.flatMap((show) => LISTED_REGIONS.map((region) => ({ eventId, type, category, show, region }))),
    ),
  ),
);

export const comparingRunner = (app: RestartingApp): HistoryRunner =>
  app.runner({ onEntry: compareReceipt, onDecision: compareTaken });

/** Who answers; whether to look at a list, at the records or at a person is asked for each. */
interface Asked {
  readonly queries: QueryBus;
  readonly waitFor: (position: number) => Promise<void>;
  readonly isLookedAt?: () => boolean;
}

/** Lists cut at each of `topNs`, records, the places of every person and all rounds, once the read models show the history's last command. */
export const compareWithOracle = async (
  { queries, waitFor, isLookedAt = () => true }: Asked,
  ran: RanHistory,
  topNs: readonly number[],
): Promise<void> => {
  await waitFor(ran.position);
  const world = worldAfter(ran.facts);
  await compareRankings({ queries, isLookedAt }, ran, { world, topNs });
  if (isLookedAt()) await compareRecords(queries, ran, world);
  if (isLookedAt()) await compareRecentRecords(queries, ran, world);
  for (const personId of ran.personIds) if (isLookedAt()) await comparePerson(queries, world, personId);
  for (const competitionId of ran.competitionIds) await compareContest(queries, ran, world, competitionId);
};

const compareRankings = async (
  { queries, isLookedAt }: Required<Pick<Asked, 'queries' | 'isLookedAt'>>,
  ran: RanHistory,
  { world, topNs }: { readonly world: OracleWorld; readonly topNs: readonly number[] },
): Promise<void> => {
  for (const list of ALL_LISTS) {
    if (!isLookedAt()) continue;
    const expected = oracleRankings(world, list);
    for (const topN of topNs) {
      const { body } = await queries.execute(new GetRankings({ spaceId: ran.spaceId, ...list }, topN));
      const wanted = JSON.stringify(expected.slice(0, topN));
      if (body.toString() === wanted) continue;
      expect({ list, topN, shown: JSON.parse(body.toString()) }).toEqual({
        list,
        topN,
        shown: JSON.parse(wanted),
      });
      expect(body.toString()).toBe(wanted);
    }
  }
};

const compareRecords = async (
  queries: QueryBus,
  { spaceId }: RanHistory,
  world: OracleWorld,
): Promise<void> => {
  for (const category of CATEGORIES) {
    for (const region of LISTED_REGIONS) {
      const standing = [];
      for (const { eventId } of EVENTS) {
        const ofEvent: { [type: string]: readonly object[] } = {};
        const ofReferences: { [type: string]: readonly object[] } = {};
        for (const type of RECORD_TYPES) {
          const list = { eventId, category, region };
          const history = oracleRecords(world, { ...list, type });
          const current = history.filter((record) => 'until' in record && record.until === null);
          const references = oracleReferences(world, { ...list, type });
          const shown = await queries.execute(new GetRecordHistory({ spaceId, ...list }, type));
          expect(shown).toEqual({ ...list, type, current, history, references });
          ofEvent[type] = current;
          ofReferences[type] = references.filter((one) => 'until' in one && one.until === null);
        }
        standing.push({ eventId, ...ofEvent, references: ofReferences });
      }
      expect(await queries.execute(new ListRecords({ spaceId, category, region }))).toEqual(standing);
    }
  }
};

const RECENT_FILTERS = [
  ...CATEGORIES.map((category) => ({ category, region: null })),
  ...LISTED_REGIONS.map((region) => ({ category: 'all' as const, region })),
];
const PAGE = 7;

/** Page by page. The feed has the same, and what was corrected away. */
const compareRecentRecords = async (
  queries: QueryBus,
  { spaceId }: RanHistory,
  world: OracleWorld,
): Promise<void> => {
  for (const filter of RECENT_FILTERS) {
    const expected = oracleRecent(world, filter);
    const shown: RecentRecordView[] = [];
    for (let after: RecentPlace | null | undefined; after !== null; ) {
      const range = { since: 0, after: after ?? null, limit: PAGE };
      const page = await queries.execute(new ListRecentRecords({ spaceId, ...filter }, range));
      expect(page.items.length).toBe(page.next === null ? expected.length - shown.length : PAGE);
      shown.push(...page.items);
      after = page.next;
    }
    const untimed = shown.map(({ enteredAt, ...record }) => record);
    expect({ ...filter, records: untimed }).toEqual({ ...filter, records: expected });
    const { entries } = await queries.execute(new GetRecordFeed({ spaceId, ...filter }));
    const records = entries.flatMap(({ kind, record }) => (kind === 'record' ? [record] : []));
    expect(records).toEqual(shown.slice(0, FEED_LENGTH));
    if (shown.length > FEED_LENGTH) continue;
    const withdrawn = entries.flatMap(({ kind, record }) => (kind === 'withdrawn' ? [record] : []));
    const mayBeTaken = oracleTakeable(world, filter);
    for (const { recordId, result, takenBy } of withdrawn) {
      if (takenBy) expect(mayBeTaken).toContainEqual({ recordId, result, takenBy });
    }
    const corrected = withdrawn
      .filter(({ beatenBy, takenBy }) => beatenBy === null && takenBy === null)
      .map(({ recordId, result, standing }) => `${recordId} ${result} ${Math.max(0, standing)}`);
    expect({ ...filter, corrected: corrected.sort() }).toEqual({
      ...filter,
      corrected: oracleWithdrawn(world, filter),
    });
  }
};

/** A person's bests and their places are what the lists of persons have of the person. */
const comparePerson = async (queries: QueryBus, world: OracleWorld, personId: number): Promise<void> => {
  if (personNow(world, personId) !== personId) return;
  const { bests, results } = await queries.execute(new GetPersonResults(personId));
  for (const { resultId, eventId, category, recordTags } of results) {
    const tagOf = (type: 'single' | 'average') =>
      oracleTags(world, { eventId, category, type }).get(resultId) ?? null;
    const tags = { single: tagOf('single'), average: tagOf('average') };
    expect({ personId, resultId, recordTags }).toEqual({ personId, resultId, recordTags: tags });
  }
  for (const { eventId } of EVENTS) {
    for (const type of RECORD_TYPES) {
      const best = bests.find((shown) => shown.eventId === eventId)?.[type] ?? null;
      const entryIn = (region: string | null) =>
        oracleRankings(world, { eventId, type, category: 'all', show: 'persons', region }).find(
          (entry) => 'personId' in entry && entry.personId === personId,
        );
      const entry = entryIn(null);
      expect({ personId, eventId, type, best: best !== null }).toEqual({
        ...{ personId, eventId, type },
        best: entry !== undefined,
      });
      if (best === null) continue;
      const { value, date, resultId } = best;
      expect(entry).toMatchObject({ result: value, date, rankingId: `${resultId}_p${personId}` });
      expect(results.map((result) => result.resultId)).toContain(resultId);
      expect(best.places[0]?.region).toBeNull();
      for (const { region, place } of best.places) expect(entryIn(region)).toMatchObject({ ranking: place });
    }
  }
};

/** The rosters of one contest, which are the same whatever its results are worth in rankings. */
export const compareRosters = async (
  { queries, waitFor }: Pick<Asked, 'queries' | 'waitFor'>,
  ran: RanHistory,
  competitionId: string,
): Promise<void> => {
  await waitFor(ran.position);
  const { spaceId } = ran;
  const world = worldAfter(ran.facts);
  const shown = await queries.execute(new GetContest({ spaceId, competitionId }));
  for (const { eventId, rounds } of shown.events) {
    for (const round of rounds) {
      const key = { spaceId, competitionId, eventId, roundNumber: round.roundNumber };
      await compareRoster(queries, key, { world, shown: round });
    }
  }
};

const compareContest = async (
  queries: QueryBus,
  ran: RanHistory,
  world: OracleWorld,
  competitionId: string,
): Promise<void> => {
  if (world.contests.get(competitionId)?.state === 'deleted') return;
  const shown = await queries.execute(new GetContest({ spaceId: ran.spaceId, competitionId }));
  for (const { eventId, rounds } of shown.events) {
    for (const round of rounds) {
      const name = { competitionId, eventId, roundNumber: round.roundNumber };
      const results = round.results.map(({ advancement: _, ...result }) => result);
      expect({ ...name, results }).toEqual({ ...name, results: oracleRound(world, name) });
      await compareRoster(queries, { ...name, spaceId: ran.spaceId }, { world, shown: round });
    }
  }
  expect(shown.events.map(({ eventId }) => eventId)).toEqual(EVENTS.map(({ eventId }) => eventId));
  const competitors = world.rounds
    .filter((round) => round.competitionId === competitionId)
    .flatMap((round) => round.results.flatMap((result) => resultFacts(world, round, result).personIds));
  expect(shown.participants).toBe(new Set(competitors).size);
};

/** What entry answers is what the oracle makes of the result: its id, its attempts, its best and its average. */
const compareReceipt = (ran: RanHistory, name: RoundKey, receipt: EntryReceipt): void => {
  const world = worldAfter(ran.facts);
  const round = roundIn(world, name);
  if (round === undefined) throw new Error('an entry was accepted into a round that is not there');
  const expected = round.results.map((result) => resultFacts(world, round, result));
  for (const entered of receipt.results) {
    const competitor = entered.personIds.map((personId) => personNow(world, personId));
    const result = expected.find(({ personIds }) => personIds.join() === competitor.join());
    if (result === undefined) {
      expect(entered.attempts.every((value) => value === 0)).toBe(true);
    } else {
      const { resultId, personIds, attempts, best, average } = result;
      const { changed, changes } = entered;
      expect(entered).toEqual({ resultId, personIds, attempts, best, average, changed, changes });
    }
  }
};
