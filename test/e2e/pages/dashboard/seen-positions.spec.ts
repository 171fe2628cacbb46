/**
 * A user who has changed something through one node finds it on every other: each request of the dashboard waits for the
 * position that it is sent with, or says that its answer may be older.
 */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { decodePosition, encodePosition } from '../../../../src/foundation/event-store/position-token.js';
import { type Api, startApi } from '../../../support/api.js';
import { CONTEST } from '../../../support/api-world.js';
import { type SignedInClient, signIn } from '../../../support/dashboard.js';

let api: Api;
let admin: SignedInClient;

beforeAll(async () => {
  api = await startApi();
  admin = await signIn(api, { role: 'admin', readsLogs: true });
});
afterAll(() => api?.close());

/** Of a store that this server has never seen: it can be waited for in vain only, which is told at once. */
const OTHER_STORE = { 'podium-position': encodePosition('ffffffff-0000', 1) };
const MODERATION = '/api/moderation';

describe.each([
  ['GET', `${MODERATION}/contests`],
  ['GET', `${MODERATION}/contests/${CONTEST}`],
  ['GET', `${MODERATION}/contests/${CONTEST}/ending`],
  ['GET', `${MODERATION}/contests/${CONTEST}/competitors`],
  ['GET', `${MODERATION}/contests/${CONTEST}/competitors/list`],
  ['GET', `${MODERATION}/contests/${CONTEST}/competitors/export`],
  ['GET', `${MODERATION}/contests/${CONTEST}/keys`],
  ['GET', `${MODERATION}/contests/${CONTEST}/schedule`],
  ['GET', `${MODERATION}/contests/${CONTEST}/schedule/groups/333-r1`],
  ['GET', `${MODERATION}/contests/${CONTEST}/screens`],
  ['GET', `${MODERATION}/contests/${CONTEST}/export`],
  ['GET', `${MODERATION}/contests/${CONTEST}/rounds/333/1/entry`],
  ['GET', `${MODERATION}/contests/${CONTEST}/rounds/333/1/history`],
  ['GET', `${MODERATION}/persons`],
  ['GET', `${MODERATION}/persons/1`],
  ['GET', `${MODERATION}/persons/1/merge?into=2`],
  ['GET', `${MODERATION}/users`],
  ['GET', '/api/endpoints'],
  ['GET', '/api/moderation/logs/tokens'],
  ['PATCH', `${MODERATION}/persons/1`],
  ['PATCH', `${MODERATION}/contests/${CONTEST}`],
  ['POST', `${MODERATION}/contests/${CONTEST}/rounds/333/1/open`],
])('%s %s', (method, path) => {
  const ask = (headers: Readonly<Record<string, string>>) =>
    method === 'GET' ? admin.get(path, headers) : admin.send(method, path, {}, headers);

  it('heeds the position that it is sent with', async () => {
    const seen = await ask(OTHER_STORE);
    expect([seen.status, seen.headers['podium-stale']]).toEqual([200, 'true']);
    const now = await ask({ 'podium-position': String(seen.headers['podium-position']) });
    expect([now.status, now.headers['podium-stale']]).toEqual([200, undefined]);
    const bad = await ask({ 'podium-position': 'yesterday' });
    expect([bad.status, bad.text]).toEqual([400, expect.stringContaining('Podium-Position')]);
  });
});

it('names no older position than the caller has seen for a change that was made long before', async () => {
  const unchanged = () => admin.send('PATCH', `${MODERATION}/contests/${CONTEST}`, { city: 'Dublin' });
  await unchanged();
  const person = await admin.send('POST', `${MODERATION}/persons`, { name: 'Eve' });
  expect(person.status).toBe(201);
  const positionOf = ({ headers }: typeof person) =>
    decodePosition(api.storeId, String(headers['podium-position']));
  const again = await unchanged();
  expect(again.status).toBe(200);
  expect(positionOf(again)).toBeGreaterThanOrEqual(Number(positionOf(person)));
});
