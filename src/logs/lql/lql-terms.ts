/** Builds terms from their tokens, with the checks that the grammar cannot express. All functions throw LqlFault. */
import type { IToken } from 'chevrotain';
import type { Span } from '../sql/tree.js';
import { anyOf, LqlFault } from './lql-fault.js';
import { spanOf } from './lql-texts.js';
import { Star } from './lql-tokens.js';
import {
  AGGREGATES,
  BUCKETS,
  type Bucket,
  type FieldTest,
  type LqlAggregate,
  type LqlColumn,
  type LqlPath,
  type LqlTerm,
  type MessageTest,
  type TimeTest,
} from './lql-tree.js';

/** A term without its hyphen. */
export type Unsigned =
  | Exclude<LqlTerm, { readonly kind: 'filter' }>
  | { readonly kind: 'message'; readonly test: MessageTest }
  | { readonly kind: 'field'; readonly field: LqlPath; readonly test: FieldTest }
  | { readonly kind: 'time'; readonly test: TimeTest };

export const termOf = (minus: IToken | null, unsigned: Unsigned, span: Span): LqlTerm => {
  const negated = minus !== null;
  switch (unsigned.kind) {
    case 'message':
      return { kind: 'filter', filter: { field: 'message', test: unsigned.test, negated, span } };
    case 'time':
      return { kind: 'filter', filter: { field: 'time', test: unsigned.test, negated, span } };
    case 'field': {
      const { field, test } = unsigned;
      return { kind: 'filter', filter: { field, test, negated, span } };
    }
    case 'table':
    case 'column':
    case 'aggregate':
    case 'grouping':
      if (minus === null) return unsigned;
      throw new LqlFault(span.start + 1, 'expected a filter behind the hyphen: f:, s: and c: filter nothing');
    default:
      unsigned satisfies never;
      return unsigned;
  }
};

/** `m` stands for metadata, `t` for the timestamp. */
const pathOf = (text: string, span: Span): LqlPath => {
  const [first = '', ...rest] = text.split('.');
  if (first === 'm') return { parts: ['metadata', ...rest], span };
  if (first === 't' && rest.length === 0) return { parts: ['timestamp'], span };
  return { parts: [first, ...rest], span };
};

/** Returns the path before the colon. */
export const fieldOf = (prefix: IToken): LqlPath => {
  const { start, end } = spanOf(prefix);
  const path = pathOf(prefix.image.slice(0, -1), { start, end: end - 1 });
  if (path.parts.join() === 'metadata') {
    throw new LqlFault(end - 1, 'expected a field of the metadata, such as m.path');
  }
  return path;
};

export const columnOf = (name: IToken, alias: IToken | null): LqlColumn => {
  if (alias && !/^\w+$/.test(alias.image)) {
    throw new LqlFault(alias.startOffset, 'expected a name of letters, digits and underscores');
  }
  const path = pathOf(name.image, spanOf(name));
  return { path, alias: alias?.image ?? null, span: spanOf(name, alias ?? name) };
};

export const aggregateOf = (name: IToken, of: IToken, span: Span): LqlAggregate => {
  const aggregate = AGGREGATES.find((known) => known === name.image);
  if (!aggregate) throw new LqlFault(name.startOffset, `expected group_by, ${anyOf(AGGREGATES)}`);
  if (of.tokenType !== Star) return { aggregate, path: pathOf(of.image, spanOf(of)), span };
  if (aggregate === 'count' || aggregate === 'countd') return { aggregate, path: null, span };
  throw new LqlFault(of.startOffset, `expected a field: ${aggregate} is of one`);
};

export const bucketOf = (field: IToken, bucket: IToken): Bucket => {
  if (!['t', 'timestamp'].includes(field.image)) {
    throw new LqlFault(field.startOffset, 'expected t or timestamp');
  }
  const found = BUCKETS.find((known) => known === bucket.image);
  if (!found) throw new LqlFault(bucket.startOffset, `expected ${anyOf(BUCKETS)}`);
  return found;
};
