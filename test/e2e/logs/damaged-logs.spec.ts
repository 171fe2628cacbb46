/** A damaged file of logs costs the log paths only, until an operator has put it aside. */
import { open, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import { afterEach, beforeEach, expect, it, jest } from '@jest/globals';
import { podiumOn } from '../../support/cli.js';
import { Client, refusalOf } from '../../support/client.js';
import { newDataDir, startServer } from '../../support/server.js';
import { until } from '../../support/until.js';

jest.setTimeout(300_000);

let dataDir: string;
beforeEach(async () => {
  dataDir = await newDataDir();
});
afterEach(() => rm(dataDir, { recursive: true, force: true }));

const spoil = async (): Promise<void> => {
  const handle = await open(join(dataDir, 'logs.duckdb'), 'r+');
  // Both headers that the engine chooses from, after the one that names the format.
  await handle.write(Buffer.alloc(8_192, 0xa5), 0, 8_192, 4_096);
  await handle.close();
};

it('is named, leaves everything else as it is, and is put aside by `podium logs reset`', async () => {
  const podium = podiumOn(dataDir);
  expect(await podium('logs', 'reset')).toMatchObject({
    status: 1,
    stderr: expect.stringContaining('there is no'),
  });
  const token = (await podium('tokens', 'issue', '--name', 'sender', '--scope', 'ingest')).stdout.trim();
  expect(await podium('generate-logs', '--entries', '50')).toMatchObject({ status: 0 });
  await spoil();
  const server = await startServer({ dataDir });
  const client = new Client(server.url);
  try {
    const entry = { timestamp: new Date().toISOString(), event_message: 'hello', metadata: {} };
    const sent = await client.post('/api/logs?source=edge_logs', [entry], { 'x-api-key': token });
    expect(refusalOf(sent)).toBe('503 content-damaged');
    expect(sent.headers['retry-after']).toBeDefined();
    const exported = await client.post('/v1/logs', {}, { 'x-api-key': token });
    expect(exported).toMatchObject({ status: 503, json: { code: 14, message: expect.any(String) } });
    expect(exported.headers['retry-after']).toBeDefined();
    expect(await client.get('/api/competitions')).toMatchObject({ status: 200 });
    expect((await client.get('/api/healthcheck')).json).toMatchObject({
      status: 'degraded',
      logStore: { status: 'down' },
      damage: { store: 'logs', place: `file ${join(dataDir, 'logs.duckdb')}` },
    });
    expect(await podium('doctor')).toMatchObject({
      status: 1,
      stderr: expect.stringContaining('logs.duckdb'),
    });
  } finally {
    client.close();
    await server.stop();
  }
  expect(await podium('verify')).toMatchObject({ status: 1, stderr: expect.stringContaining('logs') });
  expect(await podium('logs', 'reset')).toMatchObject({
    status: 1,
    stderr: expect.stringMatching(/--yes .*without the sources of your own/),
  });
  expect(await podium('logs', 'reset', '--yes')).toMatchObject({ status: 0 });
  expect((await readdir(dataDir)).filter((name) => /^logs\.duckdb\.damaged-\w+$/.test(name))).toHaveLength(1);
  expect(await podium('doctor')).toMatchObject({ status: 0 });
  expect(await podium('generate-logs', '--entries', '50')).toMatchObject({ status: 0 });
});

const HEADERS_BYTES = 12_288;
const BLOCK_BYTES = 262_144;

/** Changes a byte in each block that has only metadata: the engine reads them with a query, not when it opens the file. Returns a project. */
const spoilMetadata = async (): Promise<string> => {
  const path = join(dataDir, 'logs.duckdb');
  const instance = await DuckDBInstance.create(path);
  const connection = await instance.connect();
  const found = await connection.runAndReadAll(
    `SELECT block_id FROM pragma_storage_info('edge_logs') WHERE block_id >= 0 GROUP BY block_id
     HAVING bool_and(column_name = 'metadata')`,
  );
  const [[project] = []] = (
    await connection.runAndReadAll('SELECT project FROM edge_logs LIMIT 1')
  ).getRows();
  connection.closeSync();
  instance.closeSync();
  const handle = await open(path, 'r+');
  for (const [block] of found.getRows()) {
    const at = HEADERS_BYTES + Number(block) * BLOCK_BYTES + BLOCK_BYTES / 2;
    const { buffer } = await handle.read(Buffer.alloc(1), 0, 1, at);
    await handle.write(Buffer.from([(buffer[0] ?? 0) ^ 0xff]), 0, 1, at);
  }
  await handle.close();
  expect(found.currentRowCount).toBeGreaterThan(0);
  return String(project);
};

it('stays while a server uses it, and is named in health, metrics and log when a query meets it', async () => {
  const podium = podiumOn(dataDir);
  const token = (await podium('tokens', 'issue', '--name', 'reader', '--scope', 'query')).stdout.trim();
  expect(await podium('generate-logs', '--entries', '100000')).toMatchObject({ status: 0 });
  const project = await spoilMetadata();
  const server = await startServer({ dataDir });
  const client = new Client(server.url);
  try {
    expect((await client.get('/api/healthcheck')).json).toMatchObject({ status: 'ok', damage: null });
    expect(await podium('logs', 'reset', '--yes')).toMatchObject({
      status: 1,
      stderr: expect.stringContaining('another process has it'),
    });
    const sql = 'select max(to_json_string(metadata)) as x from edge_logs';
    const path = `/api/endpoints/query/logs.all?${new URLSearchParams({ project, sql })}`;
    const answered = await client.get(path, { 'x-api-key': token });
    expect(refusalOf(answered)).toBe('503 content-damaged');
    const place = `file ${join(dataDir, 'logs.duckdb')}`;
    expect((await client.get('/api/healthcheck')).json).toMatchObject({
      status: 'degraded',
      damage: { store: 'logs', place },
    });
    expect((await client.get('/metrics')).text).toMatch(/^podium_damages 1$/m);
    const named = await until(
      async () => server.log.filter((line) => line.level === 50 && line.place === place),
      (lines) => lines.length > 0,
    );
    expect(named).toHaveLength(1);
  } finally {
    client.close();
    await server.stop();
  }
});
