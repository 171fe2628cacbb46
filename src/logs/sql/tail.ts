/**
 * Makes the tail of a query: the same rows, each with the position of its entry, of the entries in a range of positions. The
 * query reads one source through one named subquery, and keeps its entries as they are.
 */
import type { CheckedQuery } from '../../foundation/log-store/checked-query.js';
import {
  type FromNode,
  type NamedNode,
  POSITION_COLUMN,
  type QueryNode,
  type SelectNode,
} from '../../foundation/log-store/query-tree.js';
import type { LogSource } from '../../foundation/log-store/sources.js';
import type { StoredQuery } from './compile.js';
import { aggregateOf, column, PLAIN_SELECT } from './terms.js';

export interface TailQuery {
  /** In the order of the positions. */
  readonly rows: CheckedQuery;
  /** One row with the number of rows: `entries`. */
  readonly count: CheckedQuery;
}

/** The stored query that a filter in LQL is about: the columns that `logs.all` has, of one source. */
export const tailedTable = (source: LogSource): StoredQuery => ({
  text: `with ${source} as (select t.id, t.timestamp, t.event_message, t.metadata from ${source} as t)
select id, timestamp, event_message, metadata from ${source}`,
  sandboxed: true,
});

const made = new WeakMap<CheckedQuery, TailQuery>();

/** `query`: compiled over `tailedTable`, without aggregates. The same query always gives the same tail. */
export const tailOf = (query: CheckedQuery): TailQuery => {
  const known = made.get(query);
  if (known) return known;
  const { tree } = query;
  const named = tree.named.map(withPosition);
  const body = positioned(selectIn(tree.body));
  const counted: SelectNode = {
    ...PLAIN_SELECT,
    items: [{ term: aggregateOf('count', []), name: 'entries' }],
    from: { kind: 'derived', query: { ...body, orderBy: [] }, as: 't' },
  };
  const position = column(aliasOf(body.from), POSITION_COLUMN);
  const rows = { ...body, orderBy: [{ term: position, descending: false, nullsFirst: false }] };
  const tail = { rows: { tree: { named, body: rows } }, count: { tree: { named, body: counted } } };
  made.set(query, tail);
  return tail;
};

const withPosition = (node: NamedNode): NamedNode => {
  const select = selectIn(node.query);
  const { from } = select;
  if (from?.kind !== 'source') throw new Error('a tail reads one source');
  return { ...node, query: positioned({ ...select, from: { ...from, isTail: true } }) };
};

const positioned = (select: SelectNode): SelectNode => ({
  ...select,
  items: [...select.items, { term: column(aliasOf(select.from), POSITION_COLUMN), name: POSITION_COLUMN }],
});

const selectIn = (query: QueryNode): SelectNode => {
  if (query.kind === 'select') return query;
  throw new Error('a tail is one SELECT');
};

/** The name of the entries, which stand leftmost. */
const aliasOf = (from: FromNode | null): string => {
  if (from?.kind === 'join') return aliasOf(from.left);
  if (from === null || from.as === null) throw new Error('a tail reads one table');
  return from.as;
};
