/**
 * Everything that can be read of some spaces, as text by the question that was asked: for comparing two builds of the
 * read models byte for byte.
 */
import { QueryBus } from '@nestjs/cqrs';
import { GetCompetitorList } from '../../src/competition/contests/competitor-list.commands.js';
import {
  type ContestView,
  GetContest,
  ListContests,
  ListRosteredContests,
  ListRoundHistory,
} from '../../src/competition/contests/contest.queries.js';
import { ListKeys } from '../../src/competition/keys/key.queries.js';
import { GetPerson, SearchPersons } from '../../src/competition/persons/person.queries.js';
import { GetPersonResults } from '../../src/competition/persons/person-results.queries.js';
import { GetRankings, MAX_TOP_N } from '../../src/competition/rankings/ranking.queries.js';
import { ListRecentRecords } from '../../src/competition/records/recent.queries.js';
import { MAX_RECENT } from '../../src/competition/records/recent-records.js';
import { GetRecordHistory, ListRecords, RECORD_TYPES } from '../../src/competition/records/record.queries.js';
import { atomFeed } from '../../src/competition/records/record-feed.js';
import { GetRecordFeed } from '../../src/competition/records/record-feed.queries.js';
import { GetAdvancement, ListAdvancingRounds } from '../../src/competition/rounds/advancement.queries.js';
import { GetSchedule } from '../../src/competition/schedule/schedule.queries.js';
import { ListEvents } from '../../src/competition/spaces/space.queries.js';
import { CATEGORIES, RANKING_TYPES, SHOWS } from '../../src/domain/rankings.js';
import type { RoundKey } from '../../src/domain/references.js';
import { RejectedError } from '../../src/domain/rejections.js';
import { LISTED_REGIONS } from './histories.js';

export interface ReadableSpace {
  readonly spaceId: string;
  readonly personIds: readonly number[];
}

type Answers = Map<string, string>;

/** Of what there is a list of its own for each region: which of them to read. */
interface Extent {
  readonly regions: readonly (string | null)[];
}

export const readEverything = async (
  queries: QueryBus,
  spaces: readonly ReadableSpace[],
  { regions }: Extent = { regions: LISTED_REGIONS },
): Promise<Answers> => {
  const answers: Answers = new Map();
  answers.set('advancing rounds', JSON.stringify(await queries.execute(new ListAdvancingRounds())));
  answers.set('rostered contests', JSON.stringify(await queries.execute(new ListRosteredContests())));
  for (const space of spaces) {
    await readCatalogue(queries, space.spaceId, { answers, regions });
    await readRecords(queries, space.spaceId, { answers, regions });
    await readContests(queries, space.spaceId, { answers, regions });
    await readPersons(queries, space, answers);
  }
  return answers;
};

interface Reading extends Extent {
  readonly answers: Answers;
}

const readCatalogue = async (
  queries: QueryBus,
  spaceId: string,
  { answers, regions }: Reading,
): Promise<void> => {
  const events = await queries.execute(new ListEvents(spaceId));
  answers.set(`${spaceId} events`, JSON.stringify(events));
  for (const { eventId } of events) {
    for (const type of RANKING_TYPES) {
      for (const category of CATEGORIES) {
        for (const show of SHOWS) {
          for (const region of regions) {
            const list = { spaceId, eventId, type, category, show, region };
            const { body, etag } = await queries.execute(new GetRankings(list, MAX_TOP_N));
            answers.set(`ranking ${JSON.stringify(list)}`, `${etag} ${body.toString()}`);
          }
        }
      }
    }
  }
};

const readRecords = async (
  queries: QueryBus,
  spaceId: string,
  { answers, regions }: Reading,
): Promise<void> => {
  for (const category of CATEGORIES) {
    for (const region of regions) {
      const list = { spaceId, category, region };
      const newest = await queries.execute(
        new ListRecentRecords(list, { since: 0, after: null, limit: MAX_RECENT }),
      );
      answers.set(`newest records ${JSON.stringify(list)}`, JSON.stringify(newest));
      const feed = await queries.execute(new GetRecordFeed(list));
      answers.set(`feed ${JSON.stringify(list)}`, atomFeed(feed, '/'));
      const standing = await queries.execute(new ListRecords(list));
      answers.set(`records ${JSON.stringify(list)}`, JSON.stringify(standing));
      for (const { eventId } of standing) {
        for (const type of RECORD_TYPES) {
          const history = await queries.execute(new GetRecordHistory({ ...list, eventId }, type));
          answers.set(`record ${eventId} ${type} ${JSON.stringify(list)}`, JSON.stringify(history));
        }
      }
    }
  }
};

const readContests = async (
  queries: QueryBus,
  spaceId: string,
  { answers, regions }: Reading,
): Promise<void> => {
  const all = await queries.execute(new ListContests({ spaceId, includeHidden: true }, {}));
  answers.set(`${spaceId} contests`, JSON.stringify(all));
  for (const region of regions) {
    const filter = region === null ? { spaceId } : { spaceId, region };
    answers.set(
      `${spaceId} contests in ${region}`,
      JSON.stringify(await queries.execute(new ListContests(filter, {}))),
    );
  }
  for (const { competitionId } of all.items) {
    const contest = { spaceId, competitionId };
    const page = await queries.execute(new GetContest(contest, true));
    answers.set(`contest ${spaceId}/${competitionId}`, JSON.stringify(page));
    answers.set(
      `keys ${spaceId}/${competitionId}`,
      JSON.stringify(await queries.execute(new ListKeys(contest))),
    );
    answers.set(
      `competitor list ${spaceId}/${competitionId}`,
      JSON.stringify(await queries.execute(new GetCompetitorList(contest, true))),
    );
    answers.set(
      `schedule ${spaceId}/${competitionId}`,
      JSON.stringify(await queries.execute(new GetSchedule(contest, true))),
    );
    await readRounds(queries, contest, page, answers);
  }
};

/** Beside what the page has of them. */
const readRounds = async (
  queries: QueryBus,
  contest: { readonly spaceId: string; readonly competitionId: string },
  page: ContestView,
  answers: Answers,
): Promise<void> => {
  for (const { eventId, rounds } of page.events) {
    for (const { roundNumber } of rounds) {
      const changes = await queries.execute(new ListRoundHistory({ ...contest, eventId, roundNumber }));
      const name = `${contest.spaceId}/${contest.competitionId}/${eventId}/${roundNumber}`;
      answers.set(`history ${name}`, JSON.stringify(changes));
      if (changes.length > 0 && page.state !== 'deleted')
        answers.set(
          `advancement ${name}`,
          JSON.stringify(await advancementOf(queries, { ...contest, eventId, roundNumber })),
        );
    }
  }
};

/** Null for a round that is not opened, or not any more. */
const advancementOf = async (queries: QueryBus, round: RoundKey): Promise<unknown> => {
  try {
    return await queries.execute(new GetAdvancement(round));
  } catch (error) {
    if (error instanceof RejectedError && error.rejection.code === 'round-state') return null;
    throw error;
  }
};

const readPersons = async (
  queries: QueryBus,
  { spaceId, personIds }: ReadableSpace,
  answers: Answers,
): Promise<void> => {
  const found = await queries.execute(new SearchPersons(spaceId, '', { limit: 1_000 }));
  answers.set(`${spaceId} persons`, JSON.stringify(found));
  for (const personId of personIds) {
    answers.set(`person ${personId}`, JSON.stringify(await queries.execute(new GetPerson(personId))));
    const reached = await queries.execute(new GetPersonResults(personId));
    answers.set(`results of person ${personId}`, JSON.stringify(reached));
  }
};
