/** Who gets the metrics: private clients, those with the token, or those that reach the port of their own. */

import { rm } from 'node:fs/promises';
import { afterEach, describe, expect, it } from '@jest/globals';
import { podiumOn } from '../../support/cli.js';
import { Client, type Reply, refusalOf } from '../../support/client.js';
import { newDataDir, startServer, type TestServer } from '../../support/server.js';

const TOKEN = 'a-token-of-the-metrics-1';

let server: TestServer;
let client: Client;

const start = async (env: Readonly<Record<string, string>>): Promise<void> => {
  server = await startServer({ env });
  client = new Client(server.url);
};
const end = async (): Promise<void> => {
  client.close();
  await server.stop();
  await server.remove();
};
const isMetrics = ({ status, text, headers }: Reply): boolean =>
  status === 200 &&
  text.includes('podium_read_models_lag') &&
  headers['content-type'] === 'text/plain; version=0.0.4; charset=utf-8';

describe('without a setting', () => {
  afterEach(end);

  it.each(['false', 'true', '127.0.0.1'])(
    'they are for private clients, also when PODIUM_TRUST_PROXY is %s',
    async (PODIUM_TRUST_PROXY) => {
      await start({ PODIUM_TRUST_PROXY });
      const from = (headers: Readonly<Record<string, string>>): Promise<Reply> =>
        client.get('/metrics', headers);
      for (const way of ['10.0.0.7', '192.168.1.2, 172.16.0.9', 'fd00::1', '::1'])
        expect(isMetrics(await from({ 'x-forwarded-for': way }))).toBe(true);
      expect(isMetrics(await from({}))).toBe(true);
      for (const way of ['203.0.113.9', '203.0.113.9, 10.0.0.7', '10.0.0.7, 2001:db8::1', 'unknown', ''])
        expect(refusalOf(await from({ 'x-forwarded-for': way }))).toBe('403 metrics-private');
      expect(refusalOf(await from({ forwarded: 'for=10.0.0.7' }))).toBe('403 metrics-private');
      // A page of another site would read them through the browser of a user in the network.
      expect((await from({})).headers).not.toHaveProperty('access-control-allow-origin');
    },
  );
});

describe('with a token', () => {
  afterEach(end);

  it('they are for those who send it, from anywhere', async () => {
    await start({ PODIUM_METRICS_TOKEN: TOKEN });
    const authorization = `Bearer ${TOKEN}`;
    expect(isMetrics(await client.get('/metrics', { authorization, 'x-forwarded-for': '203.0.113.9' }))).toBe(
      true,
    );
    for (const wrong of ['', TOKEN, `Bearer ${TOKEN}x`, `Bearer ${TOKEN.slice(1)}`])
      expect(refusalOf(await client.get('/metrics', { authorization: wrong }))).toBe('401 metrics-token');
    expect(JSON.stringify(server.log)).not.toContain(TOKEN);
  });
});

describe('with a port of their own', () => {
  afterEach(end);

  const ownPort = (): Client => {
    const line = server.log.find(({ msg }) => msg === 'metrics are served');
    return new Client(`http://127.0.0.1:${String(line?.port)}`);
  };

  it('the port of the server has none', async () => {
    await start({ PODIUM_METRICS_PORT: '0', PODIUM_METRICS_TOKEN: TOKEN });
    const own = ownPort();
    const authorization = `Bearer ${TOKEN}`;
    expect(refusalOf(await client.get('/metrics', { authorization }))).toBe('404 path-not-found');
    expect(isMetrics(await own.get('/metrics', { authorization }))).toBe(true);
    expect(refusalOf(await own.get('/metrics'))).toBe('401 metrics-token');
    for (const path of ['/', '/api/events', '/metrics/x'])
      expect(refusalOf(await own.get(path, { authorization }))).toBe('404 path-not-found');
    expect(refusalOf(await own.send('/metrics', { method: 'POST' }))).toBe('404 path-not-found');
    own.close();
  });
});

describe('a start is refused with', () => {
  it.each([
    ['a port that is none', { PODIUM_METRICS_PORT: '70000' }, /^PODIUM_METRICS_PORT is 70000/],
    ['a short token, which it does not repeat', { PODIUM_METRICS_TOKEN: 'short' }, /^(?!.*short).*16 to 256/],
  ])('%s', async (_, env, reason) => {
    const dataDir = await newDataDir();
    const run = await podiumOn(dataDir, { PORT: '0', ...env })('serve');
    await rm(dataDir, { recursive: true });
    expect(run.status).toBe(78);
    expect(run.stderr).toMatch(reason);
  });
});
