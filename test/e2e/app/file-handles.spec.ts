/** A server whose file handles are used up by connections: it serves on those it has, and no request is a 500. */
import { execFileSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { Agent } from 'node:http';
import { connect, type Socket } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { IssueToken } from '../../../src/logs/tokens/token.commands.js';
import { CONTEXT, makeApiWorld } from '../../support/api-world.js';
import { sendAttempt } from '../../support/attempts.js';
import { Client } from '../../support/client.js';
import { openPodiumApp } from '../../support/podium-app.js';
import { newDataDir, startServer, type TestServer } from '../../support/server.js';
import { until } from '../../support/until.js';

const LEFT = 20;

let server: TestServer;
let client: Client;
let key: string;
let token: string;
let personId: number;
const others: Socket[] = [];

const handles = (): number => readdirSync(`/proc/${server.process.pid}/fd`).length;

beforeAll(async () => {
  const dataDir = await newDataDir();
  const app = await openPodiumApp(dataDir);
  const world = await makeApiWorld(app.commands);
  key = world.keys.good;
  [personId] = world.personIds;
  const issue = new IssueToken({ name: 'test', scopes: ['ingest'], project: null }, CONTEXT);
  ({ token } = await app.commands.execute(issue));
  await app.close();
  server = await startServer({ dataDir });
  client = new Client(server.url, new Agent({ keepAlive: true, maxSockets: 1 }));
});
afterAll(async () => {
  for (const socket of others) socket.destroy();
  client.close();
  await server.stop();
  await server.remove();
});

const entries = (): string =>
  JSON.stringify(Array.from({ length: 300 }, () => ({ event_message: 'm'.repeat(100), project: 'one' })));

describe('a server without file handles', () => {
  it('serves pages, lists, attempts and log entries, or says that they are to come again', async () => {
    expect((await client.get('/api/healthcheck')).status).toBe(200);
    const limit = handles() + LEFT;
    execFileSync('prlimit', [`--nofile=${limit}:${limit}`, '--pid', String(server.process.pid)]);
    const { hostname, port } = new URL(server.url);
    for (let index = 0; index < LEFT * 2; index += 1)
      others.push(connect(Number(port), hostname).on('error', () => undefined));
    await until(
      async () => handles(),
      (count) => count >= limit - 1,
    );
    const replies = [
      await client.get('/'),
      await client.get('/no/such/page'),
      await client.get('/api/results/rankings/333/single/all?topN=100000'),
      await client.post('/api/logs?source=edge_logs', entries(), {
        'content-type': 'application/json',
        'x-api-key': token,
      }),
      await sendAttempt(client, key, { personId, attemptResult: 1_500 }),
      await client.get('/api/healthcheck'),
    ];
    const [, , list] = replies;
    // It may need to open a file.
    expect([200, 503]).toContain(list?.status);
    expect(replies.map(({ status }) => status).toSpliced(2, 1)).toEqual([200, 404, 201, 201, 200]);
    expect(server.process.exitCode).toBeNull();
  });
});
