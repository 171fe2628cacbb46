/** Records over real HTTP: who holds them, how they came down, and that a copy is retired by what beats it. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Api, startApi } from '../../support/api.js';
import { CONTEST } from '../../support/api-world.js';
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
    expect(await changed()).toEqual([true, true, false]);
    const { json } = await get('/api/records/333/single/all');
    expect(json).toMatchObject({ current: [{ persons: [{ id: dee }], result: 1_499 }] });
    // It was a typing error.
    position = await enter({ personId: dee, attemptNumber: 2, attemptResult: 14_990 });
    expect(await changed()).toEqual([false, false, false]);
  });
});
