/** The files of a server and of commands, in folders that every user of the machine may read: none of them can. */
import { chmod, mkdir, readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { done, podiumOn } from '../../support/cli.js';
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

const modeOf = async (path: string): Promise<number> => (await stat(path)).mode & 0o777;

/** Those that other users can use somehow. */
const openFiles = async (folder: string): Promise<readonly string[]> => {
  const open: string[] = [];
  for (const name of await readdir(folder))
    if (((await modeOf(join(folder, name))) & 0o077) !== 0) open.push(name);
  return open;
};

it('are for its user alone: hashes of passwords, secrets of second factors, and log entries are in them', async () => {
  const names = await readdir(dataDir);
  expect(names).toEqual(expect.arrayContaining(['events.sqlite', 'operational.sqlite', 'logs.duckdb']));
  expect(await openFiles(dataDir)).toEqual([]);
});

it('are as private where a command makes them, but a file of results is as the user has files made', async () => {
  const folder = join(dataDir, 'of-commands');
  const copy = join(folder, 'copy');
  await mkdir(copy, { recursive: true });
  for (const path of [folder, copy]) await chmod(path, 0o755);
  const podium = podiumOn(folder);
  await done(
    podium,
    'contest',
    'create',
    'SpringOpen2026',
    '--name',
    'S',
    '--start',
    '2026-04-11',
    '--region',
    'IE',
  );
  await done(podium, 'backup', copy);
  expect((await readdir(folder)).length).toBeGreaterThan(3);
  expect(await openFiles(copy)).toEqual([]);
  expect(await openFiles(folder)).toEqual(['copy']);
  const file = join(folder, 'spring.json');
  await done(podium, 'export', 'SpringOpen2026', '--format', 'wcif', '--out', file);
  expect(await modeOf(file)).toBe(0o666 & ~process.umask());
  const manifest = join(folder, 'manifest.json');
  await done(podium, 'backup', '--manifest-only', manifest);
  expect(await modeOf(manifest)).toBe(0o666 & ~process.umask());
});
