/** The syntax tree of an LQL query. Its text is checked, but tables and fields are not known here. */
import type { Span } from '../sql/tree.js';

/** More than authors write by hand. Limits how deeply the query nests for the engine. */
export const MAX_TERMS = 200;

/** A value as text. Quoted text is always text; unquoted text may be a number. */
export interface LqlText {
  readonly kind: 'text';
  readonly value: string;
  readonly quoted: boolean;
  readonly span: Span;
}

export interface LqlRegex {
  readonly kind: 'regex';
  /** RE2. */
  readonly pattern: string;
  readonly span: Span;
}

export interface LqlBoolean {
  readonly kind: 'boolean';
  readonly value: boolean;
  readonly span: Span;
}

export type Comparison = '>' | '>=' | '<' | '<=';

/** A path. `m.path.to` is stored as `metadata.path.to`, and `t` as `timestamp`. */
export interface LqlPath {
  readonly parts: readonly string[];
  readonly span: Span;
}

export type MessageTest = LqlText | LqlRegex;

export type FieldTest =
  | LqlText
  | LqlRegex
  | LqlBoolean
  | { readonly kind: 'null'; readonly span: Span }
  | { readonly kind: 'comparison'; readonly operator: Comparison; readonly value: LqlText }
  | { readonly kind: 'range'; readonly low: LqlText; readonly high: LqlText }
  | { readonly kind: 'includes'; readonly item: LqlText | LqlRegex | LqlBoolean };

/** A time in microseconds since 1970, UTC. `day`: the author wrote only a day, and the time is its midnight. */
export interface Instant {
  readonly kind: 'instant';
  readonly microseconds: number;
  readonly precision: 'day' | 'moment';
  readonly span: Span;
}

/** A fixed time, or a time that depends on the run of the query. */
export type TimePoint = Instant | { readonly kind: 'today' | 'yesterday' | 'now'; readonly span: Span };

export const LAST_UNITS = ['second', 'minute', 'hour', 'day', 'week', 'month', 'year'] as const;
export type LastUnit = (typeof LAST_UNITS)[number];
export const THIS_UNITS = ['minute', 'hour', 'day', 'week', 'month', 'year'] as const;
export type ThisUnit = (typeof THIS_UNITS)[number];

export type TimeTest =
  | { readonly kind: 'at'; readonly point: TimePoint }
  | { readonly kind: 'comparison'; readonly operator: Comparison; readonly point: TimePoint }
  | { readonly kind: 'range'; readonly low: TimePoint; readonly high: TimePoint }
  | { readonly kind: 'last'; readonly amount: number; readonly unit: LastUnit }
  | { readonly kind: 'this'; readonly unit: ThisUnit };

export type LqlFilter = { readonly negated: boolean; readonly span: Span } & (
  | { readonly field: 'message'; readonly test: MessageTest }
  | { readonly field: 'time'; readonly test: TimeTest }
  | { readonly field: LqlPath; readonly test: FieldTest }
  /** All of a saved filter. */
  | { readonly field: 'saved'; readonly filters: readonly LqlFilter[] }
);

export interface LqlTable {
  readonly name: string;
  readonly span: Span;
}

/** `path` null: all columns. */
export interface LqlColumn {
  readonly path: LqlPath | null;
  readonly alias: string | null;
  readonly span: Span;
}

export const AGGREGATES = ['count', 'countd', 'sum', 'avg', 'max', 'p50', 'p95', 'p99'] as const;
export type Aggregate = (typeof AGGREGATES)[number];

/** `path` null: `count(*)`, and `countd(*)`, which counts the different times. */
export interface LqlAggregate {
  readonly aggregate: Aggregate;
  readonly path: LqlPath | null;
  readonly span: Span;
}

export const BUCKETS = ['second', 'minute', 'hour', 'day'] as const;
export type Bucket = (typeof BUCKETS)[number];

export interface LqlGrouping {
  readonly bucket: Bucket;
  readonly span: Span;
}

export type LqlTerm =
  | { readonly kind: 'filter'; readonly filter: LqlFilter }
  | { readonly kind: 'table'; readonly table: LqlTable }
  | { readonly kind: 'column'; readonly column: LqlColumn }
  | { readonly kind: 'aggregate'; readonly aggregate: LqlAggregate }
  | { readonly kind: 'grouping'; readonly grouping: LqlGrouping };

export interface LqlQuery {
  readonly text: string;
  readonly filters: readonly LqlFilter[];
  /** Null: the default table. */
  readonly table: LqlTable | null;
  readonly columns: readonly LqlColumn[];
  readonly aggregates: readonly LqlAggregate[];
  readonly grouping: LqlGrouping | null;
}
