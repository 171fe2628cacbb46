/** The log store's contract on DuckDB, directly and through the server that owns the file, and what only this adapter has to promise. */
import { existsSync } from 'node:fs';
import { rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { openLogStore } from '../../../../src/app/stores/open-log-store.js';
import {
  DuckDbLogStore,
  type DuckDbLogStoreOptions,
} from '../../../../src/engines/duckdb/duckdb-log-store.js';
import { OWN_ERROR } from '../../../../src/foundation/log-store/checked-query.js';
import { LogQueryFailedError, LogStoreBusyError } from '../../../../src/foundation/log-store/log-store.js';
import { runSql as run } from '../../../support/engine-sql.js';
import { logEntries, logEntry } from '../../../support/log-entries.js';
import { logStoresForEach } from '../../../support/log-stores.js';
import { temporaryFolder } from '../../../support/podium-app.js';
import { until } from '../../../support/until.js';
import { logStoreContract, reopenable } from './log-store.contract.js';

const MEMORY = { memoryMb: 256 };

logStoreContract('DuckDB', async () => {
  const folder = await temporaryFolder();
  const open = () => openLogStore(`duckdb:${join(folder, 'logs.duckdb')}`, MEMORY);
  return reopenable(open, () => rm(folder, { recursive: true }));
});

logStoreContract('the DuckDB of a server', async () => {
  const folder = await temporaryFolder();
  const url = `duckdb:${join(folder, 'logs.duckdb')}`;
  const open = async () => {
    const server = await openLogStore(url, { ...MEMORY, mode: 'server' });
    const command = await openLogStore(url, { mode: 'command' });
    // The first use connects it; before that it has no knowledge of its own.
    await command.counts();
    return { server, command };
  };
  let opened = await open();
  const close = async () => {
    await opened.command.close();
    await opened.server.close();
  };
  return {
    store: opened.command,
    reopen: async () => {
      await close();
      opened = await open();
      return opened.command;
    },
    close: async () => {
      await close();
      await rm(folder, { recursive: true });
    },
  };
});

describe('the DuckDB log store', () => {
  const stores = logStoresForEach();

  const open = async (options: Partial<DuckDbLogStoreOptions> = {}): Promise<DuckDbLogStore> => {
    const path = stores.path('logs.duckdb');
    return stores.closing(await DuckDbLogStore.open({ ...MEMORY, path, ...options }));
  };

  const failureOf = async (query: Promise<unknown>): Promise<unknown> => {
    try {
      return await query;
    } catch (error) {
      return error instanceof LogQueryFailedError ? error.failure : error;
    }
  };

  /** Long enough to be met in its midst on any machine, short enough to wait for. */
  const slow = (seed: number): string =>
    `SELECT ${seed} + 0 * count(*) FILTER (hash(range) = 1) AS n FROM range(100000000)`;

  it('says every type of the engine as JSON that loses nothing', async () => {
    const store = await open();
    const { rows } = await run(
      store,
      `SELECT 7::HUGEINT AS huge, 9007199254740993 AS large, -5::TINYINT AS tiny, 0.1::DOUBLE AS fraction,
         'nan'::DOUBLE AS nan, 12.50::DECIMAL(6,2) AS money, 0.12345678901234567891::DECIMAL(30,20) AS fine, true AS yes,
         DATE '2026-03-01' AS day, TIME '12:34:56.5' AS time, INTERVAL 90 MINUTE AS span,
         TIMESTAMPTZ '2026-03-01 12:00:00+02' AS zoned, TIMESTAMP '1969-12-31 23:59:59.999999' AS before,
         [1, NULL] AS list, {'a': {'b': [TIMESTAMP '2026-03-01']}} AS record, MAP {'k': 1} AS map,
         JSON '{"x": [1, {"y": null}]}' AS json, [JSON '{"z":1}'] AS jsons, NULL AS nothing`,
    );
    expect(rows).toEqual([
      {
        huge: 7,
        large: '9007199254740993',
        tiny: -5,
        fraction: 0.1,
        nan: 'NaN',
        money: 12.5,
        fine: '0.12345678901234567891',
        yes: true,
        day: '2026-03-01',
        time: '12:34:56.5',
        span: '01:30:00',
        zoned: '2026-03-01T10:00:00.000000Z',
        before: '1969-12-31T23:59:59.999999Z',
        list: [1, null],
        record: { a: { b: ['2026-03-01T00:00:00.000000Z'] } },
        map: { k: 1 },
        json: { x: [1, { y: null }] },
        jsons: [{ z: 1 }],
        nothing: null,
      },
    ]);
  });

  it.each([
    "SELECT * FROM read_csv('/etc/passwd')",
    "SELECT * FROM read_text('/etc/hostname')",
    "SELECT * FROM glob('/*')",
    "SELECT * FROM 'https://example.com/x.parquet'",
    'SELECT * FROM duckdb_secrets()',
    "SELECT getenv('HOME') AS home",
  ])('is closed to everything outside: %s', async (sql) => {
    const store = await open();
    const { rows } = await run(store, sql).catch((error) => {
      expect(error).toBeInstanceOf(LogQueryFailedError);
      return { rows: [] };
    });
    expect(rows).toEqual([]);
  });

  it.each([
    ['SELECT internal_name + 1 FROM (SELECT 1 AS x)', 'cannot run this query', 'internal_name'],
    ['SELECT no_function(1)', 'cannot run this query', 'no_function'],
    [
      "SELECT json_extract_string('FATAL entry', '/a') AS x",
      'reads as JSON is not valid JSON',
      'FATAL entry',
    ],
    ["SELECT CAST('an entry' AS BIGINT) AS x", 'cannot use a value in the entries', 'an entry'],
    [
      'SELECT stddev(x) AS x FROM (VALUES (1e308), (-1e308)) AS v(x)',
      'number or time in the query is too large',
      'STDDEV',
    ],
    [
      'SELECT CAST(9223372036854775807 AS BIGINT) + 1 AS x',
      'number or time in the query is too large',
      'Overflow',
    ],
    [`SELECT error('${OWN_ERROR}our own words') AS x`, 'our own words', 'our own words'],
  ])('says in words of its own why a query failed: %s', async (sql, says, engineSays) => {
    const store = await open();
    const { pid } = store;
    const error = await run(store, sql).catch((failure) => failure);
    expect(error).toMatchObject({ failure: 'value', message: expect.stringContaining(says) });
    expect(error.cause).toContain(engineSays);
    if (says !== engineSays) expect(error.message).not.toContain(engineSays);
    expect(error.message).not.toMatch(/Error|LINE|SELECT|podium|\n/);
    expect(await run(store, 'SELECT 1 AS x')).toMatchObject({ rows: [{ x: 1 }] });
    expect(store.pid).toBe(pid);
  });

  it('retries on its next process what was running when its process was killed', async () => {
    const store = await open();
    await store.append('edge_logs', logEntries(10));
    const { pid } = store;
    const queries = Promise.all([1, 2, 3].map((seed) => run(store, slow(seed))));
    await run(store, 'SELECT 1 AS n');
    const entries = logEntries(1_000);
    const appended = store.append('edge_logs', entries);
    process.kill(pid, 'SIGKILL');
    expect((await queries).map(({ rows }) => rows)).toEqual([[{ n: 1 }], [{ n: 2 }], [{ n: 3 }]]);
    await appended;
    expect(store.pid).not.toBe(pid);
    expect(await store.append('edge_logs', entries)).toEqual({ accepted: 0, duplicates: 1_000 });
    expect((await store.counts()).edge_logs).toBe(1_010);
  });

  it('lets a query that kills its process twice fail alone', async () => {
    const store = await open();
    const killer = failureOf(run(store, slow(0)));
    const bystander = failureOf(run(store, slow(7)));
    await run(store, 'SELECT 1 AS n');
    const { pid } = store;
    process.kill(pid, 'SIGKILL');
    await until(
      async () => store.pid,
      (now) => now !== pid,
    );
    // Answered by the new process, which was asked before to run one of the two by itself.
    await store.append('edge_logs', [logEntry()]);
    process.kill(store.pid, 'SIGKILL');
    const fates = await Promise.all([killer, bystander]);
    expect(fates.filter((fate) => fate === 'crash')).toHaveLength(1);
    expect(fates.filter((fate) => fate !== 'crash')).toMatchObject([{ rows: [{ n: expect.any(Number) }] }]);
    expect(await store.append('edge_logs', [logEntry()])).toMatchObject({ accepted: 1 });
  });

  it('never answers an interrupted query with fewer rows than it has', async () => {
    const store = await open();
    const counted = 'SELECT count(*) FILTER (hash(range) = 1) * 0 + 7 AS n FROM range(3000000)';
    const fates = new Set<string>();
    for (let at = 0; at < 300; at++)
      fates.add(
        await run(store, counted, { timeoutMs: 1 + (at % 30) }).then(
          ({ rows }) => JSON.stringify(rows),
          (error: unknown) => (error instanceof LogQueryFailedError ? error.failure : String(error)),
        ),
      );
    for (const fate of fates) expect(fate).toMatch(/^(time|\[\{"n":7\}\]|LogStoreBusyError: .*)$/);
  });

  it('refuses appends before more waits than may, and takes them later', async () => {
    const store = await open({ maxPendingBytes: 300_000 });
    const big = () => logEntries(200, () => ({ eventMessage: 'x'.repeat(1_000) }));
    const fates = await Promise.allSettled(
      Array.from({ length: 10 }, () => store.append('edge_logs', big())),
    );
    const refused = fates.flatMap((fate) => (fate.status === 'rejected' ? [fate.reason] : []));
    expect(refused.length).toBeGreaterThanOrEqual(8);
    for (const reason of refused) expect(reason).toBeInstanceOf(LogStoreBusyError);
    expect(await store.append('edge_logs', big())).toMatchObject({ accepted: 200 });
    expect((await store.counts()).edge_logs).toBe(200 * (10 - refused.length + 1));
  });

  it('takes the appends of a tenant while those of another fill its share', async () => {
    const store = await open({ maxPendingBytes: 300_000 });
    const entries = (count: number) => logEntries(count, () => ({ eventMessage: 'x'.repeat(1_000) }));
    const many = Array.from({ length: 10 }, () => store.append('edge_logs', entries(90), 'one'));
    const other = store.append('auth_logs', entries(50), 'another');
    const fates = await Promise.allSettled(many);
    expect(fates.filter(({ status }) => status === 'rejected').length).toBeGreaterThan(0);
    expect(await other).toMatchObject({ accepted: 50 });
  });

  it('refuses queries when too many wait', async () => {
    const store = await open({ readers: 1, maxWaiting: 2 });
    const abort = new AbortController();
    const running = [1, 2, 3].map((seed) => failureOf(run(store, slow(seed), { signal: abort.signal })));
    expect(await failureOf(run(store, 'SELECT 1 AS n'))).toBeInstanceOf(LogStoreBusyError);
    abort.abort();
    expect(await Promise.all(running)).toEqual(['cancelled', 'cancelled', 'cancelled']);
    expect((await run(store, 'SELECT 1 AS n')).rows).toEqual([{ n: 1 }]);
  });

  it('puts what its WAL holds into the tables before that is too much, also what another process left there', async () => {
    const store = await open();
    const walBytes = async () => (await stat(stores.path('logs.duckdb.wal')).catch(() => null))?.size ?? 0;
    const large = () => logEntries(200, () => ({ eventMessage: 'x'.repeat(60_000) }));
    for (let batch = 0; batch < 3; batch++) await store.append('edge_logs', large());
    expect(await walBytes()).toBeGreaterThan(30_000_000);
    process.kill(store.pid, 'SIGKILL');
    for (let batch = 0; batch < 3; batch++) await store.append('edge_logs', large());
    // Answered after whatever the batches before it brought about.
    await store.append('edge_logs', logEntries(1));
    expect(await walBytes()).toBeLessThan(1_000_000);
    expect((await store.counts()).edge_logs).toBe(1_201);
  });

  it('knows ids that memory no longer holds, also after a restart', async () => {
    const few = { recentIds: 20_000 };
    const store = await open(few);
    const batches = Array.from({ length: 60 }, () => logEntries(1_000));
    for (const batch of batches) await store.append('edge_logs', batch);
    for (const batch of [batches[0], batches[30], batches[59]]) {
      expect(await store.append('edge_logs', batch ?? [])).toEqual({ accepted: 0, duplicates: 1_000 });
    }
    await store.close();
    const reopened = await open(few);
    for (const batch of [batches[1], batches[31], batches[58]]) {
      expect(await reopened.append('edge_logs', batch ?? [])).toEqual({ accepted: 0, duplicates: 1_000 });
    }
    expect((await reopened.counts()).edge_logs).toBe(60_000);
  });

  it('is opened by a command itself where no server runs', async () => {
    const url = `duckdb:${stores.path('logs.duckdb')}`;
    const command = stores.closing(await openLogStore(url, { ...MEMORY, mode: 'command' }));
    expect(existsSync(stores.path('logs.duckdb'))).toBe(false);
    await command.append('edge_logs', logEntries(2));
    await command.close();
    const server = stores.closing(await openLogStore(url, { ...MEMORY, mode: 'server' }));
    expect((await server.counts()).edge_logs).toBe(2);
  });
});
