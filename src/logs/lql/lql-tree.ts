/**
 * The syntax tree of an LQL query: what was written, checked as far as its own text goes. Which tables and fields there
 * are is not known here.
 */
import type { Span } from '../sql/tree.js';

/** Text that stands for a value: `quoted` is always text, the rest may be a number. */
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

/** `m.path.to` begins with `metadata`, `t` is `timestamp`. */
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

/** A moment: microseconds since 1970, UTC; `day`: only the day was written, and the moment is its midnight. */
export interface Instant {
  readonly kind: 'instant';
  readonly microseconds: number;
  readonly precision: 'day' | 'moment';
  readonly span: Span;
}

/** A moment, or one that is known when the query runs. */
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

/** `path` null: of all entries, `count(*)`. */
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
  /** Null: the default one. */
  readonly table: LqlTable | null;
  readonly columns: readonly LqlColumn[];
  readonly aggregates: readonly LqlAggregate[];
  readonly grouping: LqlGrouping | null;
}
