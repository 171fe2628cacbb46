/** Result entry by hand over HTTP: what is entered, who is told to have entered it, undoing, and who may not. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Api, startApi } from '../../../support/api.js';
import { CONTEST } from '../../../support/api-world.js';
import type { Reply } from '../../../support/client.js';
import { type SignedInClient, signIn } from '../../../support/dashboard.js';

const ROUND = `/api/moderation/contests/${CONTEST}/rounds/333/1`;

let api: Api;
let moderator: SignedInClient;
let other: SignedInClient;
let ids: readonly [number, number, number, number];

beforeAll(async () => {
  api = await startApi();
  ids = api.world.personIds;
  moderator = await signIn(api, { role: 'moderator', contests: [CONTEST], name: 'Mo' });
  other = await signIn(api, { role: 'moderator', contests: ['Other2026'] });
});
afterAll(() => api?.close());

const enter = (personId: number, attempts: readonly number[], seen?: readonly number[]) =>
  moderator.send('PUT', `${ROUND}/results/${personId}`, { attempts, ...(seen && { seen }) });
const undo = (resultId: string, change: number) =>
  moderator.send('POST', `${ROUND}/undo`, { resultId, change });
const history = async (resultId: string) =>
  (await moderator.get(`${ROUND}/history?resultId=${encodeURIComponent(resultId)}`)).json;
const nameOf = (personId: number): string => `${CONTEST}_333_r1_${personId}`;

describe('a result by hand', () => {
  it('is entered, shown at once, and told with who did it beside what a device did', async () => {
    const [ada] = ids;
    const reply = await enter(ada, [1_500, 1_600]);
    expect(reply).toMatchObject({
      status: 200,
      json: { resultId: nameOf(ada), attempts: [1_500, 1_600, 0, 0, 0], changed: true, changes: 1 },
    });
    const { json } = await moderator.after(reply, `${ROUND}/entry`);
    expect(json).toMatchObject({ round: { results: [{ resultId: nameOf(ada), best: 1_500 }] } });
    const device = await api.enter({ personId: ada, attemptNumber: 3, attemptResult: 1_700 });
    await moderator.after(device, '/api/events');
    expect(await history(nameOf(ada))).toMatchObject([
      {
        number: 2,
        change: 'entered',
        attemptNumber: 3,
        before: [1_500, 1_600, 0, 0, 0],
        attempts: [1_500, 1_600, 1_700, 0, 0],
        by: { kind: 'device', name: 'timer' },
        last: true,
      },
      { number: 1, by: { kind: 'account', name: 'Mo', id: moderator.accountId }, last: false, before: [] },
    ]);
  });

  it('is told on the sheet with who typed which attempt, a device or a moderator', async () => {
    const [ada] = ids;
    const { json } = await moderator.get(`${ROUND}/entry`);
    expect(json).toMatchObject({
      typists: [
        {
          by: { kind: 'account', name: 'Mo', id: moderator.accountId },
          typed: [{ resultId: nameOf(ada), attemptNumbers: [1, 2] }],
        },
        { by: { kind: 'device', name: 'timer' }, typed: [{ resultId: nameOf(ada), attemptNumbers: [3] }] },
      ],
      // The space had no result before the day of the round.
      standing: { category: 'competitions', records: [], bests: [] },
    });
  });

  it('of one attempt corrects it and leaves the others', async () => {
    const [, bob] = ids;
    await enter(bob, [1_100, 1_200]);
    const reply = await moderator.send('PUT', `${ROUND}/results/${bob}/attempts/2`, { value: -1 });
    expect(reply).toMatchObject({ status: 200, json: { attempts: [1_100, -1, 0, 0, 0] } });
    const unread = await moderator.send('PUT', `${ROUND}/results/${bob}/attempts/9`, { value: 5 });
    expect(unread).toMatchObject({ status: 422, json: { errors: [{ field: 'attemptNumber' }] } });
  });

  it('is refused when it was changed since it was looked at', async () => {
    const [, , cy] = ids;
    await enter(cy, [2_000]);
    const reply = await enter(cy, [2_000, 0, 2_200], []);
    expect(reply).toMatchObject({
      status: 409,
      json: { type: '/api/docs/problems/result-changed', errors: [{ field: 'personIds' }] },
    });
    expect(await enter(cy, [2_000, 0, 2_200], [2_000])).toMatchObject({ status: 200 });
  });

  it('is removed, and undoing that brings it back', async () => {
    const [, , , dee] = ids;
    await enter(dee, [1_000, 1_100, 1_200, 1_300, 1_400]);
    expect(await moderator.send('DELETE', `${ROUND}/results/${dee}`)).toMatchObject({
      status: 200,
      json: { attempts: [0, 0, 0, 0, 0], changes: 2 },
    });
    expect(await undo(nameOf(dee), 1)).toMatchObject({
      status: 409,
      json: { type: '/api/docs/problems/result-changed' },
    });
    const back = await undo(nameOf(dee), 2);
    expect(back).toMatchObject({
      status: 200,
      json: { attempts: [1_000, 1_100, 1_200, 1_300, 1_400], average: 1_200, changed: true, changes: 3 },
    });
    // The same request again, as after a lost reply, has the effect of one.
    expect(await undo(nameOf(dee), 2)).toMatchObject({ status: 200, json: { changed: false, changes: 3 } });
    expect(await history(nameOf(dee))).toMatchObject([
      { number: 3, undoes: 2, change: 'replaced', last: true },
      { number: 2, undoes: null, change: 'removed' },
      { number: 1 },
    ]);
    expect(await undo(nameOf(dee), 9)).toMatchObject({ status: 404 });
    expect(await undo('nothing', 1)).toMatchObject({
      status: 404,
      json: { type: '/api/docs/problems/change-not-found' },
    });
  });

  it('is marked as typed twice for every user, until it changes', async () => {
    const [, , , dee] = ids;
    const check = (attempts: readonly unknown[]) =>
      moderator.send('POST', `${ROUND}/results/${dee}/check`, { attempts });
    const marked = async (reply: Reply): Promise<unknown> => {
      const admin = await signIn(api, { role: 'admin' });
      return (await admin.after(reply, `${ROUND}/entry`)).json;
    };
    await enter(dee, [1_000, 1_100]);
    expect(await check([1_000, 1_200])).toMatchObject({
      status: 409,
      json: { type: '/api/docs/problems/result-changed', errors: [{ field: 'personIds' }] },
    });
    const done = await check([1_000, 1_100]);
    expect(done.status).toBe(204);
    expect(await marked(done)).toMatchObject({
      checked: [{ resultId: nameOf(dee), attempts: [1_000, 1_100, 0, 0, 0] }],
    });
    expect(await marked(await enter(dee, [1_000, 1_100, 1_200]))).toMatchObject({ checked: [] });
    expect(await check([1, 2, 3, 4, 5, 6, 'x'])).toMatchObject({ status: 400 });
  });

  it('of a team names its members in their order', async () => {
    const path = `/api/default/moderation/contests/${CONTEST}/rounds/relay/1/results`;
    const [ada, bob] = ids;
    const reply = await moderator.send('PUT', `${path}/${bob},${ada}`, { attempts: [5_000] });
    expect(reply).toMatchObject({ status: 200, json: { personIds: [bob, ada] } });
    expect(await moderator.send('PUT', `${path}/${bob}`, { attempts: [5_000] })).toMatchObject({
      status: 422,
      json: { type: '/api/docs/problems/team-size', errors: [{ field: 'personIds' }] },
    });
  });

  it('is held to the rules of the round, and names what is wrong in its own terms', async () => {
    const [ada] = ids;
    expect(await enter(ada, [1, 2, 3, 60_001])).toMatchObject({
      status: 422,
      json: { type: '/api/docs/problems/time-limit-exceeded', errors: [{ field: 'attempts[3]' }] },
    });
    expect(await moderator.send('PUT', `${ROUND}/results/${ada}`, { attempts: ['x'] })).toMatchObject({
      status: 400,
      json: { errors: [{ field: 'attempts' }] },
    });
    expect(await moderator.send('PUT', `${ROUND}/results/x`, { attempts: [1] })).toMatchObject({
      status: 400,
    });
    expect(await moderator.send('PUT', `${ROUND}/results/987654`, { attempts: [1] })).toMatchObject({
      status: 404,
      json: { type: '/api/docs/problems/person-not-found' },
    });
    const closed = `/api/moderation/contests/${CONTEST}/rounds/333/2`;
    expect(await moderator.send('PUT', `${closed}/results/${ada}`, { attempts: [1] })).toMatchObject({
      status: 422,
      json: { type: '/api/docs/problems/round-not-open' },
    });
    expect(await moderator.get(`/api/moderation/contests/${CONTEST}/rounds/333/77/entry`)).toMatchObject({
      status: 404,
    });
  });
});

describe('competitors', () => {
  const path = `/api/moderation/contests/${CONTEST}/competitors`;

  it('get numbers that stay, and are listed with those who have only results', async () => {
    const [ada, bob, cy] = ids;
    await enter(cy, [2_000]);
    expect(await moderator.send('POST', path, { personIds: [bob, ada] })).toMatchObject({ status: 200 });
    await moderator.send('POST', path, { personIds: [ada, bob] });
    const { json } = await moderator.get(path);
    expect(json).toMatchObject([
      { number: 1, person: { id: bob, name: 'Bob' } },
      { number: 2, person: { id: ada, name: 'Ada' } },
      ...[cy, ids[3]].map((id) => ({ number: null, person: { id } })),
    ]);
    expect(await moderator.send('POST', path, { personIds: [ada, 987_654] })).toMatchObject({
      status: 404,
      json: { errors: [{ field: 'personIds[1]' }] },
    });
    expect(await moderator.send('POST', path, { personIds: [] })).toMatchObject({ status: 400 });
  });
});

describe('who may not', () => {
  const requests = (): readonly (readonly [string, string, unknown?])[] => [
    ['GET', `${ROUND}/entry`],
    ['GET', `${ROUND}/history`],
    ['PUT', `${ROUND}/results/${ids[0]}`, { attempts: [1] }],
    ['PUT', `${ROUND}/results/${ids[0]}/attempts/1`, { value: 1 }],
    ['DELETE', `${ROUND}/results/${ids[0]}`],
    ['POST', `${ROUND}/results/${ids[0]}/check`, { attempts: [1] }],
    ['POST', `${ROUND}/undo`, { resultId: nameOf(ids[0]), change: 1 }],
    ['GET', `/api/moderation/contests/${CONTEST}/competitors`],
    ['POST', `/api/moderation/contests/${CONTEST}/competitors`, { personIds: [ids[0]] }],
  ];

  it('the moderator of another contest, a client without a session, a request without the header of the pages', async () => {
    const before = await moderator.get(`${ROUND}/history`);
    for (const [method, path, body] of requests()) {
      const strange = method === 'GET' ? await other.get(path) : await other.send(method, path, body);
      expect([path, strange.status]).toEqual([path, 403]);
      const visitor = await api.client.send(path, { method, ...(body !== undefined && { body }) });
      expect([401, 403]).toContain(visitor.status);
      if (method === 'GET') continue;
      const forged = await moderator.send(method, path, body, { origin: 'https://elsewhere.example' });
      expect([path, forged.status]).toEqual([path, 403]);
    }
    expect((await moderator.get(`${ROUND}/history`)).json).toEqual(before.json);
  });

  it('but an admin of the space may', async () => {
    const admin = await signIn(api, { role: 'admin' });
    expect(await admin.get(`${ROUND}/entry`)).toMatchObject({ status: 200 });
  });
});
