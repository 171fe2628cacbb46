/**
 * A term as ClickHouse's SQL with its type. ClickHouse has no NULL among its arrays, no JSON of a scalar, and many integers, so a
 * printer has to know the type of what it has printed:
 *
 * - integer: Int64, number: Float64, string: String, timestamp: DateTime64(6, 'UTC'), date: Date32, each Nullable or not;
 *   boolean: UInt8 or Bool.
 * - json: Nullable(String), its text.
 * - list: an array with the list as its only element, or an empty array for NULL. Elements are Nullable.
 * - interval: the number of its unit.
 */
import { type EngineSql, joined, sql } from '../../../foundation/log-store/engine-sql.js';
import { LogQueryFailedError } from '../../../foundation/log-store/log-store.js';
import type { ScalarType } from '../../../foundation/log-store/query-tree.js';

export type Type =
  | { readonly kind: ScalarType | 'json' | 'null' }
  | { readonly kind: 'list'; readonly items: Type }
  | { readonly kind: 'interval'; readonly unit: 'microsecond' | 'month' }
  /** Values, and how often each was there: Tuple(Array, Array). `counted`: one of them, Tuple(value, count). */
  | { readonly kind: 'counts' | 'counted'; readonly of: Type };

export interface Printed {
  readonly sql: EngineSql;
  readonly type: Type;
  /** Of a literal. */
  readonly literal?: string | number | boolean | null;
}

/** Writes an operation with its printed arguments, as many as the tree says. */
export type Spelling = (...args: readonly [Printed, Printed, ...(readonly Printed[])]) => Printed;

export const printed = (kind: ScalarType | 'json' | 'null', text: EngineSql): Printed => ({
  sql: text,
  type: { kind },
});

/** Throws LogQueryFailedError for what ClickHouse cannot do. `construct`: as the dialect names it. */
export const refuse = (construct: string): never => {
  throw new LogQueryFailedError('value', `${construct}: not possible where the logs are in ClickHouse`);
};

/** An argument that ClickHouse takes only as a constant. `what` is done by it. */
export const written = ({ sql: text, literal }: Printed, what: string): EngineSql =>
  typeof literal === 'string' ? text : refuse(`${what} that is not written in the query`);

const SCALARS: Readonly<Record<ScalarType | 'json' | 'null', EngineSql>> = {
  boolean: sql`Nullable(Bool)`,
  integer: sql`Nullable(Int64)`,
  number: sql`Nullable(Float64)`,
  string: sql`Nullable(String)`,
  json: sql`Nullable(String)`,
  null: sql`Nullable(String)`,
  timestamp: sql`Nullable(DateTime64(6, 'UTC'))`,
  date: sql`Nullable(Date32)`,
};

/** The engine's type of a value. */
export const engineType = (type: Type): EngineSql => {
  switch (type.kind) {
    case 'list':
      return sql`Array(Array(${engineType(type.items)}))`;
    case 'interval':
      return SCALARS.integer;
    case 'counts':
    case 'counted':
      return refuse('a table of counts without a value');
    default:
      return SCALARS[type.kind];
  }
};

/** NULL of a type. */
export const nullOf = (type: Type): Printed => ({
  sql: type.kind === 'list' ? sql`CAST([] AS ${engineType(type)})` : sql`CAST(NULL AS ${engineType(type)})`,
  type,
});

/** Gives NULL, and an empty list, the type of what they stand beside. */
export const as = (value: Printed, type: Type): Printed => {
  if (value.type.kind === 'null') return nullOf(type);
  if (value.type.kind !== 'list' || type.kind !== 'list' || value.type.items.kind !== 'null') return value;
  return { ...value, sql: sql`CAST(${value.sql} AS ${engineType(type)})`, type };
};

/** The type of values that stand for each other. */
export const common = (values: readonly Printed[]): Type => {
  const types = values.map(({ type }) => type).filter(({ kind }) => kind !== 'null');
  const [first] = types;
  if (first === undefined) return { kind: 'null' };
  if (first.kind === 'interval' && types.some((type) => type.kind === 'interval' && type.unit !== first.unit))
    return refuse('a choice between an interval of months and one of days');
  if (first.kind === 'integer' && types.some(({ kind }) => kind === 'number')) return { kind: 'number' };
  return types.find((type) => type.kind !== 'list' || type.items.kind !== 'null') ?? first;
};

export const listed = (values: readonly Pick<Printed, 'sql'>[]): EngineSql =>
  joined(
    values.map((value) => value.sql),
    ', ',
  );
