/** Two servers and the command line on one ClickHouse: both write and read, none owns the logs. */
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { type Podium, podiumOn } from '../../support/cli.js';
import {
  type ClickhouseServer,
  describeOnClickhouse,
  someLogDatabase,
  startClickhouse,
} from '../../support/clickhouse/clickhouse-server.js';
import { Client, type Reply } from '../../support/client.js';
import { callOf, rowsOf, withToken } from '../../support/endpoint-api.js';
import { issueTokens, type LogApi, sendLogs } from '../../support/log-api.js';
import { newDataDir, startServer, type TestServer } from '../../support/server.js';
import { TailReader } from '../../support/tail-reader.js';
import { until } from '../../support/until.js';

const PROJECT = 'two-nodes';

describeOnClickhouse('servers on one ClickHouse', () => {
  let clickhouse: ClickhouseServer;
  let nodes: readonly TestServer[];
  let clients: readonly Client[];
  let tokens: LogApi['tokens'];
  let podium: Podium;
  let url: string;

  beforeAll(async () => {
    clickhouse = await startClickhouse();
    url = clickhouse.url(someLogDatabase()).replace('://', '://someone:secret@');
    const dataDir = await newDataDir();
    tokens = await issueTokens(dataDir);
    const env = { LOG_STORE_URL: url };
    nodes = [await startServer({ dataDir, env }), await startServer({ dataDir, env })];
    clients = nodes.map((node) => new Client(node.url));
    podium = podiumOn(dataDir, env);
  });
  afterAll(async () => {
    for (const client of clients ?? []) client.close();
    for (const node of nodes ?? []) await node.stop();
    await nodes?.[0]?.remove();
    await clickhouse?.stop();
  });

  const at = (node: number): TestServer => {
    const found = nodes[node];
    if (!found) throw new Error(`there is no node ${node}`);
    return found;
  };
  const send = (node: number, entries: readonly object[]) =>
    sendLogs(at(node).url, entries, { token: tokens.ingest });
  const entry = (message: string, more: object = {}) => ({
    event_message: message,
    project: PROJECT,
    ...more,
  });
  const ask = async (node: number, sql: string): Promise<Reply | undefined> =>
    clients[node]?.get(callOf('logs.all', { project: PROJECT, sql }), withToken(tokens.query));
  const messagesAt = async (node: number, sql: string): Promise<readonly unknown[]> => {
    const reply = await ask(node, sql);
    expect(reply?.status).toBe(200);
    return rowsOf(reply?.json).map(({ event_message }) => event_message);
  };

  it('take entries at either, once, and answer queries with those of both', async () => {
    const id = randomUUID();
    expect((await send(0, [entry('one', { id, metadata: { flavour: 'sweet' } })])).status).toBe(201);
    expect((await send(1, [entry('two'), entry('again', { id })])).json).toMatchObject({
      accepted: 1,
      duplicates: 1,
    });
    const all = 'select event_message from edge_logs order by event_message';
    expect(await messagesAt(0, all)).toEqual(['one', 'two']);
    // The node that did not take it knows the field by its name.
    const named =
      "select event_message from edge_logs cross join unnest(metadata) as m where flavour = 'sweet'";
    expect(await messagesAt(1, named)).toEqual(['one']);
  });

  it('show in a tail at one what the other takes', async () => {
    const reader = await TailReader.open(
      `${at(0).url}/api/logs/tail?${new URLSearchParams({ project: PROJECT })}`,
      withToken(tokens.query),
    );
    await send(1, [entry('elsewhere')]);
    await send(0, [entry('here')]);
    await reader.until('entry', 2);
    expect(reader.messages).toEqual(['elsewhere', 'here']);
    reader.close();
  });

  it('answer 503 while ClickHouse is away, serve the rest, and go on when it is back', async () => {
    if (clickhouse.process === null) return;
    await clickhouse.process.end('SIGKILL');
    expect((await send(0, [entry('lost')])).status).toBe(503);
    expect((await clients[0]?.get('/api/competitions'))?.status).toBe(200);
    await clickhouse.process.start();
    // Without an answer the entry may have been written all the same: its id keeps it from being written twice.
    const id = randomUUID();
    await until(
      () => send(0, [entry('back', { id })]),
      ({ status }) => status === 201 || status === 200,
    );
    const answered = await until(
      () => ask(1, "select event_message from edge_logs where event_message = 'back'"),
      (reply) => reply?.status === 200,
    );
    expect(rowsOf(answered?.json)).toEqual([{ event_message: 'back' }]);
  });

  it('are examined by doctor and verify, and copied by the means of ClickHouse', async () => {
    const doctor = (await podium('doctor', '--json')).json();
    const shown = url.replace('someone:secret@', '');
    expect(doctor).toMatchObject({
      stores: expect.arrayContaining([
        expect.objectContaining({ store: 'logs', file: shown, state: 'served' }),
      ]),
    });
    expect((await podium('verify', '--json')).json()).toMatchObject({
      stores: expect.arrayContaining([expect.objectContaining({ store: 'logs', state: 'opened' })]),
    });
    const backup = await podium('backup', join(await newDataDir(), 'copy'), '--json');
    expect(backup.json()).toMatchObject({ logs: expect.stringContaining('BACKUP DATABASE') });
    const reset = await podium('logs', 'reset', '--yes');
    expect(reset).toMatchObject({ status: 1, stderr: expect.stringContaining('restore a backup there') });
    for (const { stdout, stderr } of [backup, reset]) expect(stdout + stderr).not.toContain('secret');
  });

  it('take over the entries of a file, which are compared', async () => {
    const dataDir = await newDataDir();
    const file = `duckdb:${join(dataDir, 'logs.duckdb')}`;
    const missing = await podium('logs', 'copy', '--from', file, '--to', url);
    expect(missing).toMatchObject({ status: 1, stderr: expect.stringContaining('to copy') });
    await podiumOn(dataDir)('generate-logs', '--entries', '2000', '--json');
    const copied = (await podium('logs', 'copy', '--from', file, '--to', url, '--json')).json();
    expect(copied).toMatchObject({ differences: [] });
    const again = await podium('logs', 'copy', '--from', file, '--to', url);
    expect(again).toMatchObject({ status: 0, stdout: expect.stringMatching(/edge_logs +\d+ +0 /) });
    expect(again.stdout + again.stderr).not.toContain('secret');
  });

  it('do not start where ClickHouse refuses them, and say why', async () => {
    const run = await podiumOn(await newDataDir(), { LOG_STORE_URL: `${clickhouse.url('podium')}?reader=x` })(
      'serve',
    );
    expect(run.status).not.toBe(0);
    expect(run.stderr).toContain('reader in LOG_STORE_URL must be USER:PASSWORD');
  });
});
