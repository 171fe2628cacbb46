/**
 * Runs checked queries under the user for reading, each within its limits of time, memory and rows. Queries are checked
 * before; `readonly` is the second defence: nothing is written, and no file or address is opened.
 */
import { randomUUID } from 'node:crypto';
import type { ClickHouseSettings } from '@clickhouse/client';
import { LogQueryFailedError, type LogRows, type RunOptions } from '../../foundation/log-store/log-store.js';
import type { QueryEngine, StartedQuery } from '../../foundation/log-store/queries/query-attempt.js';
import { type ClickhouseConnection, ServerRefusal } from './connection.js';
import { failureOf } from './query-failure.js';
import { QUERY_SETTINGS } from './sql/print-query.js';
import { readRows } from './sql/rows.js';

/** As `readRows` takes it. */
const FORMAT = 'JSONCompactEachRowWithNamesAndTypes';
const MAX_RESULT_BYTES = 64 * 1024 * 1024;
const MB = 1024 * 1024;
/** How much longer than the limit a query runs when this process cannot end it. */
const SPARE_SECONDS = 10;
/** The server may not notice the end of a query that has just begun. */
const STOP_AGAIN_MS = 50;

export class QueryRunner implements QueryEngine {
  readonly #connection: ClickhouseConnection;
  readonly #memoryMb: number;

  constructor(connection: ClickhouseConnection, memoryMb: number) {
    this.#connection = connection;
    this.#memoryMb = memoryMb;
  }

  start(sql: string, options: RunOptions): StartedQuery {
    const queryId = `podium-${randomUUID()}`;
    let ended: 'time' | 'cancelled' | null = null;
    let again: NodeJS.Timeout | null = null;
    const stop = (): void => {
      this.#connection.stop(queryId).catch(() => undefined);
      again = setTimeout(stop, STOP_AGAIN_MS);
    };
    const end = (why: 'time' | 'cancelled'): void => {
      if (ended !== null) return;
      ended = why;
      stop();
    };
    const timer = setTimeout(() => end('time'), options.timeoutMs);
    const rows = this.#run(sql, queryId, options)
      .catch((error: unknown) => {
        if (!(error instanceof ServerRefusal)) throw error;
        if (ended === 'time') throw new LogQueryFailedError('time', 'the query took too long');
        if (ended === 'cancelled') throw new LogQueryFailedError('cancelled', 'the query was cancelled');
        throw failureOf(error);
      })
      .finally(() => {
        clearTimeout(timer);
        if (again) clearTimeout(again);
        // Nothing is left to stop.
        ended ??= 'cancelled';
      });
    return { rows, stop: () => end('cancelled') };
  }

  /** A server ends no other query for one that does not stop: its own limit of time ends that. */
  kill(): void {}

  async #run(sql: string, queryId: string, options: RunOptions): Promise<LogRows> {
    const body = await this.#connection.query(`${sql} FORMAT ${FORMAT}`, {
      values: valuesOf(sql, options),
      settings: this.#settings(options),
      queryId,
    });
    return readRows(body.toString(), options.maxRows);
  }

  #settings({ maxRows, timeoutMs }: RunOptions): ClickHouseSettings {
    const bytes = this.#memoryMb * MB;
    return {
      ...QUERY_SETTINGS,
      max_query_size: String(QUERY_SETTINGS.max_query_size),
      // One more tells that there are more.
      limit: String(maxRows + 1),
      max_execution_time: Math.ceil(timeoutMs / 1_000) + SPARE_SECONDS,
      max_memory_usage: String(bytes),
      // Groups and sorts go to the server's disk before that.
      max_bytes_before_external_group_by: String(Math.floor(bytes / 2)),
      max_bytes_before_external_sort: String(Math.floor(bytes / 2)),
      max_result_bytes: String(MAX_RESULT_BYTES),
      result_overflow_mode: 'throw',
      readonly: '1',
    };
  }
}

/** The values of the parameters that a statement names. A number is the moment, or a bound of the range. */
const valuesOf = (
  sql: string,
  { parameters, now, range }: RunOptions,
): Record<string, string | number | null> => {
  const values: Record<string, string | number | null> = { now };
  for (const [, name = ''] of sql.matchAll(/\{(\w+):Nullable\(String\)\}/g))
    values[name] = Object.hasOwn(parameters, name) ? (parameters[name] ?? null) : null;
  return range ? { ...values, ...range } : values;
};
