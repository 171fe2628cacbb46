/** What every adapter needs of a collection's indexes: their fields, and the values of a condition. */
import type { AnyCollection, Scalar } from './read-model-store.js';

/** Throws when the collection has no such index. */
export const fieldsOfIndex = (collection: AnyCollection, index: string): readonly string[] => {
  const fields = collection.indexes[index];
  if (!fields) throw new Error(`collection ${collection.name} has no index ${index}`);
  return fields;
};

/** Codec: the value of an indexed field in a document or a condition. Throws TypeError when it is no scalar. */
export const scalarOf = (holder: object, field: string): Scalar => {
  const value = (holder as Readonly<Record<string, unknown>>)[field] ?? null;
  if (value === null || typeof value === 'string' || typeof value === 'number') return value;
  throw new TypeError(`field ${field} is indexed and must be a string, a number or null`);
};

/** Returns the leading fields of the index that `equals` has. Throws when it has other fields. */
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
