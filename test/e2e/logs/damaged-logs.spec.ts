/** A damaged file of logs costs the log paths only, until an operator has put it aside. */
import { open, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it, jest } from '@jest/globals';
import { podiumOn } from '../../support/cli.js';
import { Client, refusalOf } from '../../support/client.js';
import { newDataDir, startServer } from '../../support/server.js';

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
    stderr: expect.stringContaining('--yes'),
  });
  expect(await podium('logs', 'reset', '--yes')).toMatchObject({ status: 0 });
  expect((await readdir(dataDir)).filter((name) => /^logs\.duckdb\.damaged-\w+$/.test(name))).toHaveLength(1);
  expect(await podium('doctor')).toMatchObject({ status: 0 });
  expect(await podium('generate-logs', '--entries', '50')).toMatchObject({ status: 0 });
});

it('is not put aside while a server uses it', async () => {
  const server = await startServer({ dataDir });
  try {
    expect(await podiumOn(dataDir)('logs', 'reset', '--yes')).toMatchObject({
      status: 1,
      stderr: expect.stringContaining('another process has it'),
    });
  } finally {
    await server.stop();
  }
});
