/**
 * Runs checked queries, each on its own connection. A result is built as JSON text chunk by chunk, up to its limits of
 * rows and bytes.
 */
import {
  BIGINT,
  type DuckDBConnection,
  type DuckDBInstance,
  type DuckDBPreparedStatement,
} from '@duckdb/node-api';
import type { QueryFailure } from '../../foundation/log-store/log-store.js';
import { EngineFailure, failureOf } from './engine-failure.js';
import type { RunMessage } from './messages.js';
import { jsonWriter } from './row-json.js';
import { RANGE_PARAMETERS } from './sql/print-query.js';

const MAX_RESULT_BYTES = 64 * 1024 * 1024;

const INTERRUPT_AGAIN_MS = 50;

/** A running query. */
interface Run {
  connection: DuckDBConnection | null;
  ended: QueryFailure | null;
}

export class QueryRunner {
  readonly #instance: DuckDBInstance;
  readonly #idle: DuckDBConnection[] = [];
  readonly #running = new Map<number, Run>();

  constructor(instance: DuckDBInstance) {
    this.#instance = instance;
  }

  get isRunning(): boolean {
    return this.#running.size > 0;
  }

  /** Returns JSON text of LogRows. Throws EngineFailure. */
  async run(call: number, message: RunMessage): Promise<string> {
    // Registered before it has a connection, because it may be cancelled that early.
    const run: Run = { connection: this.#idle.pop() ?? null, ended: null };
    this.#running.set(call, run);
    const timer = setTimeout(() => this.#end(call, 'time'), message.timeoutMs);
    try {
      run.connection ??= await this.#instance.connect();
      return await resultOf(run.connection, message, () => {
        if (run.ended !== null) throw new Error('interrupted');
      });
    } catch (error) {
      throw failureOf(error, run.ended);
    } finally {
      clearTimeout(timer);
      this.#running.delete(call);
      if (run.connection) this.#idle.push(run.connection);
    }
  }

  cancel(call: number): void {
    this.#end(call, 'cancelled');
  }

  #end(call: number, failure: QueryFailure): void {
    const run = this.#running.get(call);
    if (!run || run.ended) return;
    run.ended = failure;
    this.#interrupt(call);
  }

  /** Repeats the interrupt: the engine ignores one that arrives just before the query starts. */
  #interrupt(call: number): void {
    const run = this.#running.get(call);
    if (!run) return;
    run.connection?.interrupt();
    setTimeout(() => this.#interrupt(call), INTERRUPT_AGAIN_MS);
  }
}

const resultOf = async (
  connection: DuckDBConnection,
  message: RunMessage,
  stopIfOver: () => void,
): Promise<string> => {
  const { sql, maxRows } = message;
  const statement = await connection.prepare(`SELECT * FROM (${sql}) LIMIT ${maxRows + 1}`);
  try {
    bind(statement, message);
    stopIfOver();
    const result = await statement.stream();
    const columns = result.columnNames();
    const keys = columns.map((name) => JSON.stringify(name));
    const writers = result.columnTypes().map(jsonWriter);
    const rows: string[] = [];
    let bytes = 0;
    for await (const chunk of result) {
      stopIfOver();
      for (const row of chunk.getRows()) {
        const text = `{${row.map((value, at) => `${keys[at]}:${writers[at]?.(value)}`).join(',')}}`;
        bytes += text.length;
        if (bytes > MAX_RESULT_BYTES) throw new EngineFailure('memory', 'the result is larger than 64 MB');
        rows.push(text);
      }
    }
    // The rows of a query that was interrupted may just end, without an error.
    stopIfOver();
    const truncated = rows.length > maxRows;
    const body = (truncated ? rows.slice(0, maxRows) : rows).join(',');
    return `{"columns":${JSON.stringify(columns)},"rows":[${body}],"truncated":${truncated}}`;
  } finally {
    statement.destroySync();
  }
};

/** Binds only the parameters that the query names. All but the moment and the range are text. */
const bind = (statement: DuckDBPreparedStatement, { parameters, now, range }: RunMessage): void => {
  const numbers = new Map([['now', now]]);
  if (range) numbers.set(RANGE_PARAMETERS.after, range.after).set(RANGE_PARAMETERS.upTo, range.upTo);
  for (let index = 1; index <= statement.parameterCount; index++) {
    const name = statement.parameterName(index);
    const number = numbers.get(name);
    if (number !== undefined) {
      statement.bindValue(index, BigInt(number), BIGINT);
      continue;
    }
    const value = Object.hasOwn(parameters, name) ? parameters[name] : null;
    if (typeof value === 'string') statement.bindVarchar(index, value);
    else statement.bindNull(index);
  }
};
