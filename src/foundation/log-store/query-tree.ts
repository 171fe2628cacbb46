/**
 * A checked query as a tree, without the text of an engine. Each engine prints it in its own SQL. Only the resolver of
 * src/logs/sql builds one, with the functions of terms.ts there. No node holds a piece of a query's text: what a client wrote
 * is in it as a literal, a name, or a choice of the closed sets below.
 */
import type { AggregateName, Operation, TimeElement, TimePart } from './query-operations.js';
import type { LogSource } from './sources.js';

/** The types of the dialect. `number`: 64-bit float; `timestamp`: UTC with microseconds. */
export const SCALAR_TYPES = ['boolean', 'integer', 'number', 'string', 'timestamp', 'date'] as const;
export type ScalarType = (typeof SCALAR_TYPES)[number];

/** `size`: an upper bound of the printed length, in about characters, so that the resolver can limit it. */
export type Term = TermNode & { readonly size: number };

export type TermNode =
  /** `as`: the type of a NULL that needs one. */
  | { readonly kind: 'literal'; readonly value: string | number | boolean | null; readonly as?: ScalarType }
  /** A text or NULL. */
  | { readonly kind: 'parameter'; readonly name: string }
  /** The moment of the run. */
  | { readonly kind: 'now' }
  /** `of`: the alias of its table; null: the only one. */
  | { readonly kind: 'column'; readonly of: string | null; readonly name: string }
  /** The element that the innermost `each` or `some` reads. */
  | { readonly kind: 'element' }
  | { readonly kind: 'json'; readonly read: JsonRead; readonly base: Term; readonly path: JsonPath }
  | { readonly kind: 'operation'; readonly operation: Operation; readonly args: readonly Term[] }
  | { readonly kind: 'chain'; readonly operator: 'and' | 'or' | '||'; readonly terms: readonly Term[] }
  | { readonly kind: 'case'; readonly branches: readonly Branch[]; readonly otherwise: Term | null }
  /** A JSON record. Values are JSON. */
  | { readonly kind: 'record'; readonly fields: readonly { readonly name: string; readonly value: Term }[] }
  /** `each`: the list of `value` for each element; `some`: whether `value` is true for an element. */
  | { readonly kind: 'each' | 'some'; readonly list: Term; readonly value: Term }
  | { readonly kind: 'among'; readonly of: Term; readonly items: readonly Term[]; readonly negated: boolean }
  | { readonly kind: 'among-rows'; readonly of: Term; readonly query: QueryNode; readonly negated: boolean }
  /** `list`: the values of all rows in their order. */
  | { readonly kind: 'subquery'; readonly gives: 'value' | 'exists' | 'list'; readonly query: QueryNode }
  | ({ readonly kind: 'aggregate' } & Aggregate)
  | { readonly kind: 'time-part'; readonly part: TimePart; readonly of: Term }
  | ({ readonly kind: 'time-text' } & TimeText)
  /** NULL when the text does not have the format. */
  | { readonly kind: 'time-of-text'; readonly text: Term; readonly format: TimeFormat };

export type JsonPath = readonly (string | number)[];

/**
 * What is read from a place in JSON. `text`: a scalar as text, a record or an array as JSON text; `scalar`: a scalar as text;
 * `value`: JSON, NULL for JSON's null; `is-record`; `type`: the name of the type; `length`: of an array; `items`: the elements
 * of an array; `elements`: the same, NULL for any other value; `rows`: the same, a record as an array of itself.
 */
export type JsonRead =
  | 'text'
  | 'scalar'
  | 'value'
  | 'is-record'
  | 'type'
  | 'length'
  | 'items'
  | 'elements'
  | 'rows';

export interface Branch {
  readonly when: Term;
  readonly then: Term;
}

export interface Aggregate {
  readonly name: AggregateName;
  readonly args: readonly Term[];
  readonly distinct: boolean;
  readonly orderBy: readonly OrderKey[];
  /** Rows in which this is NULL are left out; null: no rows. */
  readonly without: Term | null;
  /** For functions of a window. */
  readonly ignoreNulls: boolean;
  readonly over: Window | null;
}

export interface Window {
  readonly partitionBy: readonly Term[];
  readonly orderBy: readonly OrderKey[];
  readonly frame: Frame | null;
}

export interface Frame {
  readonly unit: 'rows' | 'range';
  readonly start: FrameEdge;
  readonly end: FrameEdge;
}

export type FrameEdge =
  | { readonly kind: 'current-row' | 'unbounded-preceding' | 'unbounded-following' }
  | { readonly kind: 'preceding' | 'following'; readonly by: Term };

export interface OrderKey {
  readonly term: Term;
  readonly descending: boolean;
  readonly nullsFirst: boolean;
}

/** The parts of a format: texts, and elements as the dialect names them, without %. */
export type TimeFormat = readonly ({ readonly text: string } | { readonly element: TimeElement })[];

/** `local`: the time in the zone; `utc`: the same time in UTC. */
export interface TimeText {
  readonly local: Term;
  readonly utc: Term;
  readonly zoneName: string;
  readonly format: TimeFormat;
}

export type QueryNode = SelectNode | SetNode;

export interface SelectNode {
  readonly kind: 'select';
  readonly distinct: boolean;
  readonly items: readonly { readonly term: Term; readonly name: string }[];
  readonly from: FromNode | null;
  /** All of them hold. */
  readonly where: readonly Term[];
  readonly groupBy: Grouping | null;
  readonly having: Term | null;
  readonly qualify: Term | null;
  readonly orderBy: readonly OrderKey[];
  readonly limit: Term | null;
  readonly offset: Term | null;
}

/** `sets`: one row for each value of each set. No set has no terms. */
export type Grouping =
  | { readonly kind: 'terms'; readonly terms: readonly Term[] }
  | { readonly kind: 'sets'; readonly sets: readonly (readonly Term[])[] };

export interface SetNode {
  readonly kind: 'set';
  readonly operator: 'union all' | 'union distinct' | 'intersect distinct' | 'except distinct';
  readonly left: QueryNode;
  readonly right: QueryNode;
}

export type FromNode =
  /**
   * The entries of a source, with `id` as text, `timestamp`, `event_message`, `metadata` and `project`. With a project, an
   * engine gives no others, whatever the rest of the query does: no error of another project's entry shows either. A tail has
   * only the entries in the range of the run, each with its POSITION_COLUMN; one of several projects has the entries of these alone,
   * each with its OWNER_COLUMN.
   */
  | {
      readonly kind: 'source';
      readonly source: LogSource;
      readonly project: string | null;
      readonly tail?: { readonly projects: readonly string[] | null };
      readonly as: string;
    }
  | { readonly kind: 'named'; readonly name: string; readonly as: string }
  | { readonly kind: 'derived'; readonly query: QueryNode; readonly as: string | null }
  /** The elements of a list: `e`, and their index from 0: `o`. */
  | { readonly kind: 'elements'; readonly list: Term; readonly as: string }
  | {
      readonly kind: 'join';
      readonly type: 'inner' | 'left' | 'right' | 'full' | 'cross';
      readonly left: FromNode;
      readonly right: FromNode;
      /** All of them hold. */
      readonly on: readonly Term[];
    };

/** The column of a tail with the position of the entry. No field and no alias of LQL has a space in its name. */
export const POSITION_COLUMN = 'tail position';
/** The column of a tail with the project that the entry belongs to. */
export const OWNER_COLUMN = 'tail project';

export interface NamedNode {
  readonly name: string;
  readonly query: QueryNode;
  /** Whether it is worth computing once. */
  readonly isCostly: boolean;
}

export interface QueryTree {
  readonly named: readonly NamedNode[];
  readonly body: QueryNode;
}
