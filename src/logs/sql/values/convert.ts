/**
 * Converts values to another type. A value that does not convert is NULL and does not fail the query. Only conversions
 * that no value of the type allows are refused. Texts without a zone are UTC.
 */
import { SCALAR_TYPES, type Term } from '../../../foundation/log-store/query-tree.js';
import { refuse } from '../query-problem.js';
import { apply, choose, literal, read, record } from '../terms.js';
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
export const textOf = (value: Shape): Term => {
  if (isJson(value.type)) return read('text', placeOf(value));
  switch (value.type.kind) {
    case 'string':
      return value.term;
    case 'number':
      return apply('number-as-text', value.term);
    case 'timestamp':
      return apply('timestamp-as-text', value.term);
    case 'array':
      return apply('list-as-text', value.term);
    default:
      return apply('as-text', value.term);
  }
};

/** Returns any value as JSON. */
export const jsonOf = (value: Shape): Term => {
  if (isJson(value.type)) return value.term;
  if (value.type.kind === 'timestamp') return apply('timestamp-as-json', value.term);
  if (value.type.kind === 'array' && value.type.items.kind === 'timestamp')
    return apply('timestamps-as-json', value.term);
  return apply(isOfNumbers(value.type) ? 'numbers-as-json' : 'as-json', value.term);
};

const isOfNumbers = (type: ValueType): boolean =>
  type.kind === 'number' || (type.kind === 'array' && isOfNumbers(type.items));

/** A named field of a record that a query builds. */
export interface NamedShape {
  readonly name: string;
  readonly shape: Shape;
}

/** Builds a record from values. Names of fields keep their case. */
export const recordOf = (fields: readonly NamedShape[]): Shape => ({
  term: record(fields.map(({ name, shape }) => ({ name, value: jsonOf(shape) }))),
  type: {
    kind: 'record',
    // A copy has no places: the record has the field whatever an entry has.
    fields: Object.fromEntries(fields.map(({ name, shape }) => [name, { ...withinJson(shape.type) }])),
    arrays: false,
  },
});

/** Returns the value as `kind`. Throws Refusal at `span` when the type does not convert. */
export const convert = (value: Shape, kind: ScalarKind, span: Span): Term => {
  const from = value.type;
  if (from.kind === kind) return value.term;
  if (from.kind === 'null') return literal(null, kind);
  if (kind === 'string') return textOf(value);
  if (kind === 'integer' && isJson(from)) return wholeIn(value);
  if (from.kind === 'string' || isJson(from)) return fromText(textOf(value), kind);
  if (kind === 'number' && from.kind === 'integer') return apply('integer-as-number', value.term);
  if (kind === 'integer' && from.kind === 'number') return apply('number-as-integer', value.term);
  if (kind === 'timestamp' && from.kind === 'date') return apply('date-as-timestamp', value.term);
  if (kind === 'date' && from.kind === 'timestamp') return apply('timestamp-as-date', value.term);
  return refuse(span, `${anyOf(from)} cannot be read as ${anyOf({ kind })}`);
};

/** Whether the value is a number in its entry, and not a text of one. */
export const isJsonNumber = (value: Shape): Term =>
  apply('=', read('type', placeOf(value)), literal('number'));

const wholeIn = (value: Shape): Term => {
  const text = textOf(value);
  const rounded = apply('number-as-integer', apply('text-as-number', text));
  return choose([[isJsonNumber(value), rounded]], apply('text-as-integer', text));
};

const fromText = (text: Term, kind: Exclude<ScalarKind, 'string'>): Term =>
  kind === 'date'
    ? apply('timestamp-as-date', apply('text-as-timestamp', text))
    : apply(`text-as-${kind}`, text);

const SCALARS: ReadonlySet<string> = new Set(SCALAR_TYPES);

const isScalarKind = (kind: ValueType['kind']): kind is ScalarKind => SCALARS.has(kind);

export const isScalar = (type: ValueType): type is { readonly kind: ScalarKind } => isScalarKind(type.kind);

/** Returns numbers unchanged, and other values as numbers. */
export const numeric = (value: Value): Shape => {
  if (value.type.kind === 'integer' || value.type.kind === 'number') return value;
  return { term: convert(value, 'number', value.span), type: { kind: 'number' } };
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
    return { term: apply('coalesce', ...shapes.map(({ term }) => term)), type: one };
  const values = shapes.map((shape) => choose([[apply('is-not-null', shape.term), jsonOf(shape)]]));
  return { term: apply('coalesce', ...values), type: { kind: 'json' } };
};

/** Returns the value as a type from `commonType`. */
export const asCommon = (value: Value, type: ValueType): Term => {
  if (value.type.kind === type.kind || value.type.kind === 'null') return value.term;
  if (type.kind === 'json') return jsonOf(value);
  return isScalar(type) ? convert(value, type.kind, value.span) : value.term;
};
