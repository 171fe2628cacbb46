/** Every public read over real HTTP: what it answers, what it refuses, and how copies of it are kept up to date. */
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Api, startApi } from '../../support/api.js';
import { CONTEST } from '../../support/api-world.js';
import { STORE_PAIRS } from '../../support/store-pairs.js';

let api: Api;
let ada: number;
let bob: number;

const enter = async (personId: number, attemptNumber: number, attemptResult: number): Promise<string> => {
  const { status, headers } = await api.enter({ personId, attemptNumber, attemptResult });
  expect(status).toBe(201);
  return String(headers['podium-position']);
};

describe.each(STORE_PAIRS)('reads on $name', ({ open }) => {
  beforeAll(async () => {
    api = await startApi({}, open);
    [ada, bob] = api.world.personIds;
    const values = [1_500, 1_600, 1_700, 1_800, 1_900];
    for (const [index, value] of values.entries()) await enter(ada, index + 1, value);
    await enter(bob, 1, 1_600);
    const last = await enter(bob, 2, -1);
    expect((await api.client.after(last, '/api/events')).status).toBe(200);
  });
  afterAll(() => api.close());

  const get = (path: string, headers: Readonly<Record<string, string>> = {}) => api.client.get(path, headers);

  describe('every read path', () => {
    it.each([
      '/events',
      '/competitions',
      '/competitions?eventId=fm&region=ie',
      `/competitions/${CONTEST}`,
      `/competitions/${CONTEST}/schedule`,
      `/competitions/${CONTEST}/screens/1`,
      `/competitions/${CONTEST}/rounds/333/1/outlook`,
      '/results/rankings/333/single/all',
      '/results/rankings/333/average/competitions?show=results&region=XE&topN=1',
      '/records/recent?category=competitions&region=XE&since=2020-01-01',
    ])('%s answers the same with and without the space', async (path) => {
      const [plain, spaced] = [await get(`/api${path}`), await get(`/api/default${path}`)];
      expect([plain.status, spaced.status]).toEqual([200, 200]);
      expect(plain.headers['content-type']).toBe('application/json; charset=utf-8');
      expect(spaced.text).toBe(plain.text);
    });

    it('lists events in display order', async () => {
      const { json } = await get('/api/events');
      expect(json).toMatchObject([
        { eventId: '333' },
        { eventId: 'fm' },
        { eventId: 'multi' },
        { eventId: 'relay' },
      ]);
      expect((await get('/api/club/events')).json).toHaveLength(1);
    });

    it('lists contests newest first, without drafts and deleted ones', async () => {
      const { json, headers } = await get('/api/competitions');
      expect(json).toMatchObject([
        { competitionId: 'Other2026', state: 'ongoing' },
        {
          competitionId: CONTEST,
          state: 'ongoing',
          participants: 2,
          eventIds: ['333', 'fm', 'multi', 'relay'],
        },
        { competitionId: 'Past2025', state: 'finished' },
      ]);
      expect(headers['x-total-count']).toBe('3');
      expect((await get('/api/competitions?eventId=relay')).json).toMatchObject([{ competitionId: CONTEST }]);
      expect((await get('/api/competitions?region=de')).json).toEqual([]);
      expect((await get('/api/competitions?region=xe')).json).toHaveLength(3);
    });

    it('pages through contests by its links', async () => {
      const seen: unknown[] = [];
      let path: string | undefined = '/api/competitions?limit=2';
      while (path !== undefined) {
        const { json, headers } = await get(path);
        expect(headers['x-total-count']).toBe('3');
        seen.push(json);
        path = /<([^>]+)>; rel="next"/.exec(String(headers.link))?.[1];
      }
      expect(seen).toMatchObject([[{}, { competitionId: CONTEST }], [{ competitionId: 'Past2025' }]]);
    });

    it('shows a contest with its rounds and results', async () => {
      const { json } = await get(`/api/competitions/${CONTEST}`);
      expect(json).toMatchObject({
        competitionId: CONTEST,
        events: [
          {
            eventId: '333',
            rounds: [
              {
                roundNumber: 1,
                open: true,
                results: [
                  {
                    place: 1,
                    best: 1_500,
                    average: 1_700,
                    persons: [{ id: ada, name: 'Ada', assocId: '2016ADAA01' }],
                  },
                  {
                    place: 2,
                    best: 1_600,
                    average: 0,
                    attempts: [{ result: 1_600 }, { result: -1 }, {}, {}, {}],
                  },
                ],
              },
              { roundNumber: 2, open: false },
              { roundNumber: 3 },
            ],
          },
          { eventId: 'fm' },
          { eventId: 'multi' },
          { eventId: 'relay' },
        ],
      });
    });

    it('ranks persons and results', async () => {
      const persons = await get('/api/results/rankings/333/single/all');
      expect(persons.json).toMatchObject([
        { ranking: 1, personId: ada, result: 1_500, rankingId: `${CONTEST}_333_r1_${ada}_p${ada}` },
        { ranking: 2, personId: bob, result: 1_600 },
      ]);
      const results = await get('/api/results/rankings/333/single/all?show=results');
      expect(results.json).toMatchObject([1, 2, 2, 4, 5, 6].map((ranking) => ({ ranking })));
      expect((await get('/api/results/rankings/333/single/all?region=ie')).json).toMatchObject([
        { personId: ada },
      ]);
      expect((await get('/api/results/rankings/333/single/all?topN=1')).json).toHaveLength(1);
      expect((await get('/api/results/rankings/333/single/online')).json).toEqual([]);
    });
  });

  describe('a read refuses', () => {
    it.each([
      ['/api/nowhere/events', 'space-not-found'],
      ['/api/No_Slug/competitions', 'space-not-found'],
      ['/api/competitions/Nope', 'contest-not-found'],
      ['/api/competitions/Draft2026', 'contest-not-found'],
      ['/api/competitions/Gone2025', 'contest-not-found'],
      ['/api/competitions?eventId=nope', 'event-not-found'],
      ['/api/results/rankings/nope/single/all', 'event-not-found'],
      ['/api/nowhere/results/rankings/333/single/all', 'space-not-found'],
      ['/api/nowhere/records/recent', 'space-not-found'],
      ['/api/nowhere/records/recent.atom', 'space-not-found'],
      [`/api/competitions/${'x'.repeat(900)}`, 'contest-not-found'],
      [`/api/competitions/${'%20'.repeat(50)}`, 'contest-not-found'],
    ])('%s: 404 %s', async (path, code) => {
      const { status, json } = await get(path);
      expect({ status, json }).toMatchObject({ status: 404, json: { type: `/api/docs/problems/${code}` } });
    });

    it.each([
      ['/api/results/rankings/333/best/all', 'type', 'single, average, all-avg-formats'],
      ['/api/results/rankings/333/single/some', 'category', 'competitions, meetups, online, all'],
      ['/api/results/rankings/333/single/all?show=teams', 'show', 'persons, results'],
      ['/api/results/rankings/333/single/all?show=persons&show=results', 'show', 'persons, results'],
      ['/api/results/rankings/333/single/all?topN=0', 'topN', 'from 1 to 100000'],
      ['/api/results/rankings/333/single/all?topN=100001', 'topN', 'from 1 to 100000'],
      ['/api/results/rankings/333/single/all?topN=1.5', 'topN', 'from 1 to 100000'],
      ['/api/results/rankings/333/single/all?topN=', 'topN', 'from 1 to 100000'],
      ['/api/results/rankings/333/single/all?region=ZZ', 'region', 'XF, XA, XE, XO, XN, XS'],
      ['/api/results/rankings/333/single/all?region=', 'region', 'ISO 3166-1'],
      ['/api/competitions?region=Ireland', 'region', 'ISO 3166-1'],
      ['/api/competitions?limit=0', 'limit', 'from 1 to'],
      ['/api/records/recent?category=some', 'category', 'competitions, meetups, online, all'],
      ['/api/records/recent?region=ZZ', 'region', 'XF, XA, XE, XO, XN, XS'],
      ['/api/records/recent?since=yesterday', 'since', '2026-04-11T09:30:00Z'],
      ['/api/records/recent?since=2026-02-30', 'since', '2026-04-11'],
      ['/api/records/recent?since=2026-04-11T09:30', 'since', '2026-04-11'],
      ['/api/records/recent?limit=101', 'limit', 'from 1 to 100'],
      ['/api/records/recent?after=333', 'after', 'Link'],
      ['/api/records/recent.atom?category=some', 'category', 'competitions, meetups, online, all'],
    ])('%s: 400 that lists what is allowed', async (path, field, allowed) => {
      const { status, json } = await get(path);
      expect({ status, json }).toMatchObject({
        status: 400,
        json: {
          type: '/api/docs/problems/invalid-request',
          errors: [{ field, message: expect.stringContaining(allowed) }],
        },
      });
    });

    it('all bad fields at once', async () => {
      const { json } = await get('/api/results/rankings/333/best/some?topN=x');
      expect(json).toMatchObject({ errors: [{ field: 'type' }, { field: 'category' }, { field: 'topN' }] });
    });
  });

  describe('copies of a reply', () => {
    const paths = [
      '/api/events',
      '/api/competitions',
      `/api/competitions/${CONTEST}`,
      '/api/results/rankings/333/single/all?show=results',
      '/api/records/recent',
      '/api/records/recent.atom',
    ];

    it.each(paths)('%s: 304 while nothing has changed, the long way and from ready bytes', async (path) => {
      const { headers } = await get(path);
      const etag = String(headers.etag);
      expect(etag).toMatch(/^"[^"]+"$/);
      expect(headers['cache-control']).toBe('public, no-cache');
      for (const known of [etag, `"other", ${etag}`, '*', `W/${etag}`]) {
        const again = await get(path, { 'if-none-match': known });
        expect(again).toMatchObject({ status: 304, text: '' });
        expect(again.headers.etag).toBe(etag);
      }
      expect((await get(path, { 'if-none-match': '"other"' })).status).toBe(200);
    });

    it.each(paths)('%s: compressed where it is asked for, each coding under its own ETag', async (path) => {
      const plain = await get(path);
      const coded = [
        { accept: 'gzip', decode: gunzipSync },
        { accept: 'gzip;q=0.5, br', decode: brotliDecompressSync },
      ];
      for (const { accept, decode } of coded) {
        for (const way of ['long', 'ready']) {
          const { headers, body } = await get(path, { 'accept-encoding': accept });
          expect(headers.vary).toContain('Accept-Encoding');
          const coding = headers['content-encoding'];
          expect({ way, text: (coding ? decode(body) : body).toString() }).toEqual({ way, text: plain.text });
          expect(headers.etag === plain.headers.etag).toBe(coding === undefined);
        }
      }
      expect(
        (await get(path, { 'accept-encoding': 'gzip;q=0, identity' })).headers['content-encoding'],
      ).toBeUndefined();
    });

    it.each(paths)('%s: HEAD has the headers of GET and no body', async (path) => {
      const [whole, head] = [await get(path), await api.client.send(path, { method: 'HEAD' })];
      expect(head).toMatchObject({ status: 200, text: '' });
      for (const name of ['etag', 'content-type', 'content-length', 'cache-control']) {
        expect(head.headers[name]).toBe(whole.headers[name]);
      }
    });

    it.each(paths)('%s: readable from any page, with the headers that a page needs', async (path) => {
      const { headers } = await get(path, { origin: 'https://elsewhere.example' });
      expect(headers['access-control-allow-origin']).toBe('*');
      for (const name of ['ETag', 'Podium-Position', 'Podium-Stale', 'X-Total-Count', 'Link']) {
        expect(headers['access-control-expose-headers']).toContain(name);
      }
      const preflight = await api.client.send(path, {
        method: 'OPTIONS',
        headers: { origin: 'https://elsewhere.example', 'access-control-request-method': 'GET' },
      });
      expect(preflight.status).toBe(204);
      expect(preflight.headers['access-control-allow-headers']).toContain('Podium-Position');
    });

    it('entry is not for pages', async () => {
      const preflight = await api.client.send('/api/enter-attempt', { method: 'OPTIONS' });
      expect(preflight.headers['access-control-allow-origin']).toBeUndefined();
      const { headers } = await api.client.post(
        '/api/enter-attempt',
        {},
        { origin: 'https://elsewhere.example' },
      );
      expect(headers['access-control-allow-origin']).toBeUndefined();
    });
  });

  describe('Podium-Position', () => {
    it('makes a read wait until it shows the entry, past ready bytes', async () => {
      const path = '/api/results/rankings/333/single/all';
      for (let round = 0; round < 20; round += 1) {
        await get(path);
        const value = 1_400 - round;
        const position = await enter(bob, 3, value);
        const { json } = await api.client.after(position, path);
        expect(json).toMatchObject([{ personId: bob, result: value }, { personId: ada }]);
      }
    });

    it('answers with what there is, and says so, when the position does not come', async () => {
      const far = api.token.replace(/-.*/, '-zzzzz');
      const { status, headers } = await get('/api/events', { 'podium-position': far });
      expect({ status, stale: headers['podium-stale'] }).toEqual({ status: 200, stale: 'true' });
    });

    it('of another store is never reached: told at once', async () => {
      const { status, headers } = await get('/api/events', { 'podium-position': '00000000-5' });
      expect({ status, stale: headers['podium-stale'] }).toEqual({ status: 200, stale: 'true' });
    });

    it.each(['', 'x', '5', `${'0'.repeat(8)}-`, '00000000-zzzzzzzzzzz', '00000000-5, 00000000-6'])(
      'malformed (%j): 400',
      async (position) => {
        const { status, json } = await get('/api/events', { 'podium-position': position });
        expect({ status, json }).toMatchObject({
          status: 400,
          json: { errors: [{ field: 'Podium-Position' }] },
        });
      },
    );
  });
});
