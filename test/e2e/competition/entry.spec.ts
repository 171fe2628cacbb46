/** Result entry over real HTTP: what devices send, in every spelling, and what a repeat or a correction does. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { CommandBus } from '@nestjs/cqrs';
import {
  EndContest,
  ReopenContest,
  TakeNumbers,
} from '../../../src/competition/contests/contest.commands.js';
import { type Api, startApi } from '../../support/api.js';
import { CONTEST, CONTEXT, SPACE } from '../../support/api-world.js';
import { STORE_PAIRS } from '../../support/store-pairs.js';
import { until } from '../../support/until.js';

let api: Api;
let ada: number;
let bob: number;
let cy: number;
let dee: number;

describe.each(STORE_PAIRS)('result entry on $name', ({ open }) => {
  beforeAll(async () => {
    api = await startApi({}, open);
    [ada, bob, cy, dee] = api.world.personIds;
  });
  afterAll(() => api.close());

  const round = { competitionId: CONTEST, eventId: '333', roundNumber: 1 };

  const attempt = (
    body: object,
    headers: Readonly<Record<string, string>> = {},
    path = '/api/enter-attempt',
  ) => api.client.post(path, { ...round, ...body }, { 'x-api-key': api.world.keys.good, ...headers });

  const results = (
    body: object,
    headers: Readonly<Record<string, string>> = {},
    path = '/api/enter-results',
  ) => api.client.post(path, { ...round, ...body }, { 'x-api-key': api.world.keys.good, ...headers });

  /** The values of a round's results by result id, as of a reply. */
  const valuesOf = async (eventId: string, position: unknown): Promise<Record<string, number[]>> => {
    const { text } = await api.client.after(position, `/api/competitions/${CONTEST}`);
    const contest: {
      events: {
        eventId: string;
        rounds: { results: { resultId: string; attempts: { result: number }[] }[] }[];
      }[];
    } = JSON.parse(text);
    const rounds = contest.events.find((event) => event.eventId === eventId)?.rounds ?? [];
    const all = rounds.flatMap((each) => each.results);
    return Object.fromEntries(
      all.map(({ resultId, attempts }) => [resultId, attempts.map(({ result }) => result)]),
    );
  };

  describe('enter-attempt', () => {
    it('answers 201 with the result as it stands, and its position', async () => {
      const { status, headers, json } = await attempt({
        personId: ada,
        attemptNumber: 2,
        attemptResult: 1_888,
      });
      expect(status).toBe(201);
      expect(headers['podium-position']).toMatch(/^[0-9a-f]{8}-[0-9a-z]+$/);
      expect(json).toEqual({
        ...round,
        results: [
          {
            resultId: `${CONTEST}_333_r1_${ada}`,
            personIds: [ada],
            attempts: [{ result: 0 }, { result: 1_888 }, { result: 0 }, { result: 0 }, { result: 0 }],
            best: 1_888,
            average: 0,
            changed: true,
          },
        ],
      });
    });

    it.each([
      ['the association id', () => ({ assocId: '2016ADAA01' })],
      ['the association id in lower case', () => ({ assocId: '2016adaa01' })],
      ['the alias wcaId', () => ({ wcaId: '2016ADAA01' })],
      ['an id in text', () => ({ personId: String(ada) })],
      [
        'the alias competitionWcaId',
        () => ({ personId: ada, competitionId: undefined, competitionWcaId: CONTEST }),
      ],
      ['the space by name', () => ({ personId: ada, spaceId: SPACE })],
      ['unknown fields', () => ({ personId: ada, colour: { deep: ['x'] } })],
      ['a selector that is null', () => ({ personId: ada, assocId: null, spaceId: null })],
    ])('takes %s', async (_, body) => {
      const { status, json } = await attempt({ attemptNumber: 2, attemptResult: 1_888, ...body() });
      expect({ status, json }).toMatchObject({
        status: 201,
        json: { results: [{ personIds: [ada], changed: false }] },
      });
    });

    it('takes the key as a bearer token, and the space in the path', async () => {
      const body = { ...round, personId: ada, attemptNumber: 2, attemptResult: 1_888 };
      const bearer = { authorization: `Bearer ${api.world.keys.good}` };
      expect((await api.client.post('/api/enter-attempt', body, bearer)).status).toBe(201);
      expect((await api.client.post('/api/default/enter-attempt', body, bearer)).status).toBe(201);
      const rows = { ...round, results: [{ personId: dee, attempts: [] }] };
      expect((await api.client.post('/api/enter-results', rows, bearer)).status).toBe(201);
      expect((await api.client.post('/api/default/enter-results', rows, bearer)).status).toBe(201);
      expect((await api.client.post('/api/club/enter-attempt', body, bearer)).status).toBe(404);
      const other = await api.client.post('/api/default/enter-attempt', { ...body, spaceId: 'club' }, bearer);
      expect(other).toMatchObject({ status: 400, json: { errors: [{ field: 'spaceId' }] } });
    });

    it('answers 200 when every row has a number of the contest, else 201', async () => {
      const competitors = [
        { personId: ada, number: 21 },
        { personId: dee, number: 22 },
      ];
      const contest = { spaceId: SPACE, competitionId: CONTEST };
      await api.app.get(CommandBus).execute(new TakeNumbers(contest, competitors, CONTEXT));
      const value = { attemptNumber: 2, attemptResult: 1_888 };
      expect(await attempt({ ...value, registrantId: '21', wcaId: '' })).toMatchObject({
        status: 200,
        json: { ...round, results: [{ personIds: [ada], changed: false }] },
      });
      expect((await attempt({ ...value, registrantId: null, personId: ada })).status).toBe(201);
      const numbered = { registrantId: 22, wcaId: null, attempts: [] };
      expect((await results({ results: [numbered] })).status).toBe(200);
      expect((await results({ results: [numbered, { personId: bob, attempts: [] }] })).status).toBe(201);
      expect(await attempt({ ...value, registrantId: 22, wcaId: '2016ADAA01' })).toMatchObject({
        status: 422,
        json: { type: expect.stringContaining('competitor-contradiction') },
      });
    });

    it('takes a correction, a DNF, and 0 to clear; the last value in goes', async () => {
      for (const value of [2_000, -1, 1_700, 0]) {
        const { json } = await attempt({ personId: bob, attemptNumber: 1, attemptResult: value });
        expect(json).toMatchObject({
          results: [{ attempts: [{ result: value }, {}, {}, {}, {}], changed: true }],
        });
      }
      const { headers } = await attempt({ personId: bob, attemptNumber: 1, attemptResult: 0 });
      expect(await valuesOf('333', headers['podium-position'])).not.toHaveProperty(
        `${CONTEST}_333_r1_${bob}`,
      );
    });

    it('finds a team by its members, and gives it the order of its last entry', async () => {
      const team = { eventId: 'relay', attemptNumber: 1, attemptResult: 9_000 };
      const resultId = `${CONTEST}_relay_r1_${ada}-${bob}`;
      const first = await attempt({ ...team, personId: `${ada},${bob}` });
      const second = await attempt({ ...team, personId: `${bob}, ${ada}` });
      const again = await attempt({ ...team, personId: `${bob}, ${ada}` });
      expect(first.json).toMatchObject({ results: [{ resultId, personIds: [ada, bob], changed: true }] });
      expect(second.json).toMatchObject({ results: [{ resultId, personIds: [bob, ada], changed: true }] });
      expect(again.json).toMatchObject({ results: [{ resultId, personIds: [bob, ada], changed: false }] });
      const ranking = await api.client.get('/api/results/rankings/relay/single/all', {
        'podium-position': String(again.headers['podium-position']),
      });
      expect(ranking.json).toMatchObject([
        { persons: [{ id: bob }, { id: ada }] },
        { persons: [{ id: bob }, { id: ada }] },
      ]);
      expect((await attempt({ ...team, personId: ada })).json).toMatchObject({ status: 422 });
      expect((await attempt({ ...team, personId: `${ada},${ada}` })).json).toMatchObject({ status: 422 });
      expect((await attempt({ ...team, personId: `${ada},${cy}` })).json).toMatchObject({
        status: 422,
        type: '/api/docs/problems/person-in-two-teams',
      });
    });

    it('refuses attempts behind a cutoff that was not met', async () => {
      const cut = { roundNumber: 3, personId: cy };
      expect((await attempt({ ...cut, attemptNumber: 3, attemptResult: 1_500 })).json).toMatchObject({
        status: 422,
        type: '/api/docs/problems/cutoff-not-met',
      });
      expect((await attempt({ ...cut, attemptNumber: 1, attemptResult: 1_999 })).status).toBe(201);
      expect((await attempt({ ...cut, attemptNumber: 3, attemptResult: 1_500 })).status).toBe(201);
    });
  });

  describe('an Idempotency-Key', () => {
    it('makes a late repeat harmless even after a correction', async () => {
      const key = { 'idempotency-key': 'timer-1/attempt-1' };
      const first = { personId: dee, attemptNumber: 1, attemptResult: 3_000 };
      await attempt(first, key);
      await attempt({ ...first, attemptResult: 2_900 });
      const { status, json } = await attempt(first, key);
      expect({ status, json }).toMatchObject({
        status: 201,
        json: { results: [{ attempts: [{ result: 2_900 }, {}, {}, {}, {}], changed: false }] },
      });
    });

    it('belongs to one body: another under it is refused', async () => {
      const key = { 'idempotency-key': 'timer-1/attempt-2' };
      await attempt({ personId: dee, attemptNumber: 2, attemptResult: 3_000 }, key);
      const { json } = await attempt({ personId: dee, attemptNumber: 2, attemptResult: 3_001 }, key);
      expect(json).toMatchObject({ status: 422, type: '/api/docs/problems/idempotency-key-reused' });
    });

    it.each(['', 'with space', 'é', 'x'.repeat(256)])('of odd characters is refused (%j)', async (key) => {
      const { status, json } = await attempt(
        { personId: dee, attemptNumber: 2, attemptResult: 3_000 },
        { 'idempotency-key': key },
      );
      expect({ status, json }).toMatchObject({
        status: 400,
        json: { errors: [{ field: 'Idempotency-Key' }] },
      });
    });
  });

  describe('enter-results', () => {
    const row = (personId: number, ...values: number[]) => ({
      personId,
      attempts: values.map((result) => ({ result })),
    });

    it('replaces the attempts of those it names, and sent again changes nothing', async () => {
      const body = { eventId: 'fm', results: [row(ada, 25, 26, 27), row(bob, 30)] };
      const first = await results(body);
      expect(first).toMatchObject({
        status: 201,
        json: {
          results: [
            { personIds: [ada], best: 25, average: 2_600, changed: true },
            { personIds: [bob], attempts: [{ result: 30 }, { result: 0 }, { result: 0 }], changed: true },
          ],
        },
      });
      const again = await results(body);
      expect(again).toMatchObject({
        status: 201,
        json: { results: [{ changed: false }, { changed: false }] },
      });
      const { headers } = await results({ eventId: 'fm', results: [row(bob)] });
      expect(await valuesOf('fm', headers['podium-position'])).toEqual({
        [`${CONTEST}_fm_r1_${ada}`]: [25, 26, 27],
      });
    });

    it('is all or nothing, and lists every bad row', async () => {
      const before = await results({ eventId: 'fm', results: [row(ada, 25, 26, 27)] });
      const refused = await results({
        eventId: 'fm',
        results: [row(ada, 20), row(bob, -3), row(cy, 1, 2, 3, 4)],
      });
      expect(refused).toMatchObject({ status: 422 });
      const fields = JSON.stringify(refused.json);
      expect(fields).toContain('results[1]');
      expect(fields).toContain('results[2]');
      expect(await valuesOf('fm', before.headers['podium-position'])).toEqual({
        [`${CONTEST}_fm_r1_${ada}`]: [25, 26, 27],
      });
    });

    it('names the rows of every kind of fault, and answers for the first kind', async () => {
      const { json } = await results({
        eventId: 'fm',
        results: [row(ada, 20), row(bob, -3), row(99_999, 20), row(cy, 1, 2, 3, 4)],
      });
      expect(json).toMatchObject({
        status: 404,
        type: expect.stringContaining('person-not-found'),
        errors: [
          { field: 'results[1].attempts[0].result', rule: 'attempt-value' },
          { field: 'results[2].personId', rule: 'person-not-found' },
          { field: 'results[3].attempts[3].result', rule: 'attempt-number-above-format' },
        ],
      });
    });

    it('names unknown persons by their rows', async () => {
      const { json } = await results({
        eventId: 'fm',
        results: [row(ada, 20), row(99_999, 20), row(99_998, 20)],
      });
      expect(json).toMatchObject({
        status: 404,
        errors: [
          { field: expect.stringContaining('results[1]') },
          { field: expect.stringContaining('results[2]') },
        ],
      });
    });

    it.each([
      ['no rows', {}, 'results'],
      ['an empty list', { results: [] }, 'results'],
      ['rows that are none', { results: [7] }, 'results[0]'],
      ['a row without a competitor', { results: [{ attempts: [] }] }, 'results[0].personId'],
      ['a row without attempts', { results: [{ personId: 1 }] }, 'results[0].attempts'],
      [
        'an attempt of text',
        { results: [row(1), { personId: 2, attempts: [{ result: 1 }, { result: '5' }] }] },
        'results[1].attempts[1].result',
      ],
      ['too many rows', { results: Array.from({ length: 5_001 }, () => 0) }, 'results'],
    ])('refuses %s and names the field', async (_, body, field) => {
      const { status, json } = await results(body);
      expect({ status, json }).toMatchObject({ status: 400, json: { errors: [{ field }] } });
    });
  });

  describe('finishing the contest', () => {
    it('ends entry at once, and its keys for good', async () => {
      const contest = { spaceId: SPACE, competitionId: CONTEST };
      const body = { personId: ada, attemptNumber: 1, attemptResult: 2_000 };
      expect((await attempt(body)).status).toBe(201);
      await api.commands.execute(new EndContest(contest, 'finish', CONTEXT));
      // The round is closed from the first moment on; that the key has ended too, the server hears a moment later.
      const refused = await until(
        () => attempt(body),
        ({ status }) => {
          expect([401, 422]).toContain(status);
          return status === 401;
        },
      );
      expect(refused.json).toMatchObject({ type: '/api/docs/problems/key-ended' });
      await api.commands.execute(new ReopenContest(contest, CONTEXT));
      expect((await attempt(body)).json).toMatchObject({ status: 401, type: '/api/docs/problems/key-ended' });
    });
  });
});
