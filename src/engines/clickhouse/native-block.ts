/**
 * Writes selected rows of packed columns as one block of ClickHouse's Native format: whole columns one after the other, numbers
 * little-endian, each text behind its length in bytes (LEB128). Source: the documentation of the format.
 */
import type { EntryKeys } from '../../foundation/log-store/entry-keys.js';
import type { PackedColumns } from '../../foundation/log-store/packed-entries.js';

/** The structure of the block, as `input()` takes it. */
export const BLOCK_STRUCTURE =
  "id UUID, timestamp DateTime64(6, \\'UTC\\'), event_message String, metadata String, project Nullable(String), " +
  '_owner String, _position Int64, _entry_key UInt64';

export interface SelectedEntries {
  readonly columns: PackedColumns;
  readonly keys: EntryKeys;
  /** Indexes of the entries to write. */
  readonly rows: readonly number[];
}

const FIRST_BYTES = 64 * 1024;

/** `first`: the position of the first entry; each has the one after that of the entry before. */
export const nativeBlock = (parts: readonly SelectedEntries[], first: number): Buffer => {
  const count = parts.reduce((sum, { rows }) => sum + rows.length, 0);
  const block = new Block();
  block.length(8);
  block.length(count);
  block.column('id', 'UUID');
  for (const { columns, rows } of parts) block.uuids(columns.ids, rows);
  block.column('timestamp', "DateTime64(6, 'UTC')");
  for (const { columns, rows } of parts) block.longs(rows, (row) => columns.timestamps[row] ?? 0n);
  block.column('event_message', 'String');
  for (const { columns, rows } of parts) block.texts(columns.messages, columns.messageEnds, rows);
  block.column('metadata', 'String');
  for (const { columns, rows } of parts) block.texts(columns.metadata, columns.metadataEnds, rows);
  block.column('project', 'Nullable(String)');
  for (const { columns, rows } of parts)
    block.bytes(rows, (row) => (columns.projects[columns.projectOf[row] ?? 0] === null ? 1 : 0));
  for (const { columns, rows } of parts) block.words(columns.projects, columns.projectOf, rows);
  block.column('_owner', 'String');
  for (const { columns, rows } of parts) block.words(columns.owners, columns.ownerOf, rows);
  block.column('_position', 'Int64');
  let position = BigInt(first);
  for (const { rows } of parts) block.longs(rows, () => position++);
  block.column('_entry_key', 'UInt64');
  for (const { keys, rows } of parts) block.keys(keys, rows);
  return block.whole();
};

/** A growing buffer. */
class Block {
  #all = Buffer.allocUnsafe(FIRST_BYTES);
  #used = 0;

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
    this.#room(16 * rows.length);
    for (const row of rows) {
      for (let byte = 0; byte < 16; byte++)
        this.#all[this.#used + byte] = ids[16 * row + (byte < 8 ? 7 - byte : 23 - byte)] ?? 0;
      this.#used += 16;
    }
  }

  longs(rows: readonly number[], of: (row: number) => bigint): void {
    this.#room(8 * rows.length);
    for (const row of rows) this.#used = this.#all.writeBigInt64LE(of(row), this.#used);
  }

  keys(keys: EntryKeys, rows: readonly number[]): void {
    this.#room(8 * rows.length);
    for (const row of rows) {
      this.#used = this.#all.writeUInt32LE(keys[2 * row] ?? 0, this.#used);
      this.#used = this.#all.writeUInt32LE(keys[2 * row + 1] ?? 0, this.#used);
    }
  }

  bytes(rows: readonly number[], of: (row: number) => number): void {
    this.#room(rows.length);
    for (const row of rows) this.#all[this.#used++] = of(row);
  }

  texts(texts: Uint8Array, ends: Uint32Array, rows: readonly number[]): void {
    for (const row of rows) this.#text(texts.subarray(row === 0 ? 0 : ends[row - 1], ends[row]));
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
    const larger = Buffer.allocUnsafe(Math.max(this.#all.length * 2, this.#used + more));
    this.#all.copy(larger, 0, 0, this.#used);
    this.#all = larger;
  }
}

const NO_WORD = Buffer.alloc(0);
