/** Daily quotas over real HTTP, in each protocol, and across a restart. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { issueTokens, type LogApi, sendLogs } from '../../support/log-api.js';
import { jsonPush } from '../../support/loki-pushes.js';
import { encodedExport, logsExport } from '../../support/otlp-exports.js';
import { newDataDir, startServer, type TestServer } from '../../support/server.js';

const env = { PODIUM_LOG_QUOTA: 'edge_logs=3,otel_logs=1,vip/edge_logs=none' };

let dataDir: string;
let tokens: LogApi['tokens'];
let server: TestServer;

beforeAll(async () => {
  dataDir = await newDataDir();
  tokens = await issueTokens(dataDir);
  server = await startServer({ dataDir, env });
});
afterAll(async () => {
  await server?.stop();
  await server?.remove();
});

const send = (project: string, count: number, more: object = {}) =>
  sendLogs(
    server.url,
    Array.from({ length: count }, () => ({ event_message: 'a', project, ...more })),
    { token: tokens.ingest },
  );

describe('a project', () => {
  it('over its quota waits until midnight, and others do not', async () => {
    const [one, two] = [randomUUID(), randomUUID()];
    const id = randomUUID();
    expect((await send(one, 1, { id })).status).toBe(201);
    expect((await send(one, 1, { id })).json).toEqual({ accepted: 0, duplicates: 1 });
    expect((await send(one, 2)).status).toBe(201);
    const refused = await send(one, 1);
    expect([refused.status, refused.json]).toMatchObject([
      429,
      { type: '/api/docs/problems/log-quota', error: expect.stringContaining('may write 3 entries a day') },
    ]);
    expect((await fetch(`${server.url}/api/docs/problems/log-quota`)).status).toBe(200);
    const untilMidnight = 86_400 - (Math.floor(Date.now() / 1_000) % 86_400);
    const retryAfter = Number(refused.headers.get('retry-after'));
    expect(Math.abs(retryAfter - untilMidnight)).toBeLessThanOrEqual(60);
    expect((await send(two, 3)).status).toBe(201);
    expect((await send('vip', 100)).status).toBe(201);
  });

  it('is told so by exports and pushes in their forms', async () => {
    const project = randomUUID();
    const post = (path: string, body: Uint8Array | string) =>
      fetch(server.url + path, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-api-key': tokens.ingest },
        body: Buffer.from(body),
      });
    const push = jsonPush({ labels: { project }, lines: [[1n, 'a']] });
    expect((await post('/loki/api/v1/push', push)).status).toBe(204);
    const exported = encodedExport(
      { signal: 'logs', encoding: 'json' },
      logsExport(project, { body: { stringValue: 'a' } }),
    );
    const refused = await post('/v1/logs', exported);
    expect([refused.status, await refused.json()]).toEqual([
      429,
      {
        code: 8,
        message: expect.stringContaining(`Project ${project} may write 1 entries a day into otel_logs`),
      },
    ]);
    const later = await post('/loki/api/v1/push', jsonPush({ labels: { project }, lines: [[2n, 'a']] }));
    expect([later.status, await later.text()]).toEqual([429, expect.stringMatching(/^Project .+\n$/)]);
    expect(Number(later.headers.get('retry-after'))).toBeGreaterThan(0);
  });

  it('has used as much after a restart', async () => {
    const project = randomUUID();
    expect((await send(project, 3)).status).toBe(201);
    await server.stop();
    server = await startServer({ dataDir, env });
    expect((await send(project, 1)).status).toBe(429);
  });
});
