/** A node whose logs another node owns: its log paths answer as the owner does, and say so when the owner is away. */
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { MAX_BODY_BYTES } from '../../../src/logs/ingest/log-body.js';
import { Client } from '../../support/client.js';
import { type LogApi, sendLogs, startLogApi } from '../../support/log-api.js';
import { startServer, type TestServer } from '../../support/server.js';
import { TailReader } from '../../support/tail-reader.js';

let owner: LogApi;
let node: TestServer;

beforeAll(async () => {
  owner = await startLogApi();
  node = await startServer({ env: { LOG_STORE_URL: owner.server.url } });
});
afterAll(async () => {
  await node.stop();
  await node.remove();
  await owner.close();
});

const count = async (message: string): Promise<unknown> =>
  (await owner.rows(`SELECT count(*) AS n FROM edge_logs WHERE event_message = '${message}'`))[0]?.n;

describe('a node without the log store', () => {
  it('takes entries in for the owner', async () => {
    const reply = await sendLogs(node.url, { event_message: 'through' }, { token: owner.tokens.ingest });
    expect([reply.status, reply.json]).toEqual([201, { accepted: 1, duplicates: 0 }]);
    expect(await count('through')).toBe(1);
  });

  it('sends bytes on as they are', async () => {
    const lines = Array.from({ length: 5_000 }, () => '{"event_message":"zipped"}').join('\n');
    const headers = { 'content-encoding': 'gzip', 'content-type': 'application/x-ndjson' };
    const reply = await sendLogs(node.url, gzipSync(lines), { token: owner.tokens.ingest, headers });
    expect([reply.status, reply.json]).toEqual([201, { accepted: 5_000, duplicates: 0 }]);
    expect(await count('zipped')).toBe(5_000);
  });

  it('gives the owner’s refusals, with their headers and the request’s id', async () => {
    const sending = { token: 'podium_nope', headers: { 'x-request-id': 'mine-1' } };
    const here = await sendLogs(node.url, { event_message: 'a' }, sending);
    const there = await sendLogs(owner.server.url, { event_message: 'a' }, sending);
    expect([here.status, here.json]).toEqual([there.status, there.json]);
    expect(here.headers.get('www-authenticate')).toBe(there.headers.get('www-authenticate'));
    expect(here.headers.get('x-request-id')).toBe('mine-1');
  });

  it('gives the owner’s refusal of a body that is too large, though it still comes', async () => {
    const body = 'x'.repeat(MAX_BODY_BYTES + 8_000_000);
    for (let time = 0; time < 3; time += 1) {
      const { status, json } = await sendLogs(node.url, body, { token: owner.tokens.ingest });
      expect([status, json]).toEqual([
        413,
        expect.objectContaining({ type: '/api/docs/problems/body-too-large' }),
      ]);
    }
  });

  it('forwards calls of endpoints, and nothing else', async () => {
    const client = new Client(node.url);
    const there = new Client(owner.server.url);
    const path = '/api/endpoints/query/logs.all?project=one&iso_timestamp_start=';
    const id = { 'x-request-id': 'mine-2' };
    const [here, expected] = await Promise.all([client.get(path, id), there.get(path, id)]);
    expect([here.status, here.text]).toEqual([expected.status, expected.text]);
    const metrics = (await client.get('/metrics')).text;
    expect(metrics).toContain(`method="GET",route="forwarded",status="${expected.status}"`);
    expect((await client.get('/api/events')).status).toBe(200);
    client.close();
    there.close();
  });

  it('forwards what changes endpoints: a removal asks the owner for the sources', async () => {
    const admin = { 'x-api-key': owner.tokens.admin };
    const client = new Client(node.url);
    const made = await client.post('/api/endpoints', { name: 'passing', query: 'select 1 as n' }, admin);
    expect(made.status).toBe(201);
    const removed = await client.send('/api/endpoints/passing', { method: 'DELETE', headers: admin });
    expect(removed.status).toBe(204);
    client.close();
  });

  it('passes tails on as they come', async () => {
    const url = `${node.url}/api/logs/tail?project=tailed`;
    const reader = await TailReader.open(url, { 'x-api-key': owner.tokens.query });
    const entries = ['a', 'b'].map((event_message) => ({ event_message, project: 'tailed' }));
    await sendLogs(node.url, entries, { token: owner.tokens.ingest });
    await reader.until('entry', 2);
    expect(reader.messages).toEqual(['a', 'b']);
    reader.close();
    const refused = await fetch(`${url}&lql=t:today`, { headers: { 'x-api-key': owner.tokens.query } });
    expect(refused.status).toBe(400);
  });

  it('ends its tails when it stops', async () => {
    const other = await startServer({ env: { LOG_STORE_URL: owner.server.url } });
    const reader = await TailReader.open(`${other.url}/api/logs/tail`, { 'x-api-key': owner.tokens.query });
    expect(await other.stop()).toBe(0);
    await reader.ended();
    await other.remove();
  });

  it('says that a chain of nodes leads nowhere', async () => {
    const third = await startServer({ env: { LOG_STORE_URL: node.url } });
    const reply = await sendLogs(third.url, { event_message: 'a' }, { token: owner.tokens.ingest });
    expect(reply).toMatchObject({ status: 503, json: { type: '/api/docs/problems/unavailable' } });
    await third.stop();
    await third.remove();
  });

  it('says 503 while the owner is away', async () => {
    const away = await startServer({ env: { LOG_STORE_URL: 'http://127.0.0.1:9' } });
    const reply = await sendLogs(away.url, { event_message: 'a' }, { token: owner.tokens.ingest });
    expect(reply.status).toBe(503);
    expect(reply.headers.get('retry-after')).toBe('1');
    expect(reply.json).toMatchObject({ type: '/api/docs/problems/unavailable', error: expect.any(String) });
    const client = new Client(away.url);
    expect((await client.get('/api/events')).status).toBe(200);
    client.close();
    expect(await away.stop()).toBe(0);
    await away.remove();
  });
});
