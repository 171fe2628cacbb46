/**
 * Finds fields that the catalogue does not have yet. Almost no entry has any, so checking an entry without new fields
 * allocates nothing.
 */

import {
  type FieldType,
  isFieldName,
  MAX_FIELDS,
  NO_FIELDS,
  type RecordType,
  widened,
  widenedRecord,
} from './field-catalogue.js';
import { isArray, type Json, type JsonRecord } from './sources.js';

export class FieldObserver {
  readonly #known: RecordType;
  #found: RecordType = NO_FIELDS;

  constructor(known: RecordType) {
    this.#known = known;
  }

  observe(metadata: JsonRecord): void {
    if (coversRecord(this.#known, metadata) || coversRecord(this.#found, metadata)) return;
    this.#found = widenedRecord(this.#found, recordTypeOf(metadata));
  }

  /** The fields seen that the catalogue does not have; null: none. */
  unknown(): RecordType | null {
    return this.#found === NO_FIELDS ? null : this.#found;
  }
}

const lookups = new WeakMap<RecordType, ReadonlyMap<string, FieldType>>();

const lookupOf = (type: RecordType): ReadonlyMap<string, FieldType> => {
  let lookup = lookups.get(type);
  if (!lookup) {
    lookup = new Map(Object.entries(type.fields));
    lookups.set(type, lookup);
  }
  return lookup;
};

/** Whether the type has all fields of the record, and their types. */
export const coversRecord = (type: RecordType, record: JsonRecord): boolean => {
  const fields = lookupOf(type);
  for (const name of Object.keys(record)) {
    const value = record[name];
    if (value === null || value === undefined || isEmptyArray(value)) continue;
    const field = fields.get(name);
    if (field ? !covers(field, value) : fields.size < MAX_FIELDS && isFieldName(name)) return false;
  }
  return true;
};

const covers = (type: FieldType, value: Json): boolean => {
  if (value === null || type.kind === 'json') return true;
  if (type.kind === 'record') return coversBeside(type, value);
  if (typeof value === 'number') {
    return type.kind === 'number' || (type.kind === 'integer' && Number.isInteger(value));
  }
  if (typeof value !== 'object') return type.kind === typeof value;
  return isArray(value) && type.kind === 'array' && value.every((item) => covers(type.items, item));
};

/** A record stays a record, whatever else was seen in its field. */
const coversBeside = (type: RecordType, value: Json): boolean => {
  if (value === null || typeof value !== 'object') return true;
  return isArray(value) ? type.arrays === true : coversRecord(type, value);
};

const recordTypeOf = (record: JsonRecord): RecordType => {
  const fields: [string, FieldType][] = [];
  for (const [name, value] of Object.entries(record)) {
    const type = isFieldName(name) ? typeOf(value) : null;
    if (type && fields.length < MAX_FIELDS) fields.push([name, type]);
  }
  return { kind: 'record', fields: Object.fromEntries(fields) };
};

/** Null for a value without a type: null itself, and an array without items. */
const typeOf = (value: Json): FieldType | null => {
  if (value === null) return null;
  if (typeof value === 'number') return { kind: Number.isInteger(value) ? 'integer' : 'number' };
  if (typeof value === 'string') return { kind: 'string' };
  if (typeof value === 'boolean') return { kind: 'boolean' };
  if (!isArray(value)) return recordTypeOf(value);
  const types = value.map(typeOf).filter((type) => type !== null);
  const [first, ...others] = types;
  return first ? { kind: 'array', items: others.reduce(widened, first) } : null;
};

const isEmptyArray = (value: Json): boolean => isArray(value) && value.length === 0;
