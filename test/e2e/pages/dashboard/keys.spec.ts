/** API keys over HTTP: issued and shown once, counted, revoked, ended with their contest, and who may not. */
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { type Api, startApi } from '../../../support/api.js';
import { CONTEST } from '../../../support/api-world.js';
import { type SignedInClient, signIn } from '../../../support/dashboard.js';
import { until } from '../../../support/until.js';

const KEYS = `/api/moderation/contests/${CONTEST}/keys`;

let api: Api;
let moderator: SignedInClient;

beforeAll(async () => {
  api = await startApi();
  moderator = await signIn(api, { role: 'moderator', contests: [CONTEST, 'Past2025', 'Gone2025'] });
});
afterAll(() => api?.close());

const attempt = (key: string, attemptNumber: number, attemptResult: number) =>
  api.enter({ personId: 1, attemptNumber, attemptResult }, key);

it('a key works from its reply on, is counted, and is refused from its revoking on', async () => {
  const issued = await moderator.send('POST', KEYS, { device: 'Table 3' });
  expect(issued).toMatchObject({
    status: 201,
    json: { device: 'Table 3', purpose: 'entry', competitionId: CONTEST },
  });
  const { key, keyId } = Object(issued.json);
  const entered = await attempt(key, 1, 900);
  expect(entered.status).toBe(201);
  const logged = ({ headers }: typeof issued) =>
    api.server.log.filter(({ reqId }) => reqId === headers['x-request-id']);
  await until(
    async () => logged(issued).length,
    (lines) => lines === 1,
  );
  // Devices enter many times a second, and the event store has it all.
  expect(logged(entered)).toEqual([]);
  expect((await attempt(key, 9, 900)).status).toBe(422);
  const listed = await until(
    async () => (await moderator.get(KEYS)).text,
    (text) => text.includes('"accepted":1,"refused":1'),
  );
  expect(JSON.parse(listed)).toEqual(
    expect.arrayContaining([
      expect.objectContaining({ keyId, device: 'Table 3', state: 'active', reason: null, endedAt: null }),
    ]),
  );
  expect(listed).not.toContain(key);
  expect((await moderator.send('DELETE', `${KEYS}/${keyId}`)).status).toBe(204);
  expect(await attempt(key, 1, 901)).toMatchObject({
    status: 401,
    json: { type: '/api/docs/problems/key-revoked' },
  });
  expect((await moderator.get(KEYS)).json).toEqual(
    expect.arrayContaining([
      expect.objectContaining({ keyId, state: 'revoked', reason: 'revoked', endedAt: expect.any(String) }),
    ]),
  );
  expect((await moderator.send('DELETE', `${KEYS}/${keyId}`)).status).toBe(204);
});

it('keys that ended with their contest say why', async () => {
  const reasonOf = async (contest: string): Promise<unknown> =>
    (await moderator.get(`/api/default/moderation/contests/${contest}/keys`)).json;
  expect(await reasonOf('Past2025')).toMatchObject([{ state: 'ended', reason: 'finished' }]);
  expect(await reasonOf('Gone2025')).toMatchObject([{ state: 'ended', reason: 'deleted' }]);
});

it('a finished contest gets no key, a device without a name neither', async () => {
  expect(
    await moderator.send('POST', '/api/moderation/contests/Past2025/keys', { device: 'x' }),
  ).toMatchObject({ status: 422, json: { type: '/api/docs/problems/contest-state' } });
  const wrong = await moderator.send('POST', KEYS, { device: 'Table 5', purpose: 'all' });
  expect(wrong).toMatchObject({ status: 400, json: { errors: [{ field: 'purpose' }] } });
  for (const body of [{}, { device: ' ' }, { device: 7 }, { device: 'x'.repeat(101) }]) {
    expect(await moderator.send('POST', KEYS, body)).toMatchObject({
      status: 400,
      json: { errors: [{ field: 'device' }] },
    });
  }
});

it('a key is out of reach of those who run another contest', async () => {
  const other = await signIn(api, { role: 'moderator', contests: ['Other2026'] });
  const issued = await moderator.send('POST', KEYS, { device: 'Table 4' });
  const { key, keyId } = Object(issued.json);
  expect((await other.get(KEYS)).status).toBe(403);
  expect((await other.send('POST', KEYS, { device: 'x' })).status).toBe(403);
  expect((await other.send('DELETE', `${KEYS}/${keyId}`)).status).toBe(403);
  // Nor under the name of a contest that is theirs.
  const theirs = `/api/moderation/contests/Other2026/keys/${keyId}`;
  expect(await other.send('DELETE', theirs)).toMatchObject({
    status: 404,
    json: { type: '/api/docs/problems/key-not-found' },
  });
  expect((await other.send('DELETE', '/api/moderation/contests/Other2026/keys/a%2Fb')).status).toBe(404);
  expect((await api.client.get(KEYS)).status).toBe(401);
  expect((await attempt(key, 1, 902)).status).toBe(201);
});
