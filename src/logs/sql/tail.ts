/**
 * Makes the tail of a query: the same rows, each with the position of its entry, of the entries in a range of positions. The
 * query reads one source through one named subquery, and keeps its entries as they are.
 */
import type { CheckedQuery } from '../../foundation/log-store/checked-query.js';
import {
  type FromNode,
  OWNER_COLUMN,
  POSITION_COLUMN,
  type QueryNode,
  type QueryTree,
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
  /** The project whose entries it has; null: those of all. */
  readonly project: string | null;
  /** The same for queries that differ in their project alone. */
  readonly shape: string;
  /** The rows of several projects, each with its OWNER_COLUMN. */
  readonly rowsOf: (projects: readonly string[]) => CheckedQuery;
}

/** Timestamps of entries in microseconds since 1970. Null: no bound. */
export interface TimeBounds {
  /** Inclusive. */
  readonly from: number | null;
  /** Exclusive. */
  readonly to: number | null;
}

export const ALL_TIMES: TimeBounds = { from: null, to: null };

/** The stored query that a filter in LQL is about: the columns that `logs.all` has, of one source. */
export const tailedTable = (source: LogSource, times = ALL_TIMES): StoredQuery => ({
  text: `with ${source} as (select t.id, t.timestamp, t.event_message, t.metadata from ${source} as t${whereIn(times)})
select id, timestamp, event_message, metadata from ${source}`,
  sandboxed: true,
});

const whereIn = ({ from, to }: TimeBounds): string => {
  const bounds = [
    ...(from === null ? [] : [`t.timestamp >= timestamp_micros(${from})`]),
    ...(to === null ? [] : [`t.timestamp < timestamp_micros(${to})`]),
  ];
  return bounds.length === 0 ? '' : ` where ${bounds.join(' and ')}`;
};

type SourceNode = Extract<FromNode, { kind: 'source' }>;

const made = new WeakMap<CheckedQuery, TailQuery>();

/** `query`: compiled over `tailedTable`, without aggregates. The same query always gives the same tail. */
export const tailOf = (query: CheckedQuery): TailQuery => {
  const known = made.get(query);
  if (known) return known;
  const { project } = sourceIn(query.tree);
  const rows = rowsOf(query.tree, { project, columns: [POSITION_COLUMN], tail: { projects: null } });
  const counted: SelectNode = {
    ...PLAIN_SELECT,
    items: [{ term: aggregateOf('count', []), name: 'entries' }],
    from: { kind: 'derived', query: { ...selectIn(rows.body), orderBy: [] }, as: 't' },
  };
  const tail: TailQuery = {
    rows: { tree: rows },
    count: { tree: { ...rows, body: counted } },
    project,
    shape: JSON.stringify(
      rowsOf(query.tree, { project: null, columns: [POSITION_COLUMN], tail: { projects: null } }),
    ),
    rowsOf: (projects) => ({ tree: unitedRows(query.tree, projects) }),
  };
  made.set(query, tail);
  return tail;
};

const unitedRows = (tree: QueryTree, projects: readonly string[]): QueryTree =>
  rowsOf(tree, { project: null, columns: [POSITION_COLUMN, OWNER_COLUMN], tail: { projects } });

interface TailedSource extends Pick<SourceNode, 'project' | 'tail'> {
  /** Those that the source has beyond an entry's own. */
  readonly columns: readonly string[];
}

const rowsOf = (tree: QueryTree, { columns, ...tailed }: TailedSource): QueryTree => {
  const body = withColumns(selectIn(tree.body), columns);
  const position = column(aliasOf(body.from), POSITION_COLUMN);
  return {
    named: tree.named.map((node) => ({
      ...node,
      query: withColumns({ ...selectIn(node.query), from: { ...sourceIn(tree), ...tailed } }, columns),
    })),
    body: { ...body, orderBy: [{ term: position, descending: false, nullsFirst: false }] },
  };
};

/** The source that its only named subquery reads. */
const sourceIn = ({ named }: QueryTree): SourceNode => {
  const [node, ...others] = named;
  const from = node && others.length === 0 ? selectIn(node.query).from : null;
  if (from?.kind !== 'source') throw new Error('a tail reads one source');
  return from;
};

const withColumns = (select: SelectNode, columns: readonly string[]): SelectNode => ({
  ...select,
  items: [...select.items, ...columns.map((name) => ({ term: column(aliasOf(select.from), name), name }))],
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
