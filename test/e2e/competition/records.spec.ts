/** Records over real HTTP: who holds them, how they came down, and that a copy is retired by what beats it. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Api, startApi } from '../../support/api.js';
import { CONTEST } from '../../support/api-world.js';
import { readAtom } from '../../support/atom.js';
import type { SentAttempt } from '../../support/attempts.js';
import { STORE_PAIRS } from '../../support/store-pairs.js';

let api: Api;

const enter = async (attempt: SentAttempt): Promise<string> => {
  const { good, other } = api.world.keys;
  const { status, headers } = await api.enter(attempt, attempt.competitionId === undefined ? good : other);
  expect(status).toBe(201);
  return String(headers['podium-position']);
};

describe.each(STORE_PAIRS)('records on $name', ({ open }) => {
  let position: string;

  const get = (path: string, headers: Readonly<Record<string, string>> = {}) =>
    api.client.after(position, path, headers);

  beforeAll(async () => {
    api = await startApi({}, open);
    const [ada, bob] = api.world.personIds;
    for (const [index, value] of [1_500, 1_600, 1_700, 1_800, 1_900].entries()) {
      await enter({ personId: ada, attemptNumber: index + 1, attemptResult: value });
    }
    await enter({ personId: bob, attemptNumber: 1, attemptResult: 1_600 });
    // A month later.
    position = await enter({
      personId: bob,
      attemptNumber: 1,
      attemptResult: 1_500,
      competitionId: 'Other2026',
    });
  });
  afterAll(() => api.close());

  it('have a history, with who set them where and how long they stood', async () => {
    const [ada, bob] = api.world.personIds;
    const { json } = await get('/api/records/333/single/all');
    const first = {
      resultId: `${CONTEST}_333_r1_${ada}`,
      persons: [{ id: ada, name: 'Ada' }],
      result: 1_500,
      attempts: [1_500, 1_600, 1_700, 1_800, 1_900].map((result) => ({ result })),
      date: '2026-05-01',
      contest: { competitionId: CONTEST, type: 'competition', regionCode: 'IE' },
      roundNumber: 1,
      regionCode: 'IE',
      tie: false,
      until: null,
    };
    const second = { persons: [{ id: bob }], result: 1_500, date: '2026-06-01', regionCode: 'DE', tie: true };
    expect(json).toMatchObject({ eventId: '333', type: 'single', category: 'all', region: null });
    expect(json).toMatchObject({ current: [first, second], history: [first, second] });
  });

  it('are those of the region that is asked for', async () => {
    const { json } = await get('/api/records/333/single/competitions?region=de');
    expect(json).toMatchObject({
      region: 'DE',
      history: [
        { result: 1_600, date: '2026-05-01', until: '2026-06-01' },
        { result: 1_500, date: '2026-06-01', tie: false, until: null },
      ],
    });
    expect((await get('/api/records/333/single/meetups')).json).toMatchObject({ history: [] });
  });

  it('are listed for all events in display order', async () => {
    const { json } = await get('/api/records/all?region=XE');
    expect(json).toMatchObject([
      { eventId: '333', single: [{ result: 1_500 }, { result: 1_500 }], average: [{ result: 1_700 }] },
      { eventId: 'fm', single: [], average: [] },
      { eventId: 'multi' },
      { eventId: 'relay' },
    ]);
  });

  it.each(['/records/all', '/records/competitions', '/records/333/average/competitions?region=IE'])(
    '%s answers the same with and without the space',
    async (path) => {
      const [plain, spaced] = [await get(`/api${path}`), await get(`/api/default${path}`)];
      expect([plain.status, spaced.status]).toEqual([200, 200]);
      expect(spaced.text).toBe(plain.text);
    },
  );

  it.each([
    ['/api/records/333/fastest/all', 400],
    ['/api/records/333/all-avg-formats/all', 400],
    ['/api/records/everything', 400],
    ['/api/records/all?region=atlantis', 400],
    ['/api/records/nope/single/all', 404],
    ['/api/nospace/records/all', 404],
    ['/api/nospace/records/333/single/all', 404],
  ])('%s is a %i', async (path, status) => {
    expect((await get(path)).status).toBe(status);
  });

  describe('that are new', () => {
    const newest = async () => {
      const { json, headers } = await get('/api/records/recent?limit=2');
      return { json, next: /<([^>]+)>; rel="next"/.exec(String(headers.link))?.[1] };
    };

    it('are listed with what they took the place of, in pages', async () => {
      const [ada, bob] = api.world.personIds;
      const { json, next } = await newest();
      expect(json).toMatchObject([
        {
          recordId: `333/single/Other2026_333_r1_${bob}`,
          tag: 'WR',
          label: 'WR',
          region: null,
          category: 'competitions',
          eventId: '333',
          type: 'single',
          result: 1_500,
          tie: true,
          previous: [{ result: 1_500, persons: [{ id: ada }], date: '2026-05-01' }],
        },
        { recordId: `333/average/${CONTEST}_333_r1_${ada}`, tag: 'WR', result: 1_700, previous: [] },
      ]);
      const rest = await get(String(next));
      expect(rest.json).toMatchObject([
        { recordId: `333/single/${CONTEST}_333_r1_${ada}`, tag: 'WR' },
        { recordId: `333/single/${CONTEST}_333_r1_${bob}`, tag: 'NR', region: 'DE' },
      ]);
      expect(rest.headers.link).toBeUndefined();
    });

    it('are those of a region, a category, and since a time', async () => {
      const [, bob] = api.world.personIds;
      const own = await get('/api/records/recent?region=de');
      expect(own.json).toMatchObject([{ persons: [{ id: bob }] }, { persons: [{ id: bob }] }]);
      expect((await get('/api/records/recent?category=meetups')).json).toEqual([]);
      expect((await get('/api/records/recent?since=2000-01-01T00:00:00%2B02:00')).json).toHaveLength(4);
      expect((await get('/api/records/recent?since=2999-01-01')).json).toEqual([]);
    });

    it('are a feed, which tells what is no record any more', async () => {
      const [, , , dee] = api.world.personIds;
      const read = async () => readAtom((await get('/api/records/recent.atom')).text);
      const before = await read();
      expect(before.entries.map(({ tags }) => tags)).toEqual([['WR'], ['WR'], ['WR'], ['NR']]);
      const other = { personId: dee, attemptNumber: 1, competitionId: 'Other2026' };
      position = await enter({ ...other, attemptResult: 150 });
      const { id } = (await read()).entries.find(({ title }) => title.includes('1.50')) ?? {};
      position = await enter({ ...other, attemptResult: 15_000 });
      const after = await read();
      expect(after.entries.find((entry) => entry.id === id)?.content).toContain('corrected to 2:30.00');
      expect(after.updated > before.updated).toBe(true);
      expect((await get('/api/records/recent')).json).toHaveLength(4);
      position = await enter({ ...other, attemptResult: 0 });
    });
  });

  it('are a 304 until they are beaten, in the regions where they are', async () => {
    const dee = api.world.personIds[3];
    const paths = ['/api/records/333/single/all', '/api/records/all', '/api/records/all?region=DE'];
    const etags: string[] = [];
    for (const path of paths) etags.push(String((await get(path)).headers.etag));
    const changed = async (): Promise<readonly boolean[]> => {
      const found: boolean[] = [];
      for (const [index, path] of paths.entries()) {
        const { status } = await get(path, { 'if-none-match': etags[index] ?? '' });
        found.push(status === 200);
      }
      return found;
    };
    position = await enter({ personId: dee, attemptNumber: 1, attemptResult: 1_501 });
    expect(await changed()).toEqual([false, false, false]);
    position = await enter({ personId: dee, attemptNumber: 2, attemptResult: 1_499 });
    // The record of Germany stands, but it was no world record by then.
    expect(await changed()).toEqual([true, true, true]);
    const { json } = await get('/api/records/333/single/all');
    expect(json).toMatchObject({ current: [{ persons: [{ id: dee }], result: 1_499 }] });
    // It was a typing error.
    position = await enter({ personId: dee, attemptNumber: 2, attemptResult: 14_990 });
    expect(await changed()).toEqual([false, false, false]);
  });
});
