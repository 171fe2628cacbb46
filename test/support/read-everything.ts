/**
 * Everything that can be read of some spaces, as text by the question that was asked: for comparing two builds of the
 * read models byte for byte.
 */
import { QueryBus } from '@nestjs/cqrs';
import { GetCompetitor, GetCompetitorList } from '../../src/competition/contests/competitor-list.commands.js';
import {
  type ContestView,
  GetContest,
  GetContestOverview,
  GetContestPlan,
  ListContests,
  ListRosteredContests,
  ListRoundHistory,
} from '../../src/competition/contests/contest.queries.js';
import { GetOutlook } from '../../src/competition/hall/outlook.queries.js';
import { GetScreen, ListScreens } from '../../src/competition/hall/screens.queries.js';
import { ListKeys } from '../../src/competition/keys/key.queries.js';
import { GetPerson, SearchPersons } from '../../src/competition/persons/person.queries.js';
import { GetPersonResults } from '../../src/competition/persons/person-results.queries.js';
import { GetRankings, MAX_TOP_N } from '../../src/competition/rankings/ranking.queries.js';
import { ListRecentRecords } from '../../src/competition/records/recent.queries.js';
import { MAX_RECENT } from '../../src/competition/records/recent-records.js';
import { GetRecordHistory, ListRecords, RECORD_TYPES } from '../../src/competition/records/record.queries.js';
import { atomFeed } from '../../src/competition/records/record-feed.js';
import { GetRecordFeed } from '../../src/competition/records/record-feed.queries.js';
import { ListReferences } from '../../src/competition/references/references.commands.js';
import { GetAdvancement, ListAdvancingRounds } from '../../src/competition/rounds/advancement.queries.js';
import { GetCompetitorSchedule, GetSchedule } from '../../src/competition/schedule/schedule.queries.js';
import { ListEvents } from '../../src/competition/spaces/space.queries.js';
import { CATEGORIES, RANKING_TYPES, SHOWS } from '../../src/domain/rankings.js';
import type { ContestRef } from '../../src/domain/references.js';
import { RejectedError } from '../../src/domain/rejections.js';
import { isOutage } from '../../src/foundation/basics/store-unavailable.js';
import type { OperationalStore } from '../../src/foundation/operational/operational-store.js';
import { LISTED_REGIONS } from './histories.js';

export interface ReadableSpace {
  readonly spaceId: string;
  readonly personIds: readonly number[];
}

export interface ReadOptions {
  /** Of what there is a list of its own for each region: which of them to read. */
  readonly regions?: readonly (string | null)[];
  /** Reads its accounts, sessions and audit trail, too. */
  readonly operational?: Pick<OperationalStore, 'accounts' | 'audit'>;
  /** Called with each question that a store refuses to answer. Default: the first refusal is thrown. */
  readonly onRefused?: (question: string) => void;
}

export const readEverything = async (
  queries: QueryBus,
  spaces: readonly ReadableSpace[],
  options: ReadOptions = {},
): Promise<ReadonlyMap<string, string>> => {
  const reading = new Reading(queries, options);
  await reading.readRunning();
  for (const space of spaces) await reading.readSpace(space);
  return reading.answers;
};

class Reading {
  readonly answers = new Map<string, string>();
  readonly #queries: QueryBus;
  readonly #options: ReadOptions;
  readonly #regions: readonly (string | null)[];

  constructor(queries: QueryBus, options: ReadOptions) {
    this.#queries = queries;
    this.#options = options;
    this.#regions = options.regions ?? LISTED_REGIONS;
  }

  /** What process managers complete. */
  async readRunning(): Promise<void> {
    await this.#ask('advancing rounds', () => this.#queries.execute(new ListAdvancingRounds()));
    await this.#ask('rostered contests', () => this.#queries.execute(new ListRosteredContests()));
  }

  async readSpace(space: ReadableSpace): Promise<void> {
    await this.#readCatalogue(space.spaceId);
    await this.#readRecords(space.spaceId);
    await this.#readContests(space.spaceId);
    await this.#readPersons(space);
    await this.#readAccounts(space.spaceId);
  }

  /** Null: refused. */
  async #ask<T>(question: string, answer: () => Promise<T>, textOf: (answer: T) => string = JSON.stringify) {
    try {
      const found = await answer();
      this.answers.set(question, textOf(found));
      return found;
    } catch (error) {
      if (!this.#options.onRefused || !isOutage(error)) throw error;
      this.#options.onRefused(question);
      return null;
    }
  }

  async #readCatalogue(spaceId: string): Promise<void> {
    await this.#ask(`${spaceId} references`, () => this.#queries.execute(new ListReferences(spaceId)));
    const events = await this.#ask(`${spaceId} events`, () => this.#queries.execute(new ListEvents(spaceId)));
    for (const { eventId } of events ?? []) {
      for (const type of RANKING_TYPES) {
        for (const category of CATEGORIES) {
          for (const show of SHOWS) {
            for (const region of this.#regions) {
              const list = { spaceId, eventId, type, category, show, region };
              await this.#ask(
                `ranking ${JSON.stringify(list)}`,
                () => this.#queries.execute(new GetRankings(list, MAX_TOP_N)),
                ({ body, etag }) => `${etag} ${body.toString()}`,
              );
            }
          }
        }
      }
    }
  }

  async #readRecords(spaceId: string): Promise<void> {
    for (const category of CATEGORIES) {
      for (const region of this.#regions) {
        const list = { spaceId, category, region };
        const page = { since: 0, after: null, limit: MAX_RECENT };
        await this.#ask(`newest records ${JSON.stringify(list)}`, () =>
          this.#queries.execute(new ListRecentRecords(list, page)),
        );
        await this.#ask(
          `feed ${JSON.stringify(list)}`,
          () => this.#queries.execute(new GetRecordFeed(list)),
          (feed) => atomFeed(feed, '/'),
        );
        const standing = await this.#ask(`records ${JSON.stringify(list)}`, () =>
          this.#queries.execute(new ListRecords(list)),
        );
        for (const { eventId } of standing ?? []) {
          for (const type of RECORD_TYPES) {
            await this.#ask(`record ${eventId} ${type} ${JSON.stringify(list)}`, () =>
              this.#queries.execute(new GetRecordHistory({ ...list, eventId }, type)),
            );
          }
        }
      }
    }
  }

  async #readContests(spaceId: string): Promise<void> {
    const all = await this.#ask(`${spaceId} contests`, () =>
      this.#queries.execute(new ListContests({ spaceId, includeHidden: true }, {})),
    );
    for (const region of this.#regions) {
      const filter = region === null ? { spaceId } : { spaceId, region };
      await this.#ask(`${spaceId} contests in ${region}`, () =>
        this.#queries.execute(new ListContests(filter, {})),
      );
    }
    for (const { competitionId } of all?.items ?? []) {
      const contest = { spaceId, competitionId };
      const page = await this.#ask(`contest ${spaceId}/${competitionId}`, () =>
        this.#queries.execute(new GetContest(contest, true)),
      );
      await this.#ask(`keys ${spaceId}/${competitionId}`, () => this.#queries.execute(new ListKeys(contest)));
      const list = await this.#ask(`competitor list ${spaceId}/${competitionId}`, () =>
        this.#queries.execute(new GetCompetitorList(contest, true)),
      );
      await this.#ask(`schedule ${spaceId}/${competitionId}`, () =>
        this.#queries.execute(new GetSchedule(contest, true)),
      );
      await this.#ask(`screen ${spaceId}/${competitionId}`, () =>
        this.#queries.execute(new GetScreen(contest, '1', true)),
      );
      await this.#ask(`screens ${spaceId}/${competitionId}`, () =>
        this.#queries.execute(new ListScreens(contest)),
      );
      if (page && page.state !== 'draft' && page.state !== 'deleted')
        await this.#readPublicPages(contest, list?.competitors ?? []);
      if (page) await this.#readRounds(contest, page);
    }
  }

  async #readPublicPages(
    contest: ContestRef,
    competitors: readonly { readonly number: number }[],
  ): Promise<void> {
    const name = `${contest.spaceId}/${contest.competitionId}`;
    await this.#ask(`overview ${name}`, () => this.#queries.execute(new GetContestOverview(contest)));
    await this.#ask(`plan ${name}`, () => this.#queries.execute(new GetContestPlan(contest)));
    for (const { number } of competitors.slice(0, MAX_COMPETITORS)) {
      await this.#ask(`competitor ${name} ${number}`, () =>
        orRefusal(this.#queries.execute(new GetCompetitor(contest, number))),
      );
      await this.#ask(`schedule of competitor ${name} ${number}`, () =>
        orRefusal(this.#queries.execute(new GetCompetitorSchedule(contest, number))),
      );
    }
  }

  /** Beside what the page has of them. */
  async #readRounds(contest: ContestRef, page: ContestView): Promise<void> {
    for (const { eventId, rounds } of page.events) {
      for (const { roundNumber } of rounds) {
        const round = { ...contest, eventId, roundNumber };
        const name = `${contest.spaceId}/${contest.competitionId}/${eventId}/${roundNumber}`;
        const changes = await this.#ask(`history ${name}`, () =>
          this.#queries.execute(new ListRoundHistory(round)),
        );
        await this.#ask(`outlook ${name}`, () => this.#queries.execute(new GetOutlook(round, true)));
        if (changes?.length && page.state !== 'deleted')
          await this.#ask(`advancement ${name}`, () =>
            orRefusal(this.#queries.execute(new GetAdvancement(round))),
          );
      }
    }
  }

  async #readPersons({ spaceId, personIds }: ReadableSpace): Promise<void> {
    await this.#ask(`${spaceId} persons`, () =>
      this.#queries.execute(new SearchPersons(spaceId, '', { limit: 1_000 })),
    );
    for (const personId of personIds) {
      await this.#ask(`person ${personId}`, () => this.#queries.execute(new GetPerson(personId)));
      await this.#ask(`results of person ${personId}`, () =>
        this.#queries.execute(new GetPersonResults(personId)),
      );
    }
  }

  async #readAccounts(spaceId: string): Promise<void> {
    const { operational } = this.#options;
    if (!operational) return;
    const { accounts, audit } = operational;
    const all = await this.#ask(`${spaceId} accounts`, () => accounts.ofSpace(spaceId));
    for (const { accountId } of all ?? [])
      await this.#ask(`sessions of ${accountId}`, () => accounts.sessionsOf(accountId));
    await this.#ask(`${spaceId} audit trail`, () => audit.page({ spaceId, limit: 1_000 }));
  }
}

/** Pages of competitors that are read of each contest: every page looks through all rounds. */
const MAX_COMPETITORS = 3;

/** A refusal is an answer like any other: of a round that is not open, of a competitor who has withdrawn. */
const orRefusal = async <T>(answer: Promise<T>): Promise<unknown> => {
  try {
    return await answer;
  } catch (error) {
    if (error instanceof RejectedError) return error.rejection;
    throw error;
  }
};
