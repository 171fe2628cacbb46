/** Saved queries of the log explorer over real HTTP: one list for all accounts that read the logs, and for no others. */
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { type Api, startApi } from '../../support/api.js';
import { type SignedInClient, signIn } from '../../support/dashboard.js';

const PATH = '/api/moderation/logs/saved-queries';
const ADDRESS = 'endpoint=logs.all&lql=m.response.status_code%3A%3E%3D500&last=24h';

let api: Api;
let reader: SignedInClient;
let colleague: SignedInClient;

beforeAll(async () => {
  api = await startApi();
  reader = await signIn(api, { role: 'moderator', readsLogs: true });
  colleague = await signIn(api, { role: 'admin', readsLogs: true });
});
afterAll(() => api?.close());

it('are shared, sorted, replaced and removed', async () => {
  await reader.send('PUT', `${PATH}/slow`, { address: 'endpoint=logs.all&lql=slow' });
  const failed = await reader.send('PUT', `${PATH}/failed`, { address: ADDRESS });
  expect(failed.status).toBe(204);
  expect((await colleague.after(failed, PATH)).json).toEqual([
    { name: 'failed', address: ADDRESS },
    { name: 'slow', address: 'endpoint=logs.all&lql=slow' },
  ]);
  const replaced = await colleague.send('PUT', `${PATH}/slow`, { address: ADDRESS });
  expect((await reader.after(replaced, PATH)).json).toMatchObject([{ name: 'failed' }, { address: ADDRESS }]);
  const removed = await colleague.send('DELETE', `${PATH}/failed`);
  expect(removed.status).toBe(204);
  expect((await reader.after(removed, PATH)).json).toEqual([{ name: 'slow', address: ADDRESS }]);
  expect((await colleague.send('DELETE', `${PATH}/failed`)).status).toBe(204);
});

it('are for accounts with the right to the logs', async () => {
  const other = await signIn(api, { role: 'admin' });
  expect((await api.client.get(PATH)).status).toBe(401);
  expect((await other.get(PATH)).status).toBe(403);
  expect((await other.send('PUT', `${PATH}/mine`, { address: ADDRESS })).status).toBe(403);
  expect((await other.send('DELETE', `${PATH}/slow`)).status).toBe(403);
  expect((await reader.get(PATH)).text).not.toContain('mine');
});

it.each<[string, unknown, string]>([
  ['a%20b', { address: ADDRESS }, 'name'],
  ['-a', { address: ADDRESS }, 'name'],
  ['a', {}, 'address'],
  ['a', { address: 5 }, 'address'],
  ['a', { address: 'https://example.org' }, 'address'],
  ['a', { address: ADDRESS, more: 1 }, 'more'],
])('refuses %j with %j for its %s, and saves nothing', async (name, body, field) => {
  const { status, json } = await reader.send('PUT', `${PATH}/${name}`, body);
  expect({ status, json }).toMatchObject({ status: 400, json: { errors: [{ field }] } });
  expect((await reader.get(PATH)).json).toHaveLength(1);
});
