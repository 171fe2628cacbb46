/** What an engine's end or its error says of the file: only what the engine cannot read is damage. */
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { openLogStore } from '../../../../src/app/stores/open-log-store.js';
import type { Damage } from '../../../../src/foundation/integrity/damage.js';
import {
  LogQueryFailedError,
  type LogStore,
  LogStoreUnavailableError,
  LogsDamagedError,
} from '../../../../src/foundation/log-store/log-store.js';
import { runSql as run } from '../../../support/engine-sql.js';
import { logEntry } from '../../../support/log-entries.js';
import { temporaryFolder } from '../../../support/podium-app.js';
import { until } from '../../../support/until.js';

let folder: string;
let store: LogStore | null;
beforeEach(async () => {
  folder = await temporaryFolder();
  store = null;
});
afterEach(async () => {
  await store?.close();
  await rm(folder, { recursive: true });
});

const open = (mode?: 'server', damages: Damage[] = []): Promise<LogStore> =>
  openLogStore(`duckdb:${join(folder, 'logs.duckdb')}`, {
    memoryMb: 256,
    ...(mode && { mode }),
    onDamage: (damage) => damages.push(damage),
  });

/** Processes of the engine that this process has started. */
const engines = async (): Promise<readonly number[]> => {
  const children = await readFile(`/proc/self/task/${process.pid}/children`, 'utf8');
  return children.split(' ').filter(Boolean).map(Number);
};

/** Opens the store, and ends each engine in turn that opens the file. Returns what becomes of the opening. */
const endOpening = async (
  opening: () => Promise<LogStore>,
  signal: NodeJS.Signals,
  times: number,
): Promise<unknown> => {
  const known = new Set(await engines());
  const outcome = opening().catch((error: unknown) => error);
  for (let time = 0; time < times; time++) {
    const [pid = 0] = await until(
      async () => (await engines()).filter((one) => !known.has(one)),
      (fresh) => fresh.length > 0,
    );
    known.add(pid);
    process.kill(pid, signal);
  }
  return outcome;
};

it('a file is not damaged when the system ends the engine while it opens it', async () => {
  const error = await endOpening(open, 'SIGKILL', 1);
  expect(error).toBeInstanceOf(LogStoreUnavailableError);
  expect(error).not.toBeInstanceOf(LogsDamagedError);
  expect(error).toMatchObject({ message: expect.stringContaining('its process ended (SIGKILL)') });
});

it('a server goes on without it, and opens the file with the next use', async () => {
  const damages: Damage[] = [];
  const opening = async () => {
    store = await open('server', damages);
    return store;
  };
  await endOpening(opening, 'SIGKILL', 1);
  await store?.append('edge_logs', [logEntry()]);
  expect((await store?.counts())?.edge_logs).toBe(1);
  expect(damages).toEqual([]);
});

it('a file that crashes the engine is opened once more, and is damaged when it crashes it again', async () => {
  const opening = async () => {
    store = await open();
    return store;
  };
  await endOpening(opening, 'SIGABRT', 1);
  expect((await store?.counts())?.edge_logs).toBe(0);
  await store?.close();
  store = null;
  expect(await endOpening(opening, 'SIGABRT', 2)).toBeInstanceOf(LogsDamagedError);
});

it('a query that fails an assertion of the engine says nothing of the file', async () => {
  const damages: Damage[] = [];
  store = await open('server', damages);
  // A fault of the engine in its plan of such a query: https://github.com/duckdb/duckdb/issues/24921
  const failing = `SELECT o.id, x.h FROM edge_logs o, LATERAL (
    WITH scope AS (SELECT id, event_message FROM edge_logs WHERE id = o.id)
    SELECT EXISTS (SELECT 1 FROM scope i WHERE i.id = c.id AND i.event_message <= c.event_message) AS h FROM scope c) x`;
  const error = await run(store, failing).catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(LogQueryFailedError);
  expect(error).toMatchObject({ failure: 'value', cause: expect.stringContaining('INTERNAL Error') });
  expect(damages).toEqual([]);
  expect((await run(store, 'SELECT 1 AS n')).rows).toEqual([{ n: 1 }]);
});
