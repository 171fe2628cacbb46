/**
 * The only writer. Waiting appends are committed as one group with one disk flush, and answered after the commit. Ids
 * received within 24 hours are skipped. New fields are stored in the same commit. The time of receipt is also the position of
 * an entry: later groups have later ones, also when the clock is put back.
 */
import {
  BIGINT,
  BOOLEAN,
  type DuckDBAppender,
  type DuckDBConnection,
  type DuckDBDataChunk,
  LIST,
  listValue,
  UBIGINT,
  VARCHAR,
} from '@duckdb/node-api';
import { takenGroup } from '../../foundation/log-store/append-groups.js';
import { EntryKeyer, type EntryKeys, type SelectedEntries } from '../../foundation/log-store/entry-keys.js';
import type { KeptFields } from '../../foundation/log-store/kept-fields.js';
import { type PackedColumns, readPacked } from '../../foundation/log-store/packed-entries.js';
import { RecentIds } from '../../foundation/log-store/recent-ids.js';
import type { LogSource } from '../../foundation/log-store/sources.js';
import { type Engine, MERGES } from './engine.js';
import { chunksOf, setReceivedAt } from './entry-chunks.js';
import type { AppendAnswer, RemoveMessage } from './messages.js';
import { type SourceTables, tableOf } from './source-tables.js';
import { fieldTable, isOwnerAmong, openKeptFields } from './stored-fields.js';
import type { WritingConnection } from './writing-connection.js';

const WINDOW_SECONDS = 24 * 60 * 60;
/** Above this size the WAL is checkpointed. A smaller limit slows ingestion, a larger one the next start. */
const CHECKPOINT_AFTER_BYTES = 64 * 1024 * 1024;
/**
 * How often a checkpoint may also merge small row groups, which rewrites entries that are on disk already and takes a second
 * or more. In between, groups of the size of the WAL stand side by side.
 */
const MERGE_EVERY_MS = 60_000;

export interface WriterOptions {
  /** Ids held in memory. */
  readonly maxIds: number;
  /** Projects whose fields are kept. */
  readonly maxProjects: number;
  /** Whether queries are running. */
  readonly isQuerying: () => boolean;
}

interface Waiting {
  readonly columns: PackedColumns;
  readonly keys: EntryKeys;
  /** Chunks of all entries, made while another group was committed. Almost always all entries are written. */
  readonly chunks: readonly DuckDBDataChunk[];
  readonly resolve: (answer: AppendAnswer) => void;
  readonly reject: (reason: unknown) => void;
}

/** What is read from the file when it is opened. */
interface Loaded {
  readonly recent: RecentIds;
  readonly fields: KeptFields;
  readonly position: bigint;
}

interface Selected extends SelectedEntries {
  readonly chunks: readonly DuckDBDataChunk[];
}

export class EntryWriter {
  readonly #connection: WritingConnection;
  readonly #sources: SourceTables;
  readonly #othersAtWork: () => boolean;
  readonly #keyer: EntryKeyer;
  readonly #recent: RecentIds;
  readonly #fields: KeptFields;
  #waiting: Waiting[] = [];
  #turn: Promise<void> = Promise.resolve();
  #draining = false;
  #walBytes: number;
  #position: bigint;
  #mergedAt = performance.now();

  private constructor(engine: Engine, { recent, fields, position }: Loaded, { isQuerying }: WriterOptions) {
    this.#connection = engine.writer;
    this.#sources = engine.sources;
    // With one engine thread, only the calling thread can do the work.
    this.#othersAtWork = engine.threads > 1 ? isQuerying : () => true;
    this.#keyer = new EntryKeyer(engine.secret);
    this.#recent = recent;
    this.#fields = fields;
    this.#walBytes = engine.walBytes;
    this.#position = position;
  }

  /** Time of receipt of the last entry on disk, in microseconds since 1970. 0: there is none. */
  get position(): number {
    return Number(this.#position);
  }

  /** Loads the ids received recently. */
  static async open(engine: Engine, options: WriterOptions): Promise<EntryWriter> {
    const recent = await recentIds(engine, options.maxIds);
    const fields = await openKeptFields(engine.writer, engine.sources.names, options.maxProjects);
    const position = await lastPosition(engine);
    return new EntryWriter(engine, { recent, fields, position }, options);
  }

  append(packed: Uint8Array): Promise<AppendAnswer> {
    const columns = readPacked(packed);
    const keys = this.#keyer.keysOf(columns);
    const rows = Array.from({ length: columns.count }, (_, row) => row);
    const chunks = chunksOf({ columns, keys, rows });
    return new Promise((resolve, reject) => {
      this.#waiting.push({ columns, keys, chunks, resolve, reject });
      if (this.#draining) return;
      this.#draining = true;
      this.#inTurn(() => this.#drain());
    });
  }

  /** `looking`: a connection that no transaction uses. */
  async removeBefore(
    { source, timestamp, whose }: RemoveMessage,
    looking: DuckDBConnection,
  ): Promise<number> {
    const chosen = whose === undefined ? '' : ` AND ${isOwnerAmong(source, '$projects')} <> $others`;
    const removed = await this.#inTurn(async () => {
      const result = await this.#connection.run(
        `DELETE FROM ${tableOf(source)} WHERE "timestamp" < make_timestamp($before)${chosen}`,
        {
          before: BigInt(timestamp),
          ...(whose && { projects: listValue([...whose.projects]), others: whose.others }),
        },
        { before: BIGINT, ...(whose && { projects: LIST(VARCHAR), others: BOOLEAN }) },
      );
      return result.rowsChanged;
    });
    if (removed > 0)
      await this.#fields.narrow(source, {
        looking: fieldTable(looking),
        inTurn: (work) => this.#inTurn(work),
      });
    return removed;
  }

  addSource(source: LogSource): Promise<void> {
    return this.#inTurn(() => this.#sources.add(source));
  }

  /** Resolves when all pending work is done. */
  async idle(): Promise<void> {
    await this.#turn;
  }

  /** Runs one task at a time on the connection. */
  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#turn.then(work);
    this.#turn = done.then(
      () => undefined,
      () => undefined,
    );
    return done;
  }

  async #drain(): Promise<void> {
    // One group for each turn, so that other tasks get the connection in between.
    const group = takenGroup(this.#waiting);
    await this.#write(group);
    if (this.#walBytes > CHECKPOINT_AFTER_BYTES) await this.#checkpoint();
    if (this.#waiting.length > 0) this.#inTurn(() => this.#drain());
    else this.#draining = false;
  }

  /** Checkpoints after the group was answered. When the engine refuses, it is retried after the next group. */
  async #checkpoint(): Promise<void> {
    const merges = performance.now() - this.#mergedAt > MERGE_EVERY_MS;
    try {
      await this.#connection.run(`SET GLOBAL ${MERGES} = ${merges ? 1 : 0}`);
      await this.#connection.runPolling('CHECKPOINT', this.#othersAtWork);
      this.#walBytes = 0;
      if (merges) this.#mergedAt = performance.now();
    } catch {
      // Nothing is lost: everything is in the WAL.
    }
  }

  async #write(group: readonly Waiting[]): Promise<void> {
    const selected: Selected[] = [];
    try {
      const answers = await this.#commit(group, selected);
      for (const [index, { resolve }] of group.entries()) {
        const answer = answers[index];
        if (answer) resolve(answer);
      }
    } catch (error) {
      await this.#takeBack(selected);
      // A batch that the engine refuses must not fail the others.
      if (group.length > 1) for (const one of group) await this.#write([one]);
      else for (const { reject } of group) reject(error);
    }
  }

  async #commit(group: readonly Waiting[], selected: Selected[]): Promise<AppendAnswer[]> {
    const now = Date.now();
    const second = Math.floor(now / 1_000);
    await this.#connection.run('BEGIN');
    for (const waiting of group) selected.push(await this.#select(waiting, second));
    const position = await this.#insert(selected, BigInt(now) * 1_000n);
    const learned = await this.#fields.learn(group.map(({ columns }) => columns));
    await this.#connection.runPolling('COMMIT', this.#othersAtWork);
    this.#position = position;
    this.#fields.remember(learned);
    for (const { columns } of selected) this.#walBytes += columns.messageBytes + columns.metadataBytes;
    return selected.map(({ columns, rows }) => ({
      accepted: rows.length,
      duplicates: columns.count - rows.length,
      learned: learned.projects,
    }));
  }

  /** Marks ids as seen; `#takeBack` undoes it. */
  async #select({ columns, keys, chunks }: Waiting, second: number): Promise<Selected> {
    const older = await this.#inTables(columns.source, keys, second);
    const rows: number[] = [];
    for (let row = 0; row < columns.count; row++) {
      const low = keys[2 * row] ?? 0;
      const high = keys[2 * row + 1] ?? 0;
      if (older?.has(keyNumber(low, high))) continue;
      if (this.#recent.add(low, high, second)) rows.push(row);
    }
    const isAll = rows.length === columns.count;
    return { columns, keys, rows, chunks: isAll ? chunks : chunksOf({ columns, keys, rows }) };
  }

  /** Keys of the last 24 hours that memory no longer holds; null: it holds all of them. */
  async #inTables(source: LogSource, keys: EntryKeys, second: number): Promise<Set<bigint> | null> {
    const from = second - WINDOW_SECONDS;
    const to = this.#recent.floor;
    if (to <= from) return null;
    const all = Array.from({ length: keys.length / 2 }, (_, row) =>
      keyNumber(keys[2 * row] ?? 0, keys[2 * row + 1] ?? 0),
    );
    const result = await this.#connection.runAndReadAll(
      `SELECT _entry_key FROM ${tableOf(source)} WHERE _received_at > make_timestamp($from) AND _received_at < make_timestamp($to)
       AND _entry_key IN (SELECT unnest($keys))`,
      { from: BigInt(from) * 1_000_000n, to: BigInt(to) * 1_000_000n, keys: listValue(all) },
      { from: BIGINT, to: BIGINT, keys: LIST(UBIGINT) },
    );
    return new Set(result.getRows().flatMap(([key]) => (typeof key === 'bigint' ? [key] : [])));
  }

  /** Returns the position of the last entry. `now`: microseconds since 1970. */
  async #insert(selected: readonly Selected[], now: bigint): Promise<bigint> {
    let next = now > this.#position ? now : this.#position + 1n;
    const appenders = new Map<LogSource, DuckDBAppender>();
    for (const one of selected) {
      const { source } = one.columns;
      const appender = appenders.get(source) ?? (await this.#connection.createAppender(source));
      appenders.set(source, appender);
      for (const chunk of one.chunks) {
        next = setReceivedAt(chunk, next);
        appender.appendDataChunk(chunk);
      }
    }
    for (const appender of appenders.values()) appender.closeSync();
    return next - 1n;
  }

  async #takeBack(selected: readonly Selected[]): Promise<void> {
    for (const { keys, rows } of selected) {
      for (const row of rows) this.#recent.remove(keys[2 * row] ?? 0, keys[2 * row + 1] ?? 0);
    }
    await this.#connection.run('ROLLBACK').catch(() => undefined);
  }
}

const keyNumber = (low: number, high: number): bigint => (BigInt(high) << 32n) | BigInt(low);

const recentIds = async ({ writer, sources }: Engine, most: number): Promise<RecentIds> => {
  const recent = new RecentIds(most);
  const after = Math.floor(Date.now() / 1_000) - WINDOW_SECONDS;
  const tables = sources.names.map((source) => `SELECT _received_at FROM ${tableOf(source)}`);
  const floor = await firstSecondHeld(writer, { tables, after, most });
  if (floor !== null) recent.forgetBefore(floor);
  const from = BigInt(Math.max(after, floor ?? 0)) * 1_000_000n;
  for (const source of sources.names) {
    const result = await writer.stream(
      `SELECT _entry_key, epoch(_received_at)::BIGINT FROM ${tableOf(source)} WHERE _received_at >= make_timestamp($from)`,
      { from },
      { from: BIGINT },
    );
    for await (const chunk of result) {
      const keys = chunk.getColumnValues(0);
      const seconds = chunk.getColumnValues(1);
      for (const [row, key] of keys.entries()) {
        if (typeof key === 'bigint') {
          recent.add(Number(key & 0xffff_ffffn), Number(key >> 32n), Number(seconds[row]));
        }
      }
    }
  }
  return recent;
};

const lastPosition = async ({ writer, sources }: Engine): Promise<bigint> => {
  const tables = sources.names.map((source) => `SELECT max(_received_at) AS last FROM ${tableOf(source)}`);
  const result = await writer.runAndReadAll(
    `SELECT coalesce(epoch_us(max(last)), 0) FROM (${tables.join(' UNION ALL ')})`,
  );
  const [[last] = []] = result.getRows();
  return typeof last === 'bigint' ? last : 0n;
};

/** The second from which the newest ids fit into memory; null: all ids of the window fit. */
const firstSecondHeld = async (
  connection: DuckDBConnection,
  {
    tables,
    after,
    most,
  }: { readonly tables: readonly string[]; readonly after: number; readonly most: number },
): Promise<number | null> => {
  const result = await connection.runAndReadAll(
    `SELECT epoch(minute)::BIGINT + 60 FROM (
       SELECT minute, sum(entries) OVER (ORDER BY minute DESC) AS held FROM (
         SELECT date_trunc('minute', _received_at) AS minute, count(*) AS entries FROM (${tables.join(' UNION ALL ')})
         WHERE _received_at >= make_timestamp($from) GROUP BY ALL))
     WHERE held > $most ORDER BY minute DESC LIMIT 1`,
    { from: BigInt(after) * 1_000_000n, most: BigInt(most) },
    { from: BIGINT, most: BIGINT },
  );
  const [[second] = []] = result.getRows();
  return typeof second === 'bigint' ? Number(second) : null;
};
