/** The text of a stored document with its checksum, and the error of one that does not fit. */
import { crc32 } from 'node:zlib';
import { StoreDamagedError } from '../../../foundation/integrity/damage.js';
import type { Document } from '../../../foundation/read-models/read-model-store.js';
import type { SqliteTable } from './sqlite-tables.js';

/** `sum` null: an older version of Podium wrote the row. */
export type StoredRow = readonly [doc: string, sum: number | null];

/** A generation that has to be built anew. */
export class DamagedGenerationError extends StoreDamagedError {
  readonly generation: number;

  constructor({ collection, generation }: SqliteTable, place: string, reason: string) {
    super({ store: 'read-models', place: `collection ${collection.name}, ${place}`, reason });
    this.generation = generation;
  }
}

export const isWhole = ([text, sum]: StoredRow): boolean => sum === null || crc32(text) === sum;

/** Codec: the projection of the same version wrote the document, so its type is known. Throws DamagedGenerationError. */
export const decode = <D extends Document>(table: SqliteTable, row: StoredRow): D => {
  if (!isWhole(row))
    throw new DamagedGenerationError(table, 'a document', 'its checksum does not fit its content');
  return JSON.parse(row[0]) as D;
};
