/**
 * The fields in the entries of one project, in each source: the known ones and those seen since. A field's type is the
 * widest of its values; it decides how a query compares and sorts them.
 */
import type { BuiltInSource, LogSource } from './sources.js';

/** `record` and `array` nest; `json`: scalars of different types were seen, or scalars and arrays. */
export type FieldType =
  | { readonly kind: 'boolean' | 'integer' | 'number' | 'string' | 'json' }
  | RecordType
  | { readonly kind: 'array'; readonly items: FieldType };

export interface RecordType {
  readonly kind: 'record';
  readonly fields: Readonly<Record<string, FieldType>>;
  /** Arrays were also seen in this field. */
  readonly arrays?: true;
}

export interface FieldCatalogue {
  /** Within a process, catalogues of the same version have the same fields. Plans for another version are invalid. */
  readonly version: number;
  /** Whether its fields are those of all projects. A name that has two places there may have one in each project. */
  readonly ofAll: boolean;
  /** Type of the metadata of each source that there is. */
  readonly sources: Readonly<Record<BuiltInSource, RecordType>> & Readonly<Record<LogSource, RecordType>>;
}

/** Maximum fields of a record in the catalogue. Names that are data (ids as keys) would otherwise grow it without bound. */
export const MAX_FIELDS = 1_000;

/** Limit of the fields of one project and source, in characters of their JSON. */
const MAX_CHARACTERS = 256 * 1024;

export const NO_FIELDS: RecordType = { kind: 'record', fields: {} };

/** A field in the metadata of a source. A step is the name of a field; null: the elements of an array. */
export interface FieldPlace {
  readonly source: LogSource;
  readonly path: readonly (string | null)[];
}

/** Fields that the entries of a project had. */
export interface NewFields {
  /** Null: of entries without a project. */
  readonly project: string | null;
  readonly fields: RecordType;
}

/** Whether a query could name the field. The engine has no names with the character of code 0. */
export const isFieldName = (name: string): boolean => !name.includes('\0');

/** Returns the fields with those found since; `known` itself when there are no new ones, or more than may be known. */
export const learned = (known: RecordType, found: RecordType): RecordType => {
  const wider = widenedRecord(known, found);
  return wider === known || JSON.stringify(wider).length > MAX_CHARACTERS ? known : wider;
};

/**
 * Returns the narrowest type that holds the values of both; `one` itself if it already does. A record stays a record,
 * whatever else was seen: otherwise one odd entry would hide its fields from all queries.
 */
export const widened = (one: FieldType, other: FieldType): FieldType => {
  if (one.kind === 'record') return other.kind === 'record' ? widenedRecord(one, other) : beside(one, other);
  if (other.kind === 'record') return beside(other, one);
  if (one.kind === 'array' && other.kind === 'array') {
    const items = widened(one.items, other.items);
    return items === one.items ? one : { kind: 'array', items };
  }
  if (one.kind === other.kind || one.kind === 'json') return one;
  if (one.kind === 'number' && other.kind === 'integer') return one;
  if (one.kind === 'integer' && other.kind === 'number') return other;
  return { kind: 'json' };
};

const beside = (record: RecordType, other: FieldType): RecordType =>
  other.kind === 'array' && record.arrays === undefined ? { ...record, arrays: true } : record;

export const widenedRecord = (one: RecordType, other: RecordType): RecordType => {
  const fields = new Map(Object.entries(one.fields));
  const arrays = one.arrays ?? other.arrays;
  let changed = arrays !== one.arrays;
  for (const [name, type] of Object.entries(other.fields)) {
    const before = fields.get(name);
    if (!before && fields.size >= MAX_FIELDS) continue;
    const after = before ? widened(before, type) : type;
    if (after === before) continue;
    fields.set(name, after);
    changed = true;
  }
  if (!changed) return one;
  return { kind: 'record', fields: Object.fromEntries(fields), ...(arrays && { arrays }) };
};
