/** The files of a server, in a folder that every user of the machine may read: none of them can. */
import { chmod, readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { newDataDir, startServer, type TestServer } from '../../support/server.js';

let server: TestServer;
let dataDir: string;

beforeAll(async () => {
  dataDir = await newDataDir();
  await chmod(dataDir, 0o755);
  server = await startServer({ dataDir });
});
afterAll(async () => {
  await server.stop();
  await server.remove();
});

it('are for its user alone: hashes of passwords, secrets of second factors, and log entries are in them', async () => {
  const names = await readdir(dataDir);
  expect(names).toEqual(expect.arrayContaining(['events.sqlite', 'operational.sqlite', 'logs.duckdb']));
  const modes = await Promise.all(
    names.map(async (name) => [name, (await stat(join(dataDir, name))).mode & 0o077] as const),
  );
  expect(modes.filter(([, others]) => others !== 0)).toEqual([]);
});
