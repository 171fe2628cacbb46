/**
 * The ids of the last 24 hours as a writing node knows them: in memory those that it has written, and those that other nodes have
 * written up to a position, which it reads when it gets the turn. Ids that memory no longer holds are looked up in the tables.
 */
import type { EntryKeys } from '../../foundation/log-store/entry-keys.js';
import { RecentIds } from '../../foundation/log-store/recent-ids.js';
import type { LogSource } from '../../foundation/log-store/sources.js';
import { type ClickhouseConnection, LONG_STATEMENT } from './connection.js';
import { identifier } from './sql/clickhouse-sql.js';

const WINDOW_SECONDS = 24 * 60 * 60;
const MICROS = 1_000_000;
/** Bytes of a row: key and position. */
const ROW_BYTES = 16;
/** Keys that one look-up names; each takes at most 21 bytes of the statement. */
const KEYS_AT_ONCE = 20_000;

export class KnownIds {
  readonly #connection: ClickhouseConnection;
  readonly #recent: RecentIds;
  readonly #most: number;
  /** All entries up to here are known; 0: none has been read. */
  #position = 0;

  /** `most`: how many ids to hold. */
  constructor(connection: ClickhouseConnection, most: number) {
    this.#connection = connection;
    this.#most = most;
    this.#recent = new RecentIds(most);
  }

  /** Reads what other nodes have written after what is known. `last`: the position of the last entry. */
  async catchUp(sources: readonly LogSource[], last: number): Promise<void> {
    if (last <= this.#position) return;
    const windowBegins = Date.now() * 1_000 - WINDOW_SECONDS * MICROS;
    const after = Math.max(this.#position, windowBegins, await this.#firstHeld(sources, windowBegins));
    if (after > windowBegins && after > this.#position) this.#recent.forgetBefore(Math.ceil(after / MICROS));
    for (const source of sources) {
      const rows = await this.#connection.bytes(
        `SELECT _entry_key, _position FROM ${identifier(source)} WHERE _position > {after:Int64} AND _position <= {last:Int64}`,
        { after, last },
      );
      for (let at = 0; at < rows.length; at += ROW_BYTES) {
        const second = Math.floor(Number(rows.readBigInt64LE(at + 8)) / MICROS);
        this.#recent.add(rows.readUInt32LE(at), rows.readUInt32LE(at + 4), second);
      }
    }
    this.#position = last;
  }

  /** Notes that everything up to here is known: this node has written it. */
  wrote(position: number): void {
    this.#position = position;
  }

  /**
   * Marks the ids of a batch as known, and returns the rows whose ids were not. `remove` undoes it. `second`: the time of receipt.
   */
  async add(source: LogSource, keys: EntryKeys, second: number): Promise<number[]> {
    const older = await this.#inTables(source, keys, second);
    const rows: number[] = [];
    for (let row = 0; 2 * row < keys.length; row++) {
      const [low, high] = keyAt(keys, row);
      if (!older.has(numberOf(low, high)) && this.#recent.add(low, high, second)) rows.push(row);
    }
    return rows;
  }

  remove(keys: EntryKeys, rows: readonly number[]): void {
    for (const row of rows) this.#recent.remove(...keyAt(keys, row));
  }

  /** Those of these rows that are in the table between two positions, both inclusive. */
  async written(
    source: LogSource,
    keys: EntryKeys,
    { rows, from, to }: { readonly rows: readonly number[]; readonly from: number; readonly to: number },
  ): Promise<readonly number[]> {
    const wanted = rows.map((row) => numberOf(...keyAt(keys, row)));
    const found = await this.#find(source, wanted, { from, to });
    return rows.filter((_, at) => found.has(wanted[at] ?? 0n));
  }

  /** Keys of the last 24 hours that memory no longer holds. */
  async #inTables(source: LogSource, keys: EntryKeys, second: number): Promise<ReadonlySet<bigint>> {
    const from = (second - WINDOW_SECONDS) * MICROS + 1;
    const to = this.#recent.floor * MICROS - 1;
    if (to <= from) return NONE;
    const all = Array.from({ length: keys.length / 2 }, (_, row) => numberOf(...keyAt(keys, row)));
    return this.#find(source, all, { from, to });
  }

  async #find(
    source: LogSource,
    keys: readonly bigint[],
    { from, to }: { readonly from: number; readonly to: number },
  ): Promise<ReadonlySet<bigint>> {
    const found = new Set<bigint>();
    for (let at = 0; at < keys.length; at += KEYS_AT_ONCE) {
      const rows = await this.#connection.bytes(
        `SELECT _entry_key FROM ${identifier(source)} WHERE _position BETWEEN {from:Int64} AND {to:Int64}
         AND _entry_key IN (${keys.slice(at, at + KEYS_AT_ONCE).join(',')})`,
        { from, to },
        LONG_STATEMENT,
      );
      for (let byte = 0; byte < rows.length; byte += 8) found.add(rows.readBigUInt64LE(byte));
    }
    return found;
  }

  /** The position from which the newest ids fit into memory. */
  async #firstHeld(sources: readonly LogSource[], after: number): Promise<number> {
    const tables = sources.map(
      (source) =>
        `SELECT intDiv(_position, 60000000) AS minute FROM ${identifier(source)} WHERE _position > {after:Int64}`,
    );
    const [[minute] = [0]] = await this.#connection.rows<[number]>(
      `SELECT minute FROM (
         SELECT minute, sum(entries) OVER (ORDER BY minute DESC) AS held
         FROM (SELECT minute, count() AS entries FROM (${tables.join(' UNION ALL ')}) GROUP BY minute))
       WHERE held > {most:Int64} ORDER BY minute DESC LIMIT 1`,
      { after: Math.max(after, this.#position), most: this.#most },
    );
    return minute === 0 ? 0 : (minute + 1) * 60 * MICROS - 1;
  }
}

const NONE: ReadonlySet<bigint> = new Set();

const keyAt = (keys: EntryKeys, row: number): [low: number, high: number] => [
  keys[2 * row] ?? 0,
  keys[2 * row + 1] ?? 0,
];

const numberOf = (low: number, high: number): bigint => (BigInt(high) << 32n) | BigInt(low);
