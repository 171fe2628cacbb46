/**
 * What an expression is once its names and types are known: text for the engine with a type, the columns it depends on,
 * and whether it aggregates. Fields of metadata are read where they are used, by one extraction from the JSON column.
 */
import type { FieldType } from '../../../foundation/log-store/field-catalogue.js';
import { type EngineSql, jsonPlace, sql } from '../engine-sql.js';
import { refuse } from '../query-problem.js';
import type { Literal, Span } from '../tree.js';

export type ScalarKind = 'boolean' | 'integer' | 'number' | 'string' | 'timestamp' | 'date';

/**
 * `json`: any JSON, its shape not known. Arrays come as JSON or as lists of the engine. `null`: the bare NULL. A datetime
 * is a timestamp.
 */
export type ValueType =
  | { readonly kind: ScalarKind | 'null' | 'json' | 'interval' }
  | {
      readonly kind: 'record';
      readonly fields: Readonly<Record<string, ValueType>>;
      /** Arrays stand in its place in some entries. */
      readonly arrays: boolean;
    }
  | { readonly kind: 'array'; readonly items: ValueType; readonly form: 'json' | 'list' };

/** Of an array's elements, as far as it is known. */
export const elementType = (type: ValueType): ValueType =>
  type.kind === 'array' ? type.items : { kind: 'json' };

/** A column of a table in scope, as an expression depends on it. */
export interface Reference {
  readonly scope: number;
  readonly span: Span;
}

/** A place within a JSON value. */
export interface JsonPlace {
  readonly base: EngineSql;
  readonly path: readonly (string | number)[];
}

/** What an expression gives. */
export interface Shape {
  readonly sql: EngineSql;
  readonly type: ValueType;
  /** Where its fields are, for JSON. */
  readonly json?: JsonPlace;
  /** Where it was read from, for what stands within JSON. */
  readonly readFrom?: JsonPlace;
  /** Never NULL. */
  readonly certain?: boolean;
}

export interface Value extends Shape {
  readonly span: Span;
  /** Columns that are neither grouped by nor within an aggregate. */
  readonly references: readonly Reference[];
  /** Where an aggregate or a window function stands within. */
  readonly aggregate: Span | null;
  readonly window: Span | null;
  /** Set where the query has it word for word. */
  readonly literal?: Literal;
  readonly parameter?: string;
  /** Of a literal of LQL: the field that it is compared with. */
  readonly field?: string;
}

/** The value, if it can be had from one row alone. Throws Refusal where an aggregate or a window stands within. */
export const ofOneRow = (value: Value, refusal: string): Value => {
  const misplaced = value.aggregate ?? value.window;
  return misplaced === null ? value : refuse(misplaced, refusal);
};

/** A value that depends on no column of a query: one of a lambda or of a subquery. */
export const plainValue = (shape: Shape, span: Span): Value => ({
  ...shape,
  span,
  references: [],
  aggregate: null,
  window: null,
});

/** A shape of a scalar type, and nothing else to say of it. */
export const scalar = (kind: ScalarKind, printed: EngineSql): Shape => ({ sql: printed, type: { kind } });

const converted = new WeakMap<FieldType, ValueType>();

/** A catalogue stays the same from query to query; its types are turned once. */
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

/** What stands at a place within JSON, read as its type; NULL where nothing stands there or it does not convert. */
export const valueAt = (json: JsonPlace, type: ValueType): Shape => {
  const place = jsonPlace(json.path);
  const text = sql`json_extract_string(${json.base}, ${place})`;
  switch (type.kind) {
    case 'string':
      return { sql: text, type, readFrom: json };
    case 'boolean':
      return { sql: sql`TRY_CAST(${text} AS BOOLEAN)`, type, readFrom: json };
    case 'integer':
      return { sql: sql`TRY_CAST(${text} AS BIGINT)`, type, readFrom: json };
    case 'number':
      return { sql: sql`TRY_CAST(${text} AS DOUBLE)`, type, readFrom: json };
    case 'timestamp':
    case 'date':
      return {
        sql: sql`TRY_CAST(${text} AS ${type.kind === 'date' ? sql`DATE` : sql`TIMESTAMP`})`,
        type,
        readFrom: json,
      };
    default: {
      const printed = sql`NULLIF(json_extract(${json.base}, ${place}), CAST('null' AS JSON))`;
      return { sql: printed, type, json, readFrom: json };
    }
  }
};

/** A type as it is within JSON, where an array is no list of the engine. */
export const withinJson = (type: ValueType): ValueType => {
  if (type.kind === 'array') return { kind: 'array', items: withinJson(type.items), form: 'json' };
  return type.kind === 'null' || type.kind === 'interval' ? { kind: 'json' } : type;
};

/** The JSON within a value, to read fields of. */
export const placeOf = (value: Shape): JsonPlace => value.json ?? { base: value.sql, path: [] };
