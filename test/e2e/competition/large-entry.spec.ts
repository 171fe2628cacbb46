/** Entries of more than the event store takes at once: refused with the limit and the field, and no other command with them. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { OpenRound } from '../../../src/competition/aggregates/round/round.commands.js';
import { CreateSpace } from '../../../src/competition/aggregates/space/space.commands.js';
import { AnnounceContest, CreateContest } from '../../../src/competition/contests/contest.commands.js';
import { IssueKey } from '../../../src/competition/keys/key.commands.js';
import { RegisterPerson } from '../../../src/competition/persons/person.commands.js';
import { type Api, startApi } from '../../support/api.js';
import { CONTEXT } from '../../support/api-world.js';
import { STORE_PAIRS } from '../../support/store-pairs.js';

const TEAM_SIZE = 20;
/** The longest ids. */
const EVENT = 'e'.repeat(64);
const CONTEST = { spaceId: 'teams', competitionId: 'c'.repeat(64) };
const ROUND = { ...CONTEST, eventId: EVENT, roundNumber: 1 };
const RULES = { format: 'a' as const, date: null, timeLimit: null, cutoff: null, advancement: null };

/** The list in its `number`th order. */
const ordered = (list: readonly number[], number: number): readonly number[] => {
  const left = [...list];
  let rest = number;
  return list.map(() => {
    const [taken = 0] = left.splice(rest % left.length, 1);
    rest = Math.floor(rest / (left.length + 1));
    return taken;
  });
};

describe.each(STORE_PAIRS)('a large entry on $name', ({ open }) => {
  let api: Api;
  let key: string;
  let persons: readonly number[];

  beforeAll(async () => {
    api = await startApi({}, open);
    const { commands } = api;
    const event = {
      eventId: EVENT,
      name: 'Teams',
      category: 'test',
      rank: 1,
      format: 'time' as const,
      defaultRoundFormat: 'a' as const,
      participants: TEAM_SIZE,
      description: null,
    };
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
    await commands.execute(new CreateSpace(CONTEST.spaceId, 'Teams', [event], CONTEXT));
    const planned = [{ eventId: EVENT, roundNumber: 1, rules: RULES }];
    await commands.execute(new CreateContest(CONTEST, details, planned, CONTEXT));
    await commands.execute(new AnnounceContest(CONTEST, CONTEXT));
    await commands.execute(new OpenRound(ROUND, CONTEXT));
    const ids: number[] = [];
    for (let index = 0; index < TEAM_SIZE; index += 1) {
      const { spaceId } = CONTEST;
      const person = { spaceId, name: `Person ${index}`, localizedName: null, assocId: null, timeline: [] };
      ids.push((await commands.execute(new RegisterPerson(person, CONTEXT))).personId);
    }
    persons = ids;
    ({ key } = await commands.execute(new IssueKey(CONTEST, 'timer', CONTEXT)));
  });
  afterAll(() => api.close());

  const rows = (count: number) =>
    Array.from({ length: count }, (_, index) => ({
      personId: ordered(persons, index).join(','),
      attempts: Array.from({ length: 5 }, () => ({ result: 1_000 + index })),
    }));
  const headers = () => ({ 'x-api-key': key, 'x-request-id': 'r'.repeat(128) });
  const round = { competitionId: CONTEST.competitionId, eventId: EVENT, roundNumber: 1 };
  const enterResults = (count: number) =>
    api.client.post('/api/teams/enter-results', { ...round, results: rows(count) }, headers());
  const enterAttempt = (index: number) => {
    const attempt = { personId: ordered(persons, index).join(','), attemptNumber: 1, attemptResult: 900 };
    return api.client.post('/api/teams/enter-attempt', { ...round, ...attempt }, headers());
  };

  it('of more bytes than the limit is refused by name, and the entries beside it go in', async () => {
    const [refused, ...beside] = await Promise.all([
      enterResults(3_000),
      ...Array.from({ length: 20 }, (_, index) => enterAttempt(5_000 + index)),
    ]);
    expect(refused).toMatchObject({
      status: 413,
      json: {
        type: '/api/docs/problems/body-too-large',
        errors: [{ field: 'results', rule: 'append-bytes' }],
      },
    });
    expect(Object(refused?.json).detail).toContain('1000000 bytes');
    expect(beside.map(({ status }) => status)).toEqual(beside.map(() => 201));
  });

  it('of as many rows as always fit goes in', async () => {
    expect((await enterResults(500)).status).toBe(201);
  });
});
