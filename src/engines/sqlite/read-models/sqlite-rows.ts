/** The text of a stored document with its checksum, and the error of one that does not fit. */
import { crc32 } from 'node:zlib';
import { DamagedGenerationError } from '../../../foundation/read-models/damaged-generation.js';
import type { Document } from '../../../foundation/read-models/read-model-store.js';
import type { SqliteTable } from './sqlite-tables.js';

/** `sum` null: an older version of Podium wrote the row. */
export type StoredRow = readonly [doc: string, sum: number | null];

export const placeOf = ({ collection }: SqliteTable, id?: string): string =>
  `collection ${collection.name}, ${id === undefined ? 'a document' : `document ${id}`}`;

export const isWhole = ([text, sum]: StoredRow): boolean => sum === null || crc32(text) === sum;

/**
 * Codec: the projection of the same version wrote the document, so its type is known. `id`: where it was looked up by id.
 * Throws DamagedGenerationError.
 */
export const decode = <D extends Document>(table: SqliteTable, row: StoredRow, id?: string): D => {
  if (!isWhole(row)) throw damaged(table, 'its checksum does not fit its content', id);
  const document = JSON.parse(row[0]) as D;
  if (id !== undefined && document.id !== id) throw damaged(table, 'another document is in its place', id);
  return document;
};

const damaged = (table: SqliteTable, reason: string, id?: string): DamagedGenerationError =>
  new DamagedGenerationError({
    generation: table.generation,
    place: placeOf(table, id),
    reason,
    extent: 'document',
  });
