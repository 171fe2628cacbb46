/** Turns of tenants in the queue of queries: long queries of some do not delay short ones of another, and end as before. */
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { DuckDbLogStore } from '../../../../src/engines/duckdb/duckdb-log-store.js';
import { LogQueryFailedError, LogStoreBusyError } from '../../../../src/foundation/log-store/log-store.js';
import { runSql as run } from '../../../support/engine-sql.js';
import { temporaryFolder } from '../../../support/podium-app.js';

let folder: string;
let store: DuckDbLogStore;
const stop = new AbortController();

beforeEach(async () => {
  folder = await temporaryFolder();
  store = await DuckDbLogStore.open({ path: join(folder, 'logs.duckdb'), memoryMb: 256, maxWaiting: 40 });
});
afterEach(async () => {
  stop.abort();
  await store.close();
  await rm(folder, { recursive: true });
});

const ENDLESS = 'SELECT count(*) AS n FROM range(100000000000)';

it('leaves turns to a tenant with short queries, also where the queue is full, and ends no process for those that leave', async () => {
  const { pid } = store;
  const long = [...Array(64).keys()].map((at) =>
    run(store, ENDLESS, { tenant: `heavy ${at % 4}`, signal: stop.signal }).catch((error) => error),
  );
  for (let at = 0; at < 20; at++) {
    const began = performance.now();
    expect((await run(store, `SELECT ${at} AS n`, { tenant: 'light', timeoutMs: 20_000 })).rows).toEqual([
      { n: at },
    ]);
    expect(performance.now() - began).toBeLessThan(10_000);
  }
  stop.abort();
  const fates = await Promise.all(long);
  expect(fates.filter((fate) => fate instanceof LogStoreBusyError).length).toBeGreaterThan(0);
  expect(fates.filter((fate) => fate instanceof LogQueryFailedError).length).toBeGreaterThan(30);
  // Longer than a query that was cancelled may take to end.
  await new Promise((resolve) => setTimeout(resolve, 2_500));
  expect(store.pid).toBe(pid);
});

it('gives the place of a query that cannot be interrupted to another tenant', async () => {
  await store.close();
  const path = join(folder, 'logs.duckdb');
  store = await DuckDbLogStore.open({ path, memoryMb: 256, readers: 1 });
  // The engine looks for an interrupt between two steps, and this is one: so many replacements in one long text.
  const replaced = `${'regexp_replace('.repeat(400)}string_agg(range::VARCHAR, 'b')${", '[a-f]+x', 'y', 'g')".repeat(400)}`;
  const stubborn = run(store, `SELECT length(${replaced}) AS n FROM range(300000)`, {
    tenant: 'stubborn',
    timeoutMs: 20_000,
    signal: stop.signal,
  }).catch((error) => error);
  for (let at = 0; at < 3; at++)
    expect((await run(store, `SELECT ${at} AS n`, { tenant: 'light', timeoutMs: 10_000 })).rows).toEqual([
      { n: at },
    ]);
  stop.abort();
  await stubborn;
});

it('ends a query that gave way, with its rows', async () => {
  const medium = run(store, 'SELECT count(*) FILTER (hash(range) = 1) * 0 + 7 AS n FROM range(300000000)', {
    tenant: 'medium',
  });
  const others = [...Array(30).keys()].map((at) =>
    run(store, `SELECT ${at} + count(*) FILTER (hash(range) = 1) * 0 AS n FROM range(50000000)`, {
      tenant: `t${at}`,
    }),
  );
  const rows = (await Promise.all(others)).map(({ rows }) => rows[0]?.n);
  expect(rows).toEqual([...Array(30).keys()]);
  expect((await medium).rows).toEqual([{ n: 7 }]);
});
