/**
 * Writes selected rows of packed columns as a block of ClickHouse's Native format: whole columns one after the other, numbers
 * little-endian, each text behind its length in bytes (LEB128). Source: the documentation of the format.
 */
import type { EntryKeys, SelectedEntries } from '../../foundation/log-store/entry-keys.js';

/** The structure of the block, as `input()` takes it. */
export const BLOCK_STRUCTURE =
  "id UUID, timestamp DateTime64(6, \\'UTC\\'), event_message String, metadata String, project Nullable(String), " +
  '_owner String, _entry_key UInt64, _position Int64';

const FIRST_BYTES = 1024;
/** What a row has beside its message and metadata, about. */
const ROW_BYTES = 100;

/** A block that has everything but the positions. */
export interface NativeBlock {
  readonly bytes: Buffer;
  readonly rows: number;
}

const HALF = 2 ** 32;

/** Each entry gets the position after that of the entry before; `first` is that of the first. They are the last column. */
export const setPositions = ({ bytes, rows }: NativeBlock, first: number): void => {
  const halves = new Uint32Array(2 * rows);
  for (let row = 0; row < rows; row++) {
    halves[2 * row] = (first + row) % HALF;
    halves[2 * row + 1] = Math.floor((first + row) / HALF);
  }
  bytes.set(new Uint8Array(halves.buffer), bytes.length - 8 * rows);
};

export const nativeBlock = ({ columns, keys, rows }: SelectedEntries): NativeBlock => {
  const block = new Block(
    FIRST_BYTES + columns.messageBytes + columns.metadataBytes + ROW_BYTES * rows.length,
  );
  block.length(8);
  block.length(rows.length);
  block.column('id', 'UUID');
  block.uuids(columns.ids, rows);
  block.column('timestamp', "DateTime64(6, 'UTC')");
  block.longs(columns.timestamps, rows);
  block.column('event_message', 'String');
  block.texts(columns.messages, columns.messageEnds, rows);
  block.column('metadata', 'String');
  block.texts(columns.metadata, columns.metadataEnds, rows);
  block.column('project', 'Nullable(String)');
  block.nulls(columns.projects, columns.projectOf, rows);
  block.words(columns.projects, columns.projectOf, rows);
  block.column('_owner', 'String');
  block.words(columns.owners, columns.ownerOf, rows);
  block.column('_entry_key', 'UInt64');
  block.keys(keys, rows);
  block.column('_position', 'Int64');
  block.skip(8 * rows.length);
  return { bytes: block.whole(), rows: rows.length };
};

/** A growing buffer. */
class Block {
  #all: Buffer;
  #used = 0;

  constructor(expectedBytes: number) {
    this.#all = Buffer.allocUnsafeSlow(expectedBytes);
  }

  whole(): Buffer {
    return this.#all.subarray(0, this.#used);
  }

  length(value: number): void {
    this.#room(5);
    let left = value;
    for (; left > 127; left >>>= 7) this.#all[this.#used++] = (left & 127) | 128;
    this.#all[this.#used++] = left;
  }

  column(name: string, type: string): void {
    this.#text(Buffer.from(name));
    this.#text(Buffer.from(type));
  }

  /** A UUID is two numbers of 64 bits, the first half first. */
  uuids(ids: Uint8Array, rows: readonly number[]): void {
    const from = this.#used;
    this.#room(16 * rows.length);
    for (const row of rows) {
      this.#all.set(ids.subarray(16 * row, 16 * row + 16), this.#used);
      this.#used += 16;
    }
    this.#all.subarray(from, this.#used).swap64();
  }

  longs({ buffer, byteOffset, length }: BigInt64Array, rows: readonly number[]): void {
    this.keys(new Uint32Array(buffer, byteOffset, 2 * length), rows);
  }

  skip(length: number): void {
    this.#room(length);
    this.#used += length;
  }

  /** Numbers of 64 bits as their low and high half. */
  keys(keys: EntryKeys, rows: readonly number[]): void {
    const halves = new Uint32Array(2 * rows.length);
    for (const [at, row] of rows.entries()) {
      halves[2 * at] = keys[2 * row] ?? 0;
      halves[2 * at + 1] = keys[2 * row + 1] ?? 0;
    }
    this.#room(halves.byteLength);
    this.#all.set(new Uint8Array(halves.buffer), this.#used);
    this.#used += halves.byteLength;
  }

  /** One byte a row: 1 where there is no value. */
  nulls(values: readonly (string | null)[], indexes: Uint32Array, rows: readonly number[]): void {
    this.#room(rows.length);
    for (const row of rows) this.#all[this.#used++] = values[indexes[row] ?? 0] === null ? 1 : 0;
  }

  texts({ buffer, byteOffset, byteLength }: Uint8Array, ends: Uint32Array, rows: readonly number[]): void {
    const texts = Buffer.from(buffer, byteOffset, byteLength);
    for (const row of rows) {
      const from = row === 0 ? 0 : (ends[row - 1] ?? 0);
      const to = ends[row] ?? 0;
      this.length(to - from);
      this.#room(to - from);
      this.#used += texts.copy(this.#all, this.#used, from, to);
    }
  }

  /** Texts of a dictionary; null as an empty one. */
  words(values: readonly (string | null)[], indexes: Uint32Array, rows: readonly number[]): void {
    const words = values.map((value) => Buffer.from(value ?? ''));
    for (const row of rows) this.#text(words[indexes[row] ?? 0] ?? NO_WORD);
  }

  #text(text: Uint8Array): void {
    this.length(text.length);
    this.#room(text.length);
    this.#all.set(text, this.#used);
    this.#used += text.length;
  }

  #room(more: number): void {
    if (this.#used + more <= this.#all.length) return;
    const larger = Buffer.allocUnsafeSlow(Math.max(this.#all.length * 2, this.#used + more));
    this.#all.copy(larger, 0, 0, this.#used);
    this.#all = larger;
  }
}

const NO_WORD = Buffer.alloc(0);
