/**
 * A resolved expression: a term of the query tree with its type, the columns it depends on, and whether it aggregates. A field of the
 * metadata is read where it is used, by one extraction from the JSON column.
 */
import type { FieldType } from '../../../foundation/log-store/field-catalogue.js';
import type { JsonPath, ScalarType, Term } from '../../../foundation/log-store/query-tree.js';
import { refuse } from '../query-problem.js';
import { apply, read } from '../terms.js';
import type { Literal, Span } from '../tree.js';

export type ScalarKind = ScalarType;

/**
 * `json`: JSON of unknown shape. An array is JSON or a list. `null`: the literal NULL. A datetime is a
 * timestamp.
 */
export type ValueType =
  | { readonly kind: ScalarKind | 'null' | 'json' | 'interval' }
  | {
      readonly kind: 'record';
      readonly fields: Readonly<Record<string, ValueType>>;
      /** Whether some entries have an array in its place. */
      readonly arrays: boolean;
    }
  | { readonly kind: 'array'; readonly items: ValueType; readonly form: 'json' | 'list' };

/** Returns the type of an array's elements, or `json` when it is not known. */
export const elementType = (type: ValueType): ValueType =>
  type.kind === 'array' ? type.items : { kind: 'json' };

/** A column that an expression depends on. */
export interface Reference {
  readonly scope: number;
  readonly span: Span;
}

/** A place within a JSON value. */
export interface JsonPlace {
  readonly base: Term;
  readonly path: JsonPath;
}

/** A term with its type. */
export interface Shape {
  readonly term: Term;
  readonly type: ValueType;
  /** For JSON: the place of its fields. */
  readonly json?: JsonPlace;
  /** For a value inside JSON: the place that it was read from. */
  readonly readFrom?: JsonPlace;
  /** Whether it is never NULL. */
  readonly certain?: boolean;
  /** A column that is NULL in each row, and takes the type of the other side of a set operation. */
  readonly isNull?: true;
}

export interface Value extends Shape {
  readonly span: Span;
  /** Columns that are neither grouped nor inside an aggregate. */
  readonly references: readonly Reference[];
  /** The place of an aggregate or a window function in the expression; null: none. */
  readonly aggregate: Span | null;
  readonly window: Span | null;
  /** Set for literals. */
  readonly literal?: Literal;
  readonly parameter?: string;
  /** For a literal of LQL: the field that it is compared with. */
  readonly field?: string;
}

/** Returns the value if it depends on a single row. Throws Refusal for an aggregate or a window function. */
export const ofOneRow = (value: Value, refusal: string): Value => {
  const misplaced = value.aggregate ?? value.window;
  return misplaced === null ? value : refuse(misplaced, refusal);
};

/** A value that does not depend on columns of a query, such as the variable of a lambda. */
export const plainValue = (shape: Shape, span: Span): Value => ({
  ...shape,
  span,
  references: [],
  aggregate: null,
  window: null,
});

/** A shape with a scalar type. */
export const scalar = (kind: ScalarKind, term: Term): Shape => ({ term, type: { kind } });

const converted = new WeakMap<FieldType, ValueType>();

/** Converts the type of a catalogue field. The result is cached, since queries share the catalogue. */
export const typeOfField = (field: FieldType): ValueType => {
  const known = converted.get(field);
  if (known !== undefined) return known;
  const type = fieldToType(field);
  converted.set(field, type);
  return type;
};

const fieldToType = (field: FieldType): ValueType => {
  switch (field.kind) {
    case 'record': {
      const fields = Object.entries(field.fields).map(([name, type]) => [name, typeOfField(type)]);
      return { kind: 'record', fields: Object.fromEntries(fields), arrays: field.arrays ?? false };
    }
    case 'array':
      return { kind: 'array', items: typeOfField(field.items), form: 'json' };
    default:
      return { kind: field.kind };
  }
};

export const isJson = (type: ValueType): boolean =>
  type.kind === 'json' || type.kind === 'record' || (type.kind === 'array' && type.form === 'json');

/** Reads the value at a place in JSON as a type. NULL when it is missing or does not convert. */
export const valueAt = (json: JsonPlace, type: ValueType): Shape => {
  const text = read('text', json);
  switch (type.kind) {
    case 'string':
      return { term: text, type, readFrom: json };
    case 'integer':
    case 'number':
    case 'boolean':
    case 'timestamp':
    case 'date':
      return { term: apply(`stored-as-${type.kind}`, text), type, readFrom: json };
    default:
      return { term: read('value', json), type, json, readFrom: json };
  }
};

/** Returns a type as it is inside JSON, where arrays are not lists. */
export const withinJson = (type: ValueType): ValueType => {
  if (type.kind === 'array' && type.form === 'list')
    return { kind: 'array', items: withinJson(type.items), form: 'json' };
  return type.kind === 'null' || type.kind === 'interval' ? { kind: 'json' } : type;
};

/** Returns the place in JSON from which fields of the value are read. */
export const placeOf = (value: Shape): JsonPlace => value.json ?? { base: value.term, path: [] };
