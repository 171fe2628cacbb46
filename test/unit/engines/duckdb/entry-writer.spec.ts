/** When the writer's checkpoints merge row groups, which rewrites entries that are on disk already. */
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it, jest } from '@jest/globals';
import { type Engine, openEngine } from '../../../../src/engines/duckdb/engine.js';
import { EntryWriter } from '../../../../src/engines/duckdb/entry-writer.js';
import { packEntries } from '../../../../src/foundation/log-store/packed-entries.js';
import { logEntry } from '../../../support/log-entries.js';
import { temporaryFolder } from '../../../support/podium-app.js';

const MIB = 1024 * 1024;

let folder: string;
let engine: Engine;
let writer: EntryWriter;
beforeEach(async () => {
  folder = await temporaryFolder();
  const path = join(folder, 'logs.duckdb');
  engine = await openEngine({
    path,
    memoryMb: 1_024,
    threads: 2,
    readers: 1,
    maxRunning: 1,
    recentIds: 1_000,
    maxProjects: 10,
  });
  writer = await EntryWriter.open(engine, { maxIds: 1_000, maxProjects: 10, isQuerying: () => false });
});
afterEach(async () => {
  jest.restoreAllMocks();
  engine.writer.closeSync();
  engine.instance.closeSync();
  await rm(folder, { recursive: true });
});

/** So much that the WAL is checkpointed. */
const fillWal = async (): Promise<void> => {
  const entries = Array.from({ length: 16 }, (_, index) =>
    logEntry({ eventMessage: String.fromCharCode(97 + index).repeat(4 * MIB) }),
  );
  for (const entry of entries) await writer.append(packEntries('edge_logs', [entry]).bytes);
  await writer.idle();
};

const rowGroups = async (): Promise<number> => {
  const found = await engine.writer.runAndReadAll(
    "SELECT count(DISTINCT row_group_id)::INTEGER FROM pragma_storage_info('edge_logs')",
  );
  return Number(found.getRows()[0]?.[0]);
};

it('is once a minute at most', async () => {
  for (let filled = 0; filled < 3; filled += 1) await fillWal();
  expect(await rowGroups()).toBe(3);
  const later = performance.now() + 61_000;
  jest.spyOn(performance, 'now').mockImplementation(() => later);
  await fillWal();
  expect(await rowGroups()).toBeLessThan(3);
  const merged = await rowGroups();
  await fillWal();
  expect(await rowGroups()).toBe(merged + 1);
});

it('is the only setting that can be changed', async () => {
  await engine.writer.run('SET GLOBAL max_vacuum_tasks = 2');
  for (const setting of ['memory_limit', 'allowed_configs', 'enable_external_access'])
    await expect(engine.writer.run(`SET GLOBAL ${setting} = '1GB'`)).rejects.toThrow('locked');
});
