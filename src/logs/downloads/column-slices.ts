/**
 * Rows by column, as they pass to a thread. Records and arrays are JSON texts, which they are in the file, too: texts pass for a
 * fraction of what records cost, and the thread need not write them again.
 */
import type { Json, JsonRecord } from '../../foundation/log-store/sources.js';
import type { ResultColumn } from '../sql/compile.js';

export interface ColumnSlice {
  /** Of each column, in the order of the columns. */
  readonly values: readonly (readonly Json[])[];
  /** Of all values, about. */
  readonly characters: number;
}

const NUMBER_CHARACTERS = 8;
const NESTED: ReadonlySet<ResultColumn['type']> = new Set(['json', 'record', 'array']);

/** The columns of what columnSlices yields. */
export const passedColumns = (columns: readonly ResultColumn[]): readonly ResultColumn[] =>
  columns.map(({ name, type }) => ({ name, type: NESTED.has(type) ? 'string' : type }));

/** A slice ends with the row that reaches `maxCharacters`. */
export function* columnSlices(
  columns: readonly ResultColumn[],
  rows: readonly JsonRecord[],
  maxCharacters: number,
): Generator<ColumnSlice> {
  let values = columns.map((): Json[] => []);
  let characters = 0;
  for (const row of rows) {
    columns.forEach(({ name, type }, at) => {
      const value = passed(type, row[name] ?? null);
      values[at]?.push(value);
      characters += typeof value === 'string' ? value.length : NUMBER_CHARACTERS;
    });
    if (characters < maxCharacters) continue;
    yield { values, characters };
    values = columns.map((): Json[] => []);
    characters = 0;
  }
  if (characters > 0) yield { values, characters };
}

const passed = (type: ResultColumn['type'], value: Json): Json =>
  value !== null && (NESTED.has(type) || typeof value === 'object') ? JSON.stringify(value) : value;
