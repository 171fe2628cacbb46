/**
 * Writes entries in this node's turns. Waiting appends are written as one group: one insert into each source's table, then one link
 * that commits all of them, and then their answers. Ids of the last 24 hours are skipped. When a group does not get through, because
 * the turn was lost or the server gave no answer, what is there of it is looked up in the next turn, so that an entry that
 * this group wrote is not counted as a duplicate of itself.
 */
import { takenGroup } from '../../foundation/log-store/append-groups.js';
import { EntryKeyer, type EntryKeys, type SelectedEntries } from '../../foundation/log-store/entry-keys.js';
import { type FieldTable, KeptFields } from '../../foundation/log-store/kept-fields.js';
import {
  type AppendedEntries,
  LogStoreUnavailableError,
  type ProjectChoice,
} from '../../foundation/log-store/log-store.js';
import { type PackedColumns, readPacked } from '../../foundation/log-store/packed-entries.js';
import type { LogSource } from '../../foundation/log-store/sources.js';
import { type ClickhouseConnection, ServerRefusal } from './connection.js';
import { KnownIds } from './known-ids.js';
import { BLOCK_STRUCTURE, type NativeBlock, nativeBlock, setPositions } from './native-block.js';
import { removeEntries } from './removal.js';
import { insertLimit } from './replicas.js';
import { addOwnSource, allSources } from './source-tables.js';
import { identifier } from './sql/clickhouse-sql.js';
import { fieldTable } from './stored-fields.js';
import { EPOCH_HOLDS, type Link, TurnLostError, type WriteTurns } from './write-turns.js';

export interface WriterOptions {
  /** Ids held in memory. */
  readonly recentIds: number;
  /** Projects whose fields are kept, of those that come through tokens that are not tied. */
  readonly maxProjects: number;
  readonly secret: Buffer;
}

interface Waiting {
  readonly columns: PackedColumns;
  readonly keys: EntryKeys;
  /** Of all entries, made while another group was written. Almost always all entries are written. */
  readonly block: NativeBlock;
  readonly resolve: (answer: AppendedEntries) => void;
  readonly reject: (reason: unknown) => void;
  /** Where attempts have put rows that may be there. */
  readonly attempts: { readonly rows: readonly number[]; readonly from: number; readonly to: number }[];
}

interface Selected extends SelectedEntries {
  readonly waiting: Waiting;
  /** Rows that an attempt before has written. */
  readonly written: number;
}

const ATTEMPTS = 4;
/** How long a turn is kept without work. */
const IDLE_MS = 100;
/** How long a turn lasts while another node waits for one. */
const TURN_MS = 100;
/** One block of an insert, so that it is one part: all of it is there, or nothing. */
const ONE_BLOCK = {
  max_insert_threads: '1',
  max_threads: 1,
  max_block_size: '10000000',
  max_insert_block_size: '10000000',
  min_insert_block_size_rows: '10000000',
  min_insert_block_size_bytes: '4000000000',
};
const QUERY_WAS_CANCELLED = 394;
const DAY_MICROS = 24 * 60 * 60 * 1_000_000;

export class EntryWriter {
  readonly #connection: ClickhouseConnection;
  readonly #turns: WriteTurns;
  readonly #keyer: EntryKeyer;
  readonly #ids: KnownIds;
  readonly #table: FieldTable;
  readonly #fields: KeptFields;
  #sources: readonly LogSource[] = [];
  /** The epoch that `#begin` has prepared for, and the state that it has read. */
  #epoch = 0;
  #seen = { fields: -1, sources: -1 };
  #position = 0;
  #versions = 0;
  #waiting: Waiting[] = [];
  #work: Promise<void> = Promise.resolve();
  #tasks = 0;
  #draining = false;
  #turnBegan = 0;
  /** Whether another node waits for the turn, as asked beside the last link. */
  #asked: Promise<boolean> | null = null;
  #idle: NodeJS.Timeout | null = null;

  constructor(connection: ClickhouseConnection, turns: WriteTurns, options: WriterOptions) {
    this.#connection = connection;
    this.#turns = turns;
    this.#keyer = new EntryKeyer(options.secret);
    this.#ids = new KnownIds(connection, options.recentIds);
    this.#table = fieldTable(connection, () => this.#turns.next * 1_000 + (++this.#versions % 1_000));
    const asOne = (work: () => Promise<void>): Promise<void> => work();
    this.#fields = new KeptFields({ table: this.#table, maxProjects: options.maxProjects, asOne });
  }

  /** Of the last entry that this node knows to be acknowledged. */
  get position(): number {
    return this.#position;
  }

  append(packed: Uint8Array): Promise<AppendedEntries> {
    const columns = readPacked(packed);
    const keys = this.#keyer.keysOf(columns);
    const rows = Array.from({ length: columns.count }, (_, row) => row);
    const block = nativeBlock({ columns, keys, rows });
    return new Promise((resolve, reject) => {
      this.#waiting.push({ columns, keys, block, resolve, reject, attempts: [] });
      if (this.#draining) return;
      this.#draining = true;
      this.#drainInTurn();
    });
  }

  removeBefore(source: LogSource, timestamp: number, whose?: ProjectChoice): Promise<number> {
    return this.#inTurn(async () => {
      await this.#begin();
      const removed = await removeEntries(this.#connection, { source, timestamp, ...(whose && { whose }) });
      if (removed === 0) return 0;
      await this.#fields.narrow(source, { looking: this.#table, inTurn: (work) => work() });
      await this.#commit({ fields: this.#turns.next });
      return removed;
    });
  }

  addSource(source: LogSource): Promise<void> {
    return this.#inTurn(async () => {
      await this.#begin();
      if (this.#sources.includes(source)) return;
      await addOwnSource(this.#connection, source, this.#sources.length);
      await this.#commit({ sources: this.#turns.next });
      this.#sources = await allSources(this.#connection);
    });
  }

  /** Resolves when all pending work is done and the turn is free. */
  async close(): Promise<void> {
    while (this.#tasks > 0) await this.#work;
    await this.#release().catch(() => undefined);
  }

  /** Runs one task at a time. */
  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    if (this.#idle) clearTimeout(this.#idle);
    this.#tasks++;
    const done = this.#work.then(work).catch(async (error: unknown) => {
      await this.#giveUp(error);
      throw error;
    });
    this.#work = done.then(
      () => undefined,
      () => undefined,
    );
    this.#work = this.#work.then(() => this.#afterTask());
    return done;
  }

  async #afterTask(): Promise<void> {
    const asked = this.#asked ?? this.#askIfDue();
    this.#asked = null;
    if (await asked) await this.#release({ toOther: true }).catch(() => undefined);
    else if (asked !== null) this.#turnBegan = performance.now();
    if (--this.#tasks > 0 || this.#epoch === 0) return;
    this.#idle = setTimeout(() => {
      if (this.#tasks === 0) this.#inTurn(() => this.#release()).catch(() => undefined);
    }, IDLE_MS);
    this.#idle.unref();
  }

  /** Asks whether another node waits, when the turn has lasted; else null. */
  #askIfDue(): Promise<boolean> | null {
    if (this.#epoch === 0 || performance.now() - this.#turnBegan <= TURN_MS) return null;
    return this.#turns.isWanted().catch(() => false);
  }

  async #release(given?: Parameters<WriteTurns['free']>[0]): Promise<void> {
    this.#epoch = 0;
    await this.#turns.free(given);
  }

  /** After a task that failed in the middle: what it has changed is read in the next turn. */
  async #giveUp(error: unknown): Promise<void> {
    // All of a task that was refused was answered, so no other node has to wait.
    if (isRefused(error)) await this.#release({ isChanged: true }).catch(() => undefined);
    else this.#abandon();
  }

  #abandon(): void {
    this.#epoch = 0;
    this.#turns.abandon();
  }

  #drainInTurn(): void {
    // One group for each task, so that others get their turn in between.
    this.#inTurn(async () => {
      await this.#write(takenGroup(this.#waiting));
      if (this.#waiting.length > 0) this.#drainInTurn();
      else this.#draining = false;
    });
  }

  async #write(group: readonly Waiting[], attempt = 1): Promise<void> {
    try {
      const answers = await this.#attempt(group);
      for (const [index, { resolve }] of group.entries()) {
        const answer = answers[index];
        if (answer) resolve(answer);
      }
    } catch (error) {
      this.#abandon();
      // A batch that the server refuses must not fail the others.
      if (isRefused(error) && group.length > 1) for (const one of group) await this.#write([one], attempt);
      else if (isLost(error) && attempt < ATTEMPTS) await this.#write(group, attempt + 1);
      else for (const { reject } of group) reject(unavailable(error));
    }
  }

  async #attempt(group: readonly Waiting[]): Promise<readonly AppendedEntries[]> {
    await this.#begin();
    const selected: Selected[] = [];
    try {
      const now = Date.now();
      for (const waiting of group) selected.push(await this.#select(waiting, Math.floor(now / 1_000)));
      const learned = await this.#fields.learn(group.map(({ columns }) => columns));
      const position = await this.#insert(selected, now * 1_000);
      await this.#commit({ position, ...(learned.rows.length > 0 && { fields: this.#turns.next }) });
      this.#fields.remember(learned);
      this.#ids.wrote(position);
      this.#position = position;
    } catch (error) {
      for (const { keys, rows } of selected) this.#ids.remove(keys, rows);
      throw error;
    }
    return selected.map(({ columns, rows, written }) => ({
      accepted: rows.length + written,
      duplicates: columns.count - rows.length - written,
    }));
  }

  /** Takes the turn, unless this node has it, and reads what others have written since the last one. */
  async #begin(): Promise<void> {
    const { epoch, before, isTakeover } = await this.#turns.take();
    if (epoch === this.#epoch) return;
    if (before.sources !== this.#seen.sources || isTakeover)
      this.#sources = await allSources(this.#connection);
    // Entries of an ended turn that no link commits are there for good.
    const last = isTakeover ? Math.max(before.position, await this.#lastWritten()) : before.position;
    await this.#ids.catchUp(this.#sources, last);
    if (before.fields !== this.#seen.fields || isTakeover) await this.#fields.load(this.#sources);
    this.#seen = before;
    this.#position = last;
    this.#epoch = epoch;
    this.#turnBegan = performance.now();
  }

  async #lastWritten(): Promise<number> {
    const tables = this.#sources.map((source) => `SELECT max(_position) AS last FROM ${identifier(source)}`);
    const [[last] = [0]] = await this.#connection.rows<[number]>(
      `SELECT max(last) FROM (${tables.join(' UNION ALL ')})`,
    );
    return last;
  }

  async #commit(changes: Partial<Pick<Link, 'position' | 'fields' | 'sources'>>): Promise<void> {
    // Beside the link, which takes as long.
    this.#asked = this.#askIfDue();
    const { fields, sources } = await this.#turns.commit({ position: this.#position, ...changes });
    this.#seen = { fields, sources };
  }

  /** Marks ids as known; `KnownIds.remove` undoes it. */
  async #select(waiting: Waiting, second: number): Promise<Selected> {
    const { columns, keys } = waiting;
    if (!this.#sources.includes(columns.source))
      throw new LogStoreUnavailableError(`there is no source ${columns.source}`);
    let written = 0;
    for (const attempt of waiting.attempts)
      written += (await this.#ids.written(columns.source, keys, attempt)).length;
    // Last, as the caller undoes it only when it has the answer.
    const rows = await this.#ids.add(columns.source, keys, second);
    return { waiting, columns, keys, rows, written };
  }

  /** Returns the position of the last entry. `now`: microseconds since 1970. */
  async #insert(selected: readonly Selected[], now: number): Promise<number> {
    const count = selected.reduce((sum, { rows }) => sum + rows.length, 0);
    let next = firstPosition(Math.max(now, this.#position + 1), count);
    const bySource = new Map<LogSource, Uint8Array[]>();
    for (const { waiting, columns, keys, rows } of selected) {
      if (rows.length === 0) continue;
      const block = rows.length === columns.count ? waiting.block : nativeBlock({ columns, keys, rows });
      setPositions(block, next);
      waiting.attempts.push({ rows, from: next, to: next + rows.length - 1 });
      next += rows.length;
      bySource.set(columns.source, [...(bySource.get(columns.source) ?? []), block.bytes]);
    }
    await Promise.all([...bySource].map(([source, blocks]) => this.#insertInto(source, blocks)));
    return count === 0 ? this.#position : next - 1;
  }

  /** The server makes one part of all the blocks. */
  #insertInto(source: LogSource, blocks: readonly Uint8Array[]): Promise<void> {
    const columns = 'id, timestamp, event_message, metadata, project, _owner, _entry_key, _position';
    return this.#connection.insert(
      `INSERT INTO ${identifier(source)} (${columns}) SELECT ${columns} FROM input('${BLOCK_STRUCTURE}') WHERE ${EPOCH_HOLDS} FORMAT Native`,
      blocks,
      {
        values: { epoch: this.#epoch },
        settings: { ...ONE_BLOCK, ...insertLimit(this.#connection.cluster), log_comment: this.#turns.mark },
      },
    );
  }
}

/** The positions of a group lie in one day, as a day is a partition and a partition is a part. */
const firstPosition = (from: number, count: number): number => {
  const nextDay = (Math.floor(from / DAY_MICROS) + 1) * DAY_MICROS;
  return from + count > nextDay ? nextDay : from;
};

/** The turn was lost, or another node has ended an insert of it. */
const isLost = (error: unknown): boolean =>
  error instanceof TurnLostError || (error instanceof ServerRefusal && error.code === QUERY_WAS_CANCELLED);

const isRefused = (error: unknown): boolean => error instanceof ServerRefusal && !isLost(error);

const unavailable = (error: unknown): unknown =>
  error instanceof ServerRefusal
    ? new LogStoreUnavailableError(`ClickHouse did not take the entries: ${error.message}`, { cause: error })
    : error;
