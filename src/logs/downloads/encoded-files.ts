/**
 * What the thread of FileEncoder does. Of each file of Parquet that it has begun it keeps the rows of one row group, until the
 * group is full, and what the end of the file says of the groups before.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Json, JsonRecord } from '../../foundation/log-store/sources.js';
import type { ResultColumn } from '../sql/compile.js';
import type { ColumnSlice } from './column-slices.js';
import { fittingColumns, type ParquetGroups, parquetGroups } from './parquet-rows.js';
import { type RowFormat, rowEncoder } from './row-format.js';
import { rowSlices } from './row-slices.js';

/** Of the values. Groups four times as large made files no smaller, and took a third more memory. */
const ROW_GROUP_CHARACTERS = 4 * 1_048_576;

/** Requests are answered with the bytes that are ready. `file`: a number that no other file has. */
export type EncoderRequest =
  /** `reply`: `{"result":[…]}`. The answer is the whole file. */
  | {
      readonly kind: 'reply';
      readonly reply: Uint8Array;
      readonly columns: readonly ResultColumn[];
      readonly format: RowFormat;
    }
  | { readonly kind: 'begin'; readonly file: number; readonly columns: readonly ResultColumn[] }
  | { readonly kind: 'rows'; readonly file: number; readonly slice: ColumnSlice }
  | { readonly kind: 'end'; readonly file: number }
  /** Has no answer. */
  | { readonly kind: 'drop'; readonly file: number };

interface BegunFile {
  readonly groups: ParquetGroups;
  waiting: ColumnSlice[];
}

export class EncodedFiles {
  readonly #files = new Map<number, BegunFile>();

  /** Throws RangeError when a value does not fit its column. */
  async answer(request: EncoderRequest): Promise<readonly Uint8Array[]> {
    switch (request.kind) {
      case 'reply':
        return fileOf(request);
      case 'begin':
        this.#files.set(request.file, { groups: parquetGroups(request.columns), waiting: [] });
        return [];
      case 'rows': {
        const begun = this.#begun(request.file);
        begun.waiting.push(request.slice);
        const characters = begun.waiting.reduce((sum, slice) => sum + slice.characters, 0);
        return characters < ROW_GROUP_CHARACTERS ? [] : groupOf(begun);
      }
      case 'end': {
        const begun = this.#begun(request.file);
        return [...groupOf(begun), begun.groups.end()];
      }
      case 'drop':
        throw new TypeError('letting go of a file has no answer');
      default:
        return request satisfies never;
    }
  }

  observe(request: EncoderRequest): void {
    if (request.kind === 'drop') this.#files.delete(request.file);
  }

  #begun(file: number): BegunFile {
    const begun = this.#files.get(file);
    if (!begun) throw new Error('the thread that began this file has ended');
    return begun;
  }
}

/** The group of the waiting rows, if there are any. */
const groupOf = (begun: BegunFile): readonly Uint8Array[] => {
  const [first, ...others] = begun.waiting;
  begun.waiting = [];
  if (!first) return [];
  const values = first.values.map((column, at): readonly Json[] =>
    column.concat(...others.map((slice) => slice.values[at] ?? [])),
  );
  return [begun.groups.group(values)];
};

/** Files that others have begun have their turn after each group. */
const fileOf = async ({
  reply,
  columns,
  format,
}: EncoderRequest & { readonly kind: 'reply' }): Promise<readonly Uint8Array[]> => {
  const { result: rows }: { readonly result: readonly JsonRecord[] } = JSON.parse(
    new TextDecoder().decode(reply),
  );
  const encoder = await rowEncoder(format, format === 'parquet' ? fittingColumns(columns, rows) : columns);
  const parts: Uint8Array[] = [];
  for (const group of rowSlices(rows, ROW_GROUP_CHARACTERS)) {
    parts.push(encoder.rows(group));
    await nextTurn();
  }
  return [...parts, encoder.end()];
};
