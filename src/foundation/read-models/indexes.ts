/**
 * What every adapter needs of a collection's indexes: their fields, the values of a condition, and whether what a scan has read is
 * in the order of its index.
 */
import { textOrder } from '../../domain/text-order.js';
import type { AnyCollection, Document, Scalar } from './read-model-store.js';

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

// --- the order of what was read --------------------------------------------------------------------------------------

// An index that is damaged gives documents in places that are not theirs.

export interface IndexRange {
  /** The fields of the index that have one value in the range. */
  readonly leading: readonly string[];
  /** Their values. */
  readonly values: readonly Scalar[];
  /** The other fields of the index, by which the range is ordered. */
  readonly rest: readonly string[];
  readonly descending: boolean;
}

/** Whether every document is in the range, behind the one before it. */
export const areInPlace = (
  documents: readonly Document[],
  { leading, values, rest, descending }: IndexRange,
): boolean => {
  let before: readonly Scalar[] | null = null;
  for (const document of documents) {
    const place = [...valuesOf(document, rest), document.id];
    if (!valuesOf(document, leading).every((value, at) => value === values[at])) return false;
    if (before && !(descending ? isBefore(place, before) : isBefore(before, place))) return false;
    before = place;
  }
  return true;
};

/** Codec: fields of an index are scalars. */
export const valuesOf = (holder: object, fields: readonly string[]): Scalar[] =>
  fields.map((field) => (holder as Readonly<Record<string, Scalar>>)[field] ?? null);

/** By UTF-8 bytes. Most texts are told apart without making the bytes. */
const isTextBefore = (a: string, b: string): boolean =>
  textOrder(a, b) < 0 || Buffer.compare(Buffer.from(a), Buffer.from(b)) < 0;

/** Whether `a` is before `b` in the order of an index, where numbers are before texts. */
const isBefore = (a: readonly Scalar[], b: readonly Scalar[]): boolean => {
  for (const [at, value] of a.entries()) {
    const other = b[at] ?? null;
    if (value === other) continue;
    if (typeof value === 'number' && typeof other === 'number') return value < other;
    if (typeof value === 'string' && typeof other === 'string') return isTextBefore(value, other);
    return typeof value === 'number';
  }
  return false;
};
