/** A query made at random gives the same rows on each engine, in the same order where it says one. */
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { LogQueryFailedError } from '../../../../src/foundation/log-store/log-store.js';
import type { Json, JsonRecord } from '../../../../src/foundation/log-store/sources.js';
import { QueryProblem } from '../../../../src/logs/sql/query-problem.js';
import { describeOnClickhouse } from '../../../support/clickhouse/clickhouse-server.js';
import { openOnClickhouse } from '../../../support/clickhouse/own-database.js';
import { logEntries, NOON } from '../../../support/log-entries.js';
import {
  type LogQueries,
  openLogQueries,
  openOnDuckDb,
  openQueriesOn,
} from '../../../support/log-queries.js';
import { propertyRuns } from '../../../support/property-runs.js';
import { anyQuery } from '../../../support/random-queries.js';

const SOURCES = ['edge_logs', 'function_logs'];

const WORDS = ['a', 'Größe', '', '5', 'true', '2026-03-17', '{"n": 1}', 'x/y "z"'];

const entries = (from: number) =>
  logEntries(6, (at) => ({
    // No two at the same time: what is cut off by a limit is then the same.
    timestamp: NOON + (from + at) * 1_234_567,
    eventMessage: `message ${from + at}`,
    metadata: {
      project_ref: 'one',
      text: WORDS[at] ?? 'mine',
      request: { path: `/${WORDS[at]}`, n: at % 2 === 0 ? at : at + 0.5 },
      tags: at % 3 === 0 ? [WORDS[at] ?? '', at] : [],
      ...(at % 2 === 0 && { mixed: at % 4 === 0 ? at : [at] }),
    },
  }));

let duckDb: LogQueries;
let clickhouse: LogQueries;

/** The same in any order of rows and elements. */
const unordered = (value: Json): Json => {
  if (typeof value === 'string') return /^[[{]/.test(value) ? textUnordered(value) : value;
  if (value === null || typeof value !== 'object') return value;
  if (Array.isArray(value))
    return value
      .map(unordered)
      .map((item) => JSON.stringify(item))
      .sort();
  return Object.fromEntries(Object.entries(value as JsonRecord).map(([name, of]) => [name, unordered(of)]));
};

const textUnordered = (text: string): Json => {
  try {
    return unordered(JSON.parse(text));
  } catch {
    return text;
  }
};

const outcomeOf = async (queries: LogQueries, sql: string): Promise<Json> => {
  try {
    return unordered((await queries.rows(sql)).map((row) => row));
  } catch (error) {
    if (error instanceof QueryProblem) return 'refused';
    if (error instanceof LogQueryFailedError) return `failed: ${error.failure} ${String(error.cause)}`;
    throw error;
  }
};

describeOnClickhouse('on ClickHouse and DuckDB', () => {
  beforeAll(async () => {
    const same = { edge_logs: entries(0), function_logs: entries(6) };
    openQueriesOn(openOnDuckDb);
    duckDb = await openLogQueries(same);
    openQueriesOn(openOnClickhouse);
    clickhouse = await openLogQueries(same);
  });
  afterAll(async () => {
    await duckDb.close();
    await clickhouse.close();
  });

  it('any query gives the same', async () => {
    await fc.assert(
      fc.asyncProperty(anyQuery(SOURCES), async (sql) => {
        expect(await outcomeOf(clickhouse, sql)).toEqual(await outcomeOf(duckDb, sql));
      }),
      propertyRuns(200),
    );
  });
});
