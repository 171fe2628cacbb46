/** An operator who forgot to name the proxy is told so, once, whichever way the request was answered. */
import { afterEach, expect, it } from '@jest/globals';
import { Client } from '../../support/client.js';
import { startServer, type TestServer } from '../../support/server.js';
import { until } from '../../support/until.js';

let server: TestServer;
let client: Client;

const start = async (env: Readonly<Record<string, string>>): Promise<void> => {
  server = await startServer({ env });
  client = new Client(server.url);
};
afterEach(async () => {
  client.close();
  await server.stop();
  await server.remove();
});

const warnings = (): readonly unknown[] => server.log.filter(({ level }) => level === 40);

it('the first forwarded request is logged, and says what to set', async () => {
  await start({});
  await client.get('/api/events');
  const forwarded = { 'x-forwarded-for': '192.0.2.1' };
  for (const path of ['/api/events', '/api/events', '/api/nothing']) await client.get(path, forwarded);
  // Its line comes after those of the requests above.
  await client.get('/api/last');
  await until(
    async () => server.log,
    (log) => log.some(({ path }) => path === '/api/last'),
  );
  expect(warnings()).toEqual([
    expect.objectContaining({
      address: '127.0.0.1',
      header: 'x-forwarded-for',
      msg: expect.stringContaining('PODIUM_TRUST_PROXY'),
    }),
  ]);
});

it('nothing is said where a proxy is trusted', async () => {
  await start({ PODIUM_TRUST_PROXY: 'true' });
  await client.get('/api/last', { 'x-forwarded-for': '192.0.2.1' });
  await until(
    async () => server.log,
    (log) => log.some(({ path }) => path === '/api/last'),
  );
  expect(warnings()).toEqual([]);
});
