/** What every adapter has to know of a collection's indexes: their fields, and the values that a condition gives. */
import type { AnyCollection, Scalar } from './read-model-store.js';

/** Throws when the collection has no such index. */
export const fieldsOfIndex = (collection: AnyCollection, index: string): readonly string[] => {
  const fields = collection.indexes[index];
  if (!fields) throw new Error(`collection ${collection.name} has no index ${index}`);
  return fields;
};

/** Codec: what a document or a condition holds in a field that an index names. */
export const scalarOf = (holder: object, field: string): Scalar => {
  const value = (holder as Readonly<Record<string, unknown>>)[field] ?? null;
  if (value === null || typeof value === 'string' || typeof value === 'number') return value;
  throw new TypeError(`field ${field} is indexed and must be a string, a number or null`);
};

/** The leading fields of the index that `equals` gives; throws when it gives others. */
export const leadingFields = (
  collection: AnyCollection,
  index: string,
  equals: object,
): readonly string[] => {
  const given = Object.entries(equals).filter(([, value]) => value !== undefined);
  const leading = fieldsOfIndex(collection, index).slice(0, given.length);
  if (leading.length !== given.length || given.some(([field]) => !leading.includes(field))) {
    throw new Error(
      `${given.map(([field]) => field).join(', ')} are not the leading fields of index ${index} of ${collection.name}`,
    );
  }
  return leading;
};
