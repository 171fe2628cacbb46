/**
 * Converts values to another type. A value that does not convert is NULL and does not fail the query. Only conversions
 * that no value of the type allows are refused. Texts without a zone are UTC.
 */
import { type EngineSql, joined, jsonPlace, sql, textLiteral } from '../engine-sql.js';
import { refuse } from '../query-problem.js';
import type { Span } from '../tree.js';
import { placedAs } from './places.js';
import {
  isJson,
  placeOf,
  type ScalarKind,
  type Shape,
  type Value,
  type ValueType,
  withinJson,
} from './values.js';

/** Returns the name of a type for error messages. */
export const nameOf = (type: ValueType): string => {
  switch (type.kind) {
    case 'integer':
      return 'whole number';
    case 'string':
      return 'text';
    case 'json':
      return 'JSON value';
    case 'null':
      return 'NULL';
    default:
      return type.kind;
  }
};

/** `a text`, `an array` */
export const anyOf = (type: ValueType): string => {
  const name = nameOf(type);
  return `${/^[aeiou]/.test(name) ? 'an' : 'a'} ${name}`;
};

/** Returns a value as text. A record or an array becomes JSON text; a JSON text loses its quotes. */
export const textOf = (value: Shape): EngineSql => {
  if (isJson(value.type)) {
    const { base, path } = placeOf(value);
    return sql`json_extract_string(${base}, ${jsonPlace(path)})`;
  }
  switch (value.type.kind) {
    case 'string':
      return value.sql;
    case 'number':
      return sql`regexp_replace(CAST(${value.sql} AS VARCHAR), '\.0$', '')`;
    case 'timestamp':
      return timestampText(value.sql);
    case 'array':
      return sql`CAST(to_json(${value.sql}) AS VARCHAR)`;
    default:
      return sql`CAST(${value.sql} AS VARCHAR)`;
  }
};

/** Prints a timestamp as the dialect does: with a fraction of three or six digits, or none. */
const timestampText = (at: EngineSql): EngineSql =>
  sql`(strftime(${at}, '%Y-%m-%d %H:%M:%S') || CASE WHEN epoch_us(${at}) % 1000000 = 0 THEN '' WHEN epoch_us(${at}) % 1000 = 0 THEN strftime(${at}, '.%g') ELSE strftime(${at}, '.%f') END || '+00')`;

/** Returns any value as JSON of the engine. */
export const jsonOf = (value: Shape): EngineSql => {
  if (isJson(value.type)) return value.sql;
  if (value.type.kind === 'timestamp') return sql`to_json(${isoText(value.sql)})`;
  if (value.type.kind === 'array' && value.type.items.kind === 'timestamp')
    return sql`to_json(list_transform(${value.sql}, lambda x: ${isoText(sql`x`)}))`;
  return isOfNumbers(value.type) ? numbersAsJson(value.sql) : sql`to_json(${value.sql})`;
};

const isOfNumbers = (type: ValueType): boolean =>
  type.kind === 'number' || (type.kind === 'array' && isOfNumbers(type.items));

/** Returns numbers of the engine as JSON, in the form of results: `1` and not `1.0`, infinities as texts. */
export const numbersAsJson = (numbers: EngineSql): EngineSql =>
  sql`CAST(regexp_replace(regexp_replace(CAST(to_json(${numbers}) AS VARCHAR), '\.0(,|\]|$)', '\1', 'g'), '-?Infinity|NaN', '"\0"', 'g') AS JSON)`;

/** Parses JSON in a text. NULL for invalid JSON, also for forms that only the engine accepts (infinities, trailing commas). */
export const jsonInText = (text: EngineSql): EngineSql =>
  sql`TRY_CAST(CASE WHEN NOT regexp_matches(regexp_replace(${text}, '"(?:[^"\\]|\\.)*"', '""', 'g'), '(?i)nan|inf|,\s*[\]}]') THEN ${text} END AS JSON)`;

const isoText = (at: EngineSql): EngineSql => sql`strftime(${at}, '%Y-%m-%dT%H:%M:%S.%fZ')`;

/** A named field of a record that a query builds. */
export interface NamedShape {
  readonly name: string;
  readonly shape: Shape;
}

/** Builds a record from values. Names of fields keep their case. */
export const recordOf = (fields: readonly NamedShape[]): Shape => ({
  sql: sql`json_object(${joined(
    fields.map(({ name, shape }) => sql`${textLiteral(name)}, ${jsonOf(shape)}`),
    ', ',
  )})`,
  type: {
    kind: 'record',
    // A copy has no places: the record has the field whatever an entry has.
    fields: Object.fromEntries(fields.map(({ name, shape }) => [name, { ...withinJson(shape.type) }])),
    arrays: false,
  },
});

/** ISO 8601 without seconds. The engine requires seconds. */
const WITHOUT_SECONDS = sql`'^(\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2})(Z|[+-]\d{2}(?::?\d{2})?)?$'`;

/** Parses a timestamp. The engine's infinities are NULL. */
const timestampFromText = (text: EngineSql): EngineSql => {
  const finite = sql`CASE WHEN contains(lower(${text}), 'inf') THEN NULL ELSE ${text} END`;
  return sql`timezone('UTC', TRY_CAST(regexp_replace(${finite}, ${WITHOUT_SECONDS}, '\1:00\2') AS TIMESTAMPTZ))`;
};

/** Returns the value as `kind`. Throws Refusal at `span` when the type does not convert. */
export const convert = (value: Shape, kind: ScalarKind, span: Span): EngineSql => {
  const from = value.type;
  if (from.kind === kind) return value.sql;
  if (from.kind === 'null') return sql`CAST(NULL AS ${ENGINE_TYPES[kind]})`;
  if (kind === 'string') return textOf(value);
  if (from.kind === 'string' || isJson(from)) return fromText(textOf(value), kind);
  if (kind === 'number' && from.kind === 'integer') return sql`CAST(${value.sql} AS DOUBLE)`;
  if (kind === 'integer' && from.kind === 'number') return sql`TRY_CAST(round(${value.sql}) AS BIGINT)`;
  if (kind === 'timestamp' && from.kind === 'date') return sql`CAST(${value.sql} AS TIMESTAMP)`;
  if (kind === 'date' && from.kind === 'timestamp') return sql`CAST(${value.sql} AS DATE)`;
  return refuse(span, `${anyOf(from)} cannot be read as ${anyOf({ kind })}`);
};

const fromText = (text: EngineSql, kind: Exclude<ScalarKind, 'string'>): EngineSql => {
  switch (kind) {
    case 'timestamp':
      return timestampFromText(text);
    case 'date':
      return sql`CAST(${timestampFromText(text)} AS DATE)`;
    case 'boolean':
      // The engine's own cast also accepts `1`, `t` and `yes`.
      return sql`CASE lower(${text}) WHEN 'true' THEN TRUE WHEN 'false' THEN FALSE END`;
    case 'integer':
    case 'number':
      return sql`TRY_CAST(${text} AS ${ENGINE_TYPES[kind]})`;
  }
};

const ENGINE_TYPES: Readonly<Record<ScalarKind, EngineSql>> = {
  boolean: sql`BOOLEAN`,
  integer: sql`BIGINT`,
  number: sql`DOUBLE`,
  string: sql`VARCHAR`,
  timestamp: sql`TIMESTAMP`,
  date: sql`DATE`,
};

const SCALARS: ReadonlySet<string> = new Set(Object.keys(ENGINE_TYPES));

const isScalarKind = (kind: ValueType['kind']): kind is ScalarKind => SCALARS.has(kind);

export const isScalar = (type: ValueType): type is { readonly kind: ScalarKind } => isScalarKind(type.kind);

/** Returns numbers unchanged, and other values as numbers. */
export const numeric = (value: Value): Shape => {
  if (value.type.kind === 'integer' || value.type.kind === 'number') return value;
  return { sql: convert(value, 'number', value.span), type: { kind: 'number' } };
};

/**
 * Returns the type in which values of these types compare, or null when there is none. Texts and JSON are read as the
 * type of the others. `json` is returned only when all are JSON values of unknown shape.
 */
export const comparedAs = (types: readonly ValueType[]): ScalarKind | 'json' | null => {
  const kinds = new Set<ValueType['kind']>(types.map((type) => (isJson(type) ? 'json' : type.kind)));
  kinds.delete('null');
  if (kinds.has('array') || kinds.has('interval')) return null;
  if (kinds.size === 0) return 'string';
  if (kinds.size === 1 && kinds.has('json')) return 'json';
  kinds.delete('json');
  if (kinds.size > 1) kinds.delete('string');
  if (kinds.has('number') && kinds.has('integer')) kinds.delete('integer');
  if (kinds.has('timestamp') && kinds.has('date')) kinds.delete('date');
  const [kind, ...others] = [...kinds].filter(isScalarKind);
  if (kind === undefined || others.length > 0) return null;
  const mixed = types.some((type) => type.kind === 'string' || isJson(type));
  return kind === 'integer' && mixed ? 'number' : kind;
};

/** Returns the common type of values in CASE, COALESCE, set operations and similar constructs. Throws Refusal. */
export const commonType = (types: readonly ValueType[], span: Span): ValueType => {
  const known = types.filter((type) => type.kind !== 'null');
  const [first] = known;
  if (first === undefined) return { kind: 'string' };
  if (known.every((type) => type.kind === first.kind)) return sameKind(known, first);
  const kinds = new Set(known.map((type) => type.kind));
  if (known.some(isJson)) return { kind: 'json' };
  if (kinds.size === 2 && kinds.has('integer') && kinds.has('number')) return { kind: 'number' };
  if (kinds.size === 2 && kinds.has('timestamp') && kinds.has('date')) return { kind: 'timestamp' };
  const names = [...new Set(known.map(nameOf))].join(' and ');
  return refuse(span, `these give different types, ${names}; cast them to one`);
};

const sameKind = (types: readonly ValueType[], first: ValueType): ValueType => {
  if (first.kind === 'record') return types.filter(isRecord).reduce(sharedRecord, first);
  if (first.kind !== 'array') return first;
  const same = types.every((type) => JSON.stringify(type) === JSON.stringify(first));
  return same ? first : { kind: 'json' };
};

type RecordType = Extract<ValueType, { kind: 'record' }>;

const isRecord = (type: ValueType): type is RecordType => type.kind === 'record';

/** Merges the fields of two records. A field with two types becomes JSON of unknown shape. */
const sharedRecord = (one: RecordType, other: RecordType): RecordType => {
  if (one === other) return one;
  const fields = new Map(Object.entries(one.fields));
  for (const [name, type] of Object.entries(other.fields)) {
    const before = fields.get(name);
    fields.set(name, before === undefined ? type : sharedField(before, type));
  }
  return { kind: 'record', fields: Object.fromEntries(fields), arrays: one.arrays || other.arrays };
};

const sharedField = (one: ValueType, other: ValueType): ValueType =>
  one === other ? one : placedAs({ ...sharedType(one, other) }, [one, other]);

const sharedType = (one: ValueType, other: ValueType): ValueType => {
  if (isRecord(one) && isRecord(other)) return sharedRecord(one, other);
  if (one.kind === other.kind) return sameKind([one, other], one);
  const kinds = new Set([one.kind, other.kind]);
  return kinds.has('integer') && kinds.has('number') ? { kind: 'number' } : { kind: 'json' };
};

/** Returns the first of these fields that is not NULL. Of different types it is JSON of unknown shape. */
export const firstOf = (shapes: readonly Shape[]): Shape => {
  const [kind, ...others] = new Set(shapes.map(({ type }) => type.kind));
  const one = shapes[0]?.type;
  if (one !== undefined && isScalar(one) && kind === one.kind && others.length === 0)
    return {
      sql: sql`COALESCE(${joined(
        shapes.map((shape) => shape.sql),
        ', ',
      )})`,
      type: one,
    };
  const values = shapes.map((shape) => sql`CASE WHEN ${shape.sql} IS NOT NULL THEN ${jsonOf(shape)} END`);
  return { sql: sql`COALESCE(${joined(values, ', ')})`, type: { kind: 'json' } };
};

/** Returns the value as a type from `commonType`. */
export const asCommon = (value: Value, type: ValueType): EngineSql => {
  if (value.type.kind === type.kind || value.type.kind === 'null') return value.sql;
  if (type.kind === 'json') return jsonOf(value);
  return isScalar(type) ? convert(value, type.kind, value.span) : value.sql;
};
