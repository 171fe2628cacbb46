/**
 * An index key: one string for each document, with the values of the index's fields, then the id. Without a collation
 * MongoDB compares strings by UTF-8 bytes, and that order is the order of the index. So every scan is one range of keys,
 * even one that continues after a document. A document with null in any field has no key.
 */
import { fieldsOfIndex, leadingFields, scalarOf } from '../../../foundation/read-models/indexes.js';
import type { AnyCollection, Document, Scan } from '../../../foundation/read-models/read-model-store.js';

/** Ends a value. Lower than any character of a value, so a value sorts before longer ones with the same beginning. */
const END = '\u0001';
const ESCAPE = '\u0002';
/** First characters of values; the keys of a prefix sort before AFTER_VALUES. */
const NUMBER = 'n';
const TEXT = 's';
const AFTER_VALUES = 't';

/** Half open: includes `from`, excludes `to`. */
export interface KeyRange {
  readonly from: string;
  readonly to: string;
}

/** An index's fields are part of its name: an index that changed is another index. */
export const indexName = (collection: AnyCollection, index: string): string =>
  [index, ...fieldsOfIndex(collection, index)].join('__');

/** Null: the document is not in the index. Throws TypeError for a value that cannot be indexed. */
export const indexKey = (collection: AnyCollection, index: string, document: Document): string | null => {
  let key = '';
  for (const field of fieldsOfIndex(collection, index)) {
    const value = scalarOf(document, field);
    if (value === null) return null;
    key += encoded(value);
  }
  return key + encoded(document.id);
};

/** Keys by the names of the indexes that the document is in. */
export const indexKeys = (
  collection: AnyCollection,
  document: Document,
): Readonly<Record<string, string>> => {
  const keys: Record<string, string> = {};
  for (const index of Object.keys(collection.indexes)) {
    const key = indexKey(collection, index, document);
    if (key !== null) keys[indexName(collection, index)] = key;
  }
  return keys;
};

/** Names of the indexes that the document is in. */
export const indexNames = (collection: AnyCollection, document: Document): readonly string[] =>
  Object.keys(collection.indexes)
    .filter((index) => fieldsOfIndex(collection, index).every((field) => scalarOf(document, field) !== null))
    .map((index) => indexName(collection, index));

/** Null: no document can meet the condition. */
export const rangeOf = (collection: AnyCollection, index: string, equals: object): KeyRange | null => {
  let prefix = '';
  for (const field of leadingFields(collection, index, equals)) {
    const value = scalarOf(equals, field);
    if (value === null) return null;
    prefix += encoded(value);
  }
  return { from: prefix, to: prefix + AFTER_VALUES };
};

/** The part of the range that a scan still has to read. */
export const rangeOfScan = <D extends Document>(
  collection: AnyCollection,
  { index, equals, after, descending = false }: Scan<D>,
): KeyRange | null => {
  const range = rangeOf(collection, index, equals);
  if (range === null || after === undefined) return range;
  const key = indexKey(collection, index, after);
  if (key === null) return null;
  return descending ? { from: range.from, to: key } : { from: key + END, to: range.to };
};

export const isInRange = (key: string, { from, to }: KeyRange): boolean =>
  compareKeys(key, from) >= 0 && compareKeys(key, to) < 0;

/** By UTF-8 bytes. */
export const compareKeys = (a: string, b: string): number => Buffer.compare(Buffer.from(a), Buffer.from(b));

const encoded = (value: string | number): string =>
  (typeof value === 'number' ? NUMBER + orderedNumber(value) : TEXT + escaped(value)) + END;

// biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters that the encoding gives a meaning
const RESERVED = /[\u0000-\u0002]/g;

const escaped = (text: string): string =>
  text.replace(RESERVED, (character) => ESCAPE + String.fromCharCode(character.charCodeAt(0) + 3));

const scratch = new DataView(new ArrayBuffer(8));

/** The bits of a double sort like the numbers when the sign bit is inverted, and for negative numbers all bits. */
const orderedNumber = (value: number): string => {
  scratch.setFloat64(0, value === 0 ? 0 : value);
  const [high, low] = [scratch.getUint32(0), scratch.getUint32(4)];
  const isNegative = high >>> 31 === 1;
  return hex(isNegative ? ~high : high ^ 0x8000_0000) + hex(isNegative ? ~low : low);
};

const hex = (word: number): string => (word >>> 0).toString(16).padStart(8, '0');
