/**
 * An index of a collection as one string a document: the values of its fields, then the id, written so that comparing
 * the strings by their UTF-8 bytes, which is what MongoDB does without a collation, gives the order of the index. One
 * range of such strings is any scan, also one that goes on behind a document, which a server would otherwise have to
 * piece together from as many ranges as the index has fields. A document with a null in any field has no key, so it is
 * in no range.
 */
import { fieldsOfIndex, leadingFields, scalarOf } from '../../../foundation/read-models/indexes.js';
import type { AnyCollection, Document, Scan } from '../../../foundation/read-models/read-model-store.js';

/** Ends a value. Lower than anything in one, so that a value comes before those that begin with it. */
const END = '\u0001';
const ESCAPE = '\u0002';
/** What a value begins with; what comes after those of a prefix comes before AFTER_VALUES. */
const NUMBER = 'n';
const TEXT = 's';
const AFTER_VALUES = 't';

/** Half open: `from` is in it, `to` is not. */
export interface KeyRange {
  readonly from: string;
  readonly to: string;
}

/** An index's fields are part of its name: an index that changed is another index. */
export const indexName = (collection: AnyCollection, index: string): string =>
  [index, ...fieldsOfIndex(collection, index)].join('__');

/** Null: the document is not in the index. Throws TypeError on a field that no index can hold. */
export const indexKey = (collection: AnyCollection, index: string, document: Document): string | null => {
  let key = '';
  for (const field of fieldsOfIndex(collection, index)) {
    const value = scalarOf(document, field);
    if (value === null) return null;
    key += encoded(value);
  }
  return key + encoded(document.id);
};

/** By the names of the indexes that the document is in. */
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

/** The part of the range that a scan has still to walk. */
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

/** The bits of a double sort as the numbers do once the sign bit is turned over, and all bits of a negative one. */
const orderedNumber = (value: number): string => {
  scratch.setFloat64(0, value === 0 ? 0 : value);
  const [high, low] = [scratch.getUint32(0), scratch.getUint32(4)];
  const isNegative = high >>> 31 === 1;
  return hex(isNegative ? ~high : high ^ 0x8000_0000) + hex(isNegative ? ~low : low);
};

const hex = (word: number): string => (word >>> 0).toString(16).padStart(8, '0');
