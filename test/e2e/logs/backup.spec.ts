/** `podium backup` takes the logs along while a server writes and reads them, and a server starts on the copy. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { openLogStore } from '../../../src/app/stores/open-log-store.js';
import { podiumOn } from '../../support/cli.js';
import { Client } from '../../support/client.js';
import { callOf, rowsOf, withToken } from '../../support/endpoint-api.js';
import { type LogApi, sendLogs, startLogApi } from '../../support/log-api.js';
import { newDataDir, startServer } from '../../support/server.js';

let api: LogApi;

beforeAll(async () => {
  api = await startLogApi();
});
afterAll(() => api?.close());

const ID = '7b0f8e6f-0e4a-4857-9a57-3f1f2f6f6d10';
const send = (entries: readonly object[], url = api.server.url) =>
  sendLogs(url, entries, { token: api.tokens.ingest });

describe('podium backup', () => {
  it('copies the logs beside a serving server, whole, with their ids and fields', async () => {
    await api.store.addSource('audit_logs');
    const first = { id: ID, event_message: 'first', project: 'p', metadata: { shelf: { row: 7 } } };
    expect((await send([first])).status).toBe(201);
    let acknowledged = 1;
    let stop = false;
    const writing = (async () => {
      while (!stop) {
        const { status } = await send([{ event_message: 'meanwhile', project: 'p' }]);
        if (status === 201) acknowledged += 1;
      }
    })();
    const copy = join(await newDataDir(), 'copy');
    const before = acknowledged;
    const run = await podiumOn(api.server.dataDir)('backup', copy, '--json');
    stop = true;
    await writing;
    expect(run.stderr).toBe('');
    expect(run.json()).toMatchObject({
      logs: 'copied',
      files: expect.arrayContaining([expect.objectContaining({ store: 'logs' })]),
    });
    expect(existsSync(`${api.server.dataDir}/logs.duckdb.backup`)).toBe(false);

    const store = await openLogStore(`duckdb:${copy}/logs.duckdb`);
    const { edge_logs: entries } = await store.counts();
    expect(entries).toBeGreaterThanOrEqual(before);
    expect(entries).toBeLessThanOrEqual(acknowledged);
    expect(JSON.stringify((await store.catalogue(null)).sources.edge_logs)).toContain('"shelf"');
    expect(await store.sources()).toContain('audit_logs');
    await store.close();

    const restored = await startServer({ dataDir: copy });
    const client = new Client(restored.url);
    const lql = 'first';
    const found = await client.get(callOf('logs.all', { project: 'p', lql }), withToken(api.tokens.query));
    expect(rowsOf(found.json)).toMatchObject([{ id: ID, event_message: 'first' }]);
    expect((await send([first], restored.url)).json).toEqual({ accepted: 0, duplicates: 1 });
    client.close();
    await restored.stop();
  });
});
