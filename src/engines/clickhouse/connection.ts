/**
 * The calls to a ClickHouse server, by its HTTP client. An error is one of two: the server refused (ServerRefusal), or there was no
 * answer (LogStoreUnavailableError), and then the call may have had its effect.
 */
import { randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';
import {
  ClickHouseError,
  ClickHouseLogLevel,
  type ClickHouseSettings,
  createClient,
} from '@clickhouse/client';
import { messageOf } from '../../foundation/basics/error-message.js';
import { LogStoreUnavailableError } from '../../foundation/log-store/log-store.js';
import type { ClickhouseAddress, ClickhouseUser } from './clickhouse-url.js';
import {
  type Cluster,
  isAway,
  isBehind,
  onCluster,
  onEachServer,
  replicaSettings,
  systemTable,
} from './replicas.js';

type Client = ReturnType<typeof createClient>;
type Values = Readonly<Record<string, string | number | null>>;

/** For a statement that lists keys or names. */
export const LONG_STATEMENT: ClickHouseSettings = { max_query_size: String(64 * 1024 * 1024) };

/** The server answered with an error. */
export class ServerRefusal extends Error {
  constructor(
    /** ClickHouse's number of the error; null: it gave none. */
    readonly code: number | null,
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
    this.name = 'ServerRefusal';
  }
}

export interface Call {
  /** Values of `{name:Type}` in the statement. */
  readonly values?: Values;
  readonly settings?: ClickHouseSettings;
  readonly signal?: AbortSignal;
  /** Pieces that are sent after the statement, in the format that it names. */
  readonly body?: readonly Uint8Array[];
  readonly queryId?: string;
}

/** Of a call that writes or looks something up. A query has its own limit. */
const CALL_TIMEOUT_MS = 60_000;
/** Beyond every limit of a query. */
const QUERY_TIMEOUT_MS = 24 * 60 * 60_000;
const MAX_CONNECTIONS = 64;
/** How long a call waits for a replica that lacks an insert which was answered elsewhere. */
const MAX_BEHIND_MS = 5_000;
const LOOK_AGAIN_MS = 20;

export class ClickhouseConnection {
  readonly #address: ClickhouseAddress;
  readonly #writing: Client;
  readonly #reading: Client;

  constructor(address: ClickhouseAddress) {
    this.#address = address;
    this.#writing = clientOf(address, address.writer, CALL_TIMEOUT_MS);
    this.#reading = clientOf(address, address.reader, QUERY_TIMEOUT_MS);
  }

  get database(): string {
    return this.#address.database;
  }

  /** The URL without passwords. */
  get shown(): string {
    return this.#address.shown;
  }

  get cluster(): Cluster {
    return this.#address.cluster;
  }

  async makeDatabase(): Promise<void> {
    const first = clientOf({ ...this.#address, database: 'default' }, this.#address.writer, CALL_TIMEOUT_MS);
    try {
      const values = { name: this.database };
      const known = `SELECT name FROM ${systemTable(this.cluster, 'databases')} WHERE name = {name:String}
        GROUP BY name HAVING ${onEachServer(this.cluster)} FORMAT TSV`;
      if ((await this.#call(first, known, { values })).length > 0) return;
      await this.#call(
        first,
        `CREATE DATABASE IF NOT EXISTS \`${this.database}\`${onCluster(this.cluster)}`,
        {},
      );
    } finally {
      await first.close();
    }
  }

  /** Runs a statement that has no result. */
  async command(statement: string, values: Values = {}, settings: ClickHouseSettings = {}): Promise<void> {
    await this.#call(this.#writing, statement, { values, settings });
  }

  /** Runs an INSERT whose data follows. */
  async insert(statement: string, body: readonly Uint8Array[], call: Omit<Call, 'body'>): Promise<void> {
    await this.#call(this.#writing, statement, { ...call, body });
  }

  /** Returns the rows of a SELECT of our own. Whole numbers beyond 2^53 lose digits. */
  async rows<T extends readonly unknown[]>(
    statement: string,
    values: Values = {},
    settings: ClickHouseSettings = {},
  ): Promise<readonly T[]> {
    const sql = `${statement} FORMAT JSONCompactEachRow`;
    const text = await this.#call(this.#writing, sql, { values, settings });
    return linesOf(text).map((line) => JSON.parse(line));
  }

  /** Returns the rows of a SELECT of our own in RowBinary. */
  bytes(statement: string, values: Values = {}, settings: ClickHouseSettings = {}): Promise<Buffer> {
    return this.#call(this.#writing, `${statement} FORMAT RowBinary`, { values, settings });
  }

  /** Runs a query of a client, under the user for reading. Rejects with the signal's reason when it is aborted. */
  query(statement: string, call: Call): Promise<Buffer> {
    return this.#call(this.#reading, statement, call);
  }

  /** Stops a query of `query`. */
  async stop(queryId: string): Promise<void> {
    const values = { queryId };
    await this.#call(this.#reading, 'KILL QUERY WHERE query_id = {queryId:String} ASYNC FORMAT Null', {
      values,
    });
  }

  async close(): Promise<void> {
    await this.#writing.close();
    await this.#reading.close();
  }

  async #call(client: Client, query: string, call: Call): Promise<Buffer> {
    for (const until = performance.now() + MAX_BEHIND_MS; ; ) {
      try {
        return await this.#callOnce(client, query, call);
      } catch (error) {
        if (!(error instanceof ServerRefusal && isBehind(error.code))) throw error;
        if (performance.now() > until) throw this.#away(error);
      }
      await pause(LOOK_AGAIN_MS);
    }
  }

  #away(error: unknown): LogStoreUnavailableError {
    const why = messageOf(error);
    return new LogStoreUnavailableError(`ClickHouse at ${this.shown} cannot be used: ${why}`, {
      cause: error,
    });
  }

  async #callOnce(client: Client, query: string, call: Call): Promise<Buffer> {
    const { values = {}, settings = {}, signal, body, queryId = randomUUID() } = call;
    try {
      const { stream } = await client.exec({
        query,
        query_params: values,
        clickhouse_settings: settings,
        query_id: queryId,
        ...(signal && { abort_signal: signal }),
        ...(body && { values: Readable.from(body, { objectMode: false }) }),
      });
      return await buffer(stream);
    } catch (error) {
      if (signal?.aborted) throw signal.reason;
      if (!(error instanceof ClickHouseError)) throw this.#away(error);
      const refusal = refusalOf(error);
      throw isAway(refusal.code) ? this.#away(error) : refusal;
    }
  }
}

/** The lines of a text in UTF-8 that has one at each end of a row. */
const linesOf = (text: Buffer): readonly string[] => text.toString().split('\n').filter(Boolean);

const clientOf = (
  { url, database, cluster }: ClickhouseAddress,
  { username, password }: ClickhouseUser,
  timeoutMs: number,
): Client =>
  createClient({
    url,
    database,
    username,
    password,
    request_timeout: timeoutMs,
    max_open_connections: MAX_CONNECTIONS,
    application: 'podium',
    // A failure is an error of the call.
    log: { level: ClickHouseLogLevel.OFF },
    // An error after the first rows would come in the middle of them.
    clickhouse_settings: {
      wait_end_of_query: 1,
      output_format_json_quote_64bit_integers: 0,
      ...replicaSettings(cluster),
    },
  });

const refusalOf = (error: ClickHouseError): ServerRefusal => {
  const code = Number(error.code);
  return new ServerRefusal(Number.isInteger(code) ? code : null, error.message, { cause: error });
};
