/**
 * Prints a query tree as one SELECT in DuckDB's SQL, with `$name` for each parameter (VARCHAR or NULL) and `$now` (BIGINT,
 * microseconds since 1970) for the moment of the run. A tail has the bounds of its range as two more.
 *
 * Each source is a table named like it: `id UUID, "timestamp" TIMESTAMP, event_message VARCHAR, metadata JSON, project VARCHAR`;
 * times are UTC. Its other columns begin with an underscore and belong to the store.
 */

import type { CheckedQuery } from '../../../foundation/log-store/checked-query.js';
import { type EngineSql, joined, sql } from '../../../foundation/log-store/engine-sql.js';
import { orderSql } from '../../../foundation/log-store/printing.js';
import {
  type FromNode,
  type Grouping,
  type NamedNode,
  OWNER_COLUMN,
  POSITION_COLUMN,
  type QueryNode,
  type SelectNode,
  type SetNode,
} from '../../../foundation/log-store/query-tree.js';
import { type ProjectMatch, projectMatchOf } from '../../../foundation/log-store/sources.js';
import { identifier, textLiteral } from './duckdb-sql.js';
import { TermPrinter } from './print-term.js';

const printed = new WeakMap<CheckedQuery, EngineSql>();

/** Returns the text of a query. It is kept as long as the query is. */
export const printQuery = (query: CheckedQuery): string => {
  const known = printed.get(query);
  if (known !== undefined) return known;
  const { named, body } = query.tree;
  const text =
    named.length === 0 ? queryText(body) : sql`WITH ${joined(named.map(namedText), ', ')} ${queryText(body)}`;
  printed.set(query, text);
  return text;
};

const namedText = ({ name, query, isCostly }: NamedNode): EngineSql =>
  sql`${identifier(name)} AS ${isCostly ? sql`MATERIALIZED` : sql`NOT MATERIALIZED`} (${queryText(query)})`;

const queryText = (query: QueryNode): EngineSql => {
  switch (query.kind) {
    case 'select':
      return selectText(query);
    case 'set':
      return sql`(${queryText(query.left)}) ${SET_OPERATORS[query.operator]} (${queryText(query.right)})`;
    default:
      return query satisfies never;
  }
};

const terms = new TermPrinter(queryText);

const SET_OPERATORS: Readonly<Record<SetNode['operator'], EngineSql>> = {
  'union all': sql`UNION ALL`,
  'union distinct': sql`UNION`,
  'intersect distinct': sql`INTERSECT`,
  'except distinct': sql`EXCEPT`,
};

const selectText = (select: SelectNode): EngineSql => {
  const { distinct, items, from, where, groupBy, having, qualify, orderBy, limit, offset } = select;
  const list = items.map(({ term, name }) => sql`${terms.print(term)} AS ${identifier(name)}`);
  return joined(
    [
      sql`SELECT ${distinct ? sql`DISTINCT ` : sql``}${joined(list, ', ')}`,
      from === null ? sql`` : sql` FROM ${fromText(from)}`,
      where.length === 0 ? sql`` : sql` WHERE ${joined(terms.all(where), ' AND ')}`,
      groupBy === null ? sql`` : sql` GROUP BY ${groupingText(groupBy)}`,
      having === null ? sql`` : sql` HAVING ${terms.print(having)}`,
      qualify === null ? sql`` : sql` QUALIFY ${terms.print(qualify)}`,
      orderSql(orderBy, (term) => terms.print(term)),
      limit === null ? sql`` : sql` LIMIT ${terms.print(limit)}`,
      offset === null ? sql`` : sql` OFFSET ${terms.print(offset)}`,
    ],
    '',
  );
};

const groupingText = (grouping: Grouping): EngineSql => {
  if (grouping.kind === 'terms') return terms.listed(grouping.terms);
  const sets = grouping.sets.map((set) => sql`(${terms.listed(set)})`);
  return sql`GROUPING SETS (${joined(sets, ', ')})`;
};

const JOINS: Readonly<Record<Extract<FromNode, { kind: 'join' }>['type'], EngineSql>> = {
  inner: sql`JOIN`,
  left: sql`LEFT JOIN`,
  right: sql`RIGHT JOIN`,
  full: sql`FULL JOIN`,
  cross: sql`CROSS JOIN`,
};

type SourceNode = Extract<FromNode, { kind: 'source' }>;

const fromText = (from: FromNode): EngineSql => {
  switch (from.kind) {
    case 'source':
      return sql`(${sourceText(from)}) AS ${identifier(from.as)}`;
    case 'named':
      return sql`${identifier(from.name)} AS ${identifier(from.as)}`;
    case 'derived': {
      const query = sql`(${queryText(from.query)})`;
      return from.as === null ? query : sql`${query} AS ${identifier(from.as)}`;
    }
    case 'elements': {
      const list = sql`SELECT ${terms.print(from.list)} AS l`;
      const rows = sql`SELECT unnest(l) AS e, generate_subscripts(l, 1) - 1 AS o FROM (${list})`;
      return sql`(${rows}) AS ${identifier(from.as)}`;
    }
    case 'join': {
      const { type, left, right, on } = from;
      const lateral = right.kind === 'elements' ? sql` LATERAL` : sql``;
      const sides = sql`${fromText(left)} ${JOINS[type]}${lateral} ${fromText(right)}`;
      if (type === 'cross') return sides;
      return sql`${sides} ON ${on.length === 0 ? sql`TRUE` : joined(terms.all(on), ' AND ')}`;
    }
    default:
      return from satisfies never;
  }
};

const sourceText = ({ source, project, tail }: SourceNode): EngineSql => {
  const match = projectMatchOf(source);
  const projects = tail?.projects ?? null;
  const columns = [
    sql`CAST(id AS VARCHAR) AS id, "timestamp", event_message, metadata, project`,
    ...(tail ? [sql`epoch_us(_received_at) AS ${identifier(POSITION_COLUMN)}`] : []),
    ...(projects === null ? [] : [sql`${ownerText(match)} AS ${identifier(OWNER_COLUMN)}`]),
  ];
  const conditions = [
    ...(tail ? [IN_RANGE] : []),
    ...(project === null ? [] : [ownEntries(match, sql`= ${textLiteral(project)}`)]),
    ...(projects === null ? [] : [ownEntries(match, sql`IN (${joined(projects.map(textLiteral), ', ')})`)]),
  ];
  const all = sql`SELECT ${joined(columns, ', ')} FROM ${identifier(source)}`;
  return conditions.length === 0 ? all : sql`${all} WHERE ${joined(conditions, ' AND ')}`;
};

/** Bound as numbers in a run with a range. */
export const RANGE_PARAMETERS = { after: '_after', upTo: '_up_to' } as const;

/** Entries lie in the order of their receipt, so this skips all blocks before the range. */
const IN_RANGE = sql`_received_at > make_timestamp($_after) AND _received_at <= make_timestamp($_up_to)`;

/** Same rule as `projectOf`: only a text names a project. */
const ownEntries = (match: ProjectMatch, isWanted: EngineSql): EngineSql => {
  const owner = ownerText(match);
  switch (match) {
    case 'project':
      return sql`${owner} ${isWanted}`;
    case 'metadata.project':
      return first(sql`${owner} ${isWanted} AND json_type(metadata, '/project') = 'VARCHAR'`);
    case 'metadata.project_ref':
      return first(sql`${owner} ${isWanted} AND json_type(metadata, '/project_ref') = 'VARCHAR'`);
    default:
      return match satisfies never;
  }
};

const ownerText = (match: ProjectMatch): EngineSql => {
  switch (match) {
    case 'project':
      return sql`project`;
    case 'metadata.project':
      return sql`json_extract_string(metadata, '/project')`;
    case 'metadata.project_ref':
      return sql`json_extract_string(metadata, '/project_ref')`;
    default:
      return match satisfies never;
  }
};

/**
 * Keeps the project filter before the conditions of the query. Below a join, DuckDB moves other conditions in front of a
 * comparison with a constant. A condition that fails on an entry of another project would then reveal that entry. DuckDB does
 * not reorder a TRY.
 */
const first = (condition: EngineSql): EngineSql => sql`TRY(${condition})`;
