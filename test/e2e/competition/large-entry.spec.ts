/** Entries of more than the event store takes at once: refused with the limit and the field, and no other command with them. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { personAggregate } from '../../../src/competition/aggregates/person/person.decider.js';
import { CreateSpace } from '../../../src/competition/aggregates/space/space.commands.js';
import { AnnounceContest, CreateContest } from '../../../src/competition/contests/contest.commands.js';
import { IssueKey } from '../../../src/competition/keys/key.commands.js';
import { OpenRound } from '../../../src/competition/rounds/round.commands.js';
import { AGGREGATES, type AggregateRuntime } from '../../../src/foundation/aggregates/aggregate.js';
import { accepted } from '../../../src/foundation/aggregates/outcome.js';
import { MAX_APPEND_BYTES_RANGE, ROWS_THAT_FIT } from '../../../src/foundation/event-store/append-checks.js';
import { type Api, startApi } from '../../support/api.js';
import { CONTEXT } from '../../support/api-world.js';
import type { Stores } from '../../support/cluster.js';
import { eventDefinition } from '../../support/event-definition.js';
import { STORE_PAIRS, type StorePair } from '../../support/store-pairs.js';
import { until } from '../../support/until.js';

/** The smallest limit, which few rows are more than. */
const [LIMIT] = MAX_APPEND_BYTES_RANGE;
/** Rows of a request that is too large, and of one that always fits. */
const TOO_MANY = 1_600;
const FITTING = ROWS_THAT_FIT;
/** Requests that are too large together. */
const PARTS = 4;
const BESIDE = 20;
/** Persons that are registered at once. */
const AT_ONCE = 200;
/** The longest ids. */
const EVENT = 'e'.repeat(64);
const CONTEST = { spaceId: 'teams', competitionId: 'c'.repeat(64) };
const ROUND = { ...CONTEST, eventId: EVENT, roundNumber: 1 };
const RULES = { format: 'a' as const, date: null, timeLimit: null, cutoff: null, advancement: null };

/** The limit is that of the event store: a slow server of documents would be busy for minutes with rows by the thousand. */
const eventsOf = async (open: StorePair['open']): Promise<Stores> => {
  const stores = await open();
  const { READ_MODEL_URL: _, OPERATIONAL_URL: __, ...env } = stores.env;
  return { ...stores, env };
};

describe.each(STORE_PAIRS)('a large entry on $name', ({ open }) => {
  let api: Api;
  let key: string;
  let persons: readonly number[];

  beforeAll(async () => {
    api = await startApi({ PODIUM_MAX_APPEND_BYTES: String(LIMIT) }, () => eventsOf(open));
    const { commands } = api;
    const details = {
      name: 'Teams',
      shortName: 'Teams',
      type: 'competition' as const,
      city: null,
      regionCode: 'IE',
      venue: null,
      startDate: '2026-05-01',
      endDate: '2026-05-01',
      organizerIds: [],
    };
    await commands.execute(new CreateSpace(CONTEST.spaceId, 'Teams', [eventDefinition(EVENT)], CONTEXT));
    const planned = [{ eventId: EVENT, roundNumber: 1, rules: RULES }];
    await commands.execute(new CreateContest(CONTEST, details, planned, CONTEXT));
    await commands.execute(new AnnounceContest(CONTEST, CONTEXT));
    await commands.execute(new OpenRound(ROUND, CONTEXT));
    persons = await manyPersons(TOO_MANY + BESIDE);
    ({ key } = await commands.execute(new IssueKey(CONTEST, 'timer', CONTEXT)));
  });
  afterAll(() => api.close());

  /** Their streams alone: an entry that names persons by id reads no profiles. */
  const manyPersons = async (count: number): Promise<readonly number[]> => {
    const aggregates = api.app.get<AggregateRuntime>(AGGREGATES);
    const { spaceId } = CONTEST;
    const register = async (personId: number): Promise<void> => {
      const command = { type: 'RegisterPerson', personId, spaceId, timeline: [] } as const;
      accepted(await aggregates.execute(personAggregate, personId, command, CONTEXT));
    };
    const personIds = Array.from({ length: count }, (_, index) => 10_000 + index);
    for (let at = 0; at < count; at += AT_ONCE)
      await Promise.all(personIds.slice(at, at + AT_ONCE).map(register));
    return personIds;
  };

  const rows = (from: number, count: number, value: number) =>
    persons.slice(from, from + count).map((personId) => ({
      personId,
      attempts: Array.from({ length: 5 }, () => ({ result: value })),
    }));
  const headers = () => ({ 'x-api-key': key, 'x-request-id': 'r'.repeat(128) });
  const round = { competitionId: CONTEST.competitionId, eventId: EVENT, roundNumber: 1 };
  const enterResults = (from: number, count: number, value: number) =>
    api.client.post('/api/teams/enter-results', { ...round, results: rows(from, count, value) }, headers());
  const enterAttempt = (index: number) => {
    const attempt = { personId: persons[index], attemptNumber: 1, attemptResult: 900 };
    return api.client.post('/api/teams/enter-attempt', { ...round, ...attempt }, headers());
  };

  it('of as many rows as always fit goes in', async () => {
    expect((await enterResults(0, FITTING, 1_000)).status).toBe(201);
  });

  it('goes in beside others, though all of them are more than an append may hold', async () => {
    // Refused when the server has read the streams of all persons, for which a busy machine needs longer than an answer may take.
    await until(
      () => enterResults(0, TOO_MANY, 1_050),
      ({ status }) => status === 413,
    );
    const rowsOfPart = TOO_MANY / PARTS;
    const sent = Array.from({ length: PARTS }, (_, index) =>
      enterResults(index * rowsOfPart, rowsOfPart, 1_100 + index),
    );
    expect((await Promise.all(sent)).map(({ status }) => status)).toEqual(sent.map(() => 201));
  });

  it('of more bytes than the limit is refused by name, and the entries beside it go in', async () => {
    const [refused, ...beside] = await Promise.all([
      enterResults(0, TOO_MANY, 1_001),
      ...Array.from({ length: BESIDE }, (_, index) => enterAttempt(TOO_MANY + index)),
    ]);
    expect(refused).toMatchObject({
      status: 413,
      json: {
        type: '/api/docs/problems/body-too-large',
        errors: [{ field: 'results', rule: 'append-bytes' }],
      },
    });
    expect(Object(refused?.json).detail).toContain(`${LIMIT} bytes`);
    expect(beside.map(({ status }) => status)).toEqual(beside.map(() => 201));
  });
});
