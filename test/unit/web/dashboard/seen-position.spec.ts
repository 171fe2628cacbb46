/** What the dashboard has changed through one node it finds on every other: each request says how far it has seen. */
import { afterEach, expect, it, jest } from '@jest/globals';
import { getJson, getPage, send, sendFile } from '../../../../web/src/dashboard/api.js';

afterEach(() => {
  jest.restoreAllMocks();
});

it('sends the position of the last change with every request from then on', async () => {
  const sent: (string | null)[] = [];
  jest.spyOn(globalThis, 'fetch').mockImplementation(async (_path, init) => {
    sent.push(new Headers(init?.headers).get('podium-position'));
    return Response.json({}, { headers: { 'Podium-Position': `store-${sent.length}` } });
  });
  await getJson('/api/moderation/persons');
  await send('POST', '/api/moderation/persons', { name: 'Ada' });
  await getJson('/api/moderation/persons');
  await getPage('/api/moderation/contests');
  await send('PATCH', '/api/moderation/persons/1', { name: 'Bob' });
  await sendFile('/api/moderation/import', { type: 'text/csv', bytes: new ArrayBuffer(2) });
  await getJson('/api/moderation/persons');
  expect(sent).toEqual([null, null, 'store-2', 'store-2', 'store-2', 'store-5', 'store-6']);
});
