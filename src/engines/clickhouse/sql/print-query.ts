/**
 * Prints a query tree as one SELECT in ClickHouse's SQL, with `{name:Nullable(String)}` for each parameter and `{now:Int64}`
 * (microseconds since 1970) for the moment of the run. A tail has the bounds of its range as two more: `{after:Int64}` and
 * `{upTo:Int64}`. It runs under QUERY_SETTINGS, and its columns are named for `readRows`.
 *
 * Each source is a table named like it; see source-tables.ts. Its columns that begin with an underscore belong to the store.
 */
import type { CheckedQuery } from '../../../foundation/log-store/checked-query.js';
import { type EngineSql, integerLiteral, joined, sql } from '../../../foundation/log-store/engine-sql.js';
import {
  type FromNode,
  type Grouping,
  type NamedNode,
  OWNER_COLUMN,
  POSITION_COLUMN,
  type QueryNode,
  type SelectNode,
  type SetNode,
  type Term,
} from '../../../foundation/log-store/query-tree.js';
import { listOfRows } from './aggregates.js';
import { identifier, textLiteral } from './clickhouse-sql.js';
import { type NamedColumn, Names } from './names.js';
import { TermPrinter } from './print-term.js';
import { as, element, engineType, itemsOf, type Printed, printed, refuse, type Type } from './printed.js';
import { resultName } from './rows.js';

/** What the meaning of a printed query counts on. */
export const QUERY_SETTINGS = {
  join_use_nulls: 1,
  group_by_use_nulls: 1,
  enable_positional_arguments: 0,
  prefer_column_name_to_alias: 1,
  allow_experimental_correlated_subqueries: 1,
  enable_materialized_cte: 1,
  output_format_json_escape_forward_slashes: 0,
  output_format_json_quote_64bit_integers: 1,
  output_format_json_quote_denormals: 1,
  max_query_size: 4_194_304,
} as const;

/** A query longer than ClickHouse reads: some constructs are printed twice, and those in them as often as they nest. */
const MAX_LENGTH = 4_000_000;

const known = new WeakMap<CheckedQuery, EngineSql>();

/** Returns the text of a query. It is kept as long as the query is. Throws LogQueryFailedError for what ClickHouse cannot do. */
export const printQuery = (query: CheckedQuery): string => {
  const before = known.get(query);
  if (before !== undefined) return before;
  const text = new QueryPrinter().whole(query);
  known.set(query, text);
  return text;
};

/** A query with its columns in order. */
interface PrintedQuery {
  readonly sql: EngineSql;
  readonly columns: readonly NamedColumn[];
}

/** The parts of a FROM before its conditions. */
type SourceNode = Extract<FromNode, { kind: 'source' }>;
type JoinNode = Extract<FromNode, { kind: 'join' }>;
type ElementsNode = Extract<FromNode, { kind: 'elements' }>;

const JOINS: Readonly<Record<JoinNode['type'], EngineSql>> = {
  inner: sql`INNER JOIN`,
  left: sql`LEFT JOIN`,
  right: sql`RIGHT JOIN`,
  full: sql`FULL JOIN`,
  cross: sql`CROSS JOIN`,
};

const SET_OPERATORS: Readonly<Record<SetNode['operator'], EngineSql>> = {
  'union all': sql`UNION ALL`,
  'union distinct': sql`UNION DISTINCT`,
  'intersect distinct': sql`INTERSECT DISTINCT`,
  'except distinct': sql`EXCEPT DISTINCT`,
};

const SOURCE_COLUMNS: readonly NamedColumn[] = [
  { name: 'id', type: { kind: 'string' } },
  { name: 'timestamp', type: { kind: 'timestamp' } },
  { name: 'event_message', type: { kind: 'string' } },
  { name: 'metadata', type: { kind: 'json' } },
  { name: 'project', type: { kind: 'string' } },
];

class QueryPrinter {
  private readonly names = new Names();
  private readonly namedColumns = new Map<string, readonly NamedColumn[]>();
  /** Of the SELECT that is printed: the columns that its subqueries depend on, and whether it has aggregates of its rows. */
  private isOneRow = false;
  private current: { needed: Printed[]; aggregates: boolean } = { needed: [], aggregates: false };
  private readonly terms = new TermPrinter({
    column: (of, name) => this.names.of(of, name),
    subquery: (gives, query) => this.dependent(() => this.subquery(gives, query)).result,
    amongRows: (value, query) => this.amongRows(value, query),
    aggregated: () => {
      this.current.aggregates = true;
    },
  });

  whole({ tree: { named, body } }: CheckedQuery): EngineSql {
    const ctes = named.map((node) => this.named(node));
    const { sql: text } = this.query(body, resultName);
    return ctes.length === 0 ? text : sql`WITH ${joined(ctes, ', ')} ${text}`;
  }

  private named({ name, query, isCostly }: NamedNode): EngineSql {
    const { sql: text, columns } = this.query(query);
    this.namedColumns.set(name, columns);
    return sql`${identifier(name)} AS ${isCostly ? sql`MATERIALIZED ` : sql``}(${text})`;
  }

  /** `called`: how the columns are named. */
  private query(query: QueryNode, called?: (column: NamedColumn) => string): PrintedQuery {
    const text = query.kind === 'select' ? this.select(query, called) : this.set(query, called);
    if (text.sql.length > MAX_LENGTH) return refuse('a query as large as this one, once it is written out');
    return text;
  }

  private set({ operator, left, right }: SetNode, called?: (column: NamedColumn) => string): PrintedQuery {
    const [one, other] = [this.query(left, called), this.query(right, called)];
    const columns = one.columns.map((column, at) =>
      column.type.kind === 'null' ? { ...column, type: other.columns[at]?.type ?? column.type } : column,
    );
    return { sql: sql`(${one.sql}) ${SET_OPERATORS[operator]} (${other.sql})`, columns };
  }

  private dependent<T>(print: () => T): { readonly result: T; readonly outer: readonly Printed[] } {
    const { result, outer } = this.names.within(print);
    this.current.needed.push(...outer);
    return { result, outer };
  }

  private select(select: SelectNode, called?: (column: NamedColumn) => string): PrintedQuery {
    const around = this.current;
    this.current = { needed: [], aggregates: false };
    const text = this.selectOf(select, called);
    this.isOneRow = this.current.aggregates && select.groupBy === null && select.having === null;
    this.current = around;
    return text;
  }

  private selectOf(select: SelectNode, called?: (column: NamedColumn) => string): PrintedQuery {
    const tables = select.from === null ? sql`` : sql` FROM ${this.from(select.from)}`;
    const { keys, from } = this.keysOf(select, tables);
    return this.terms.withNames(keys, () => {
      const columns: NamedColumn[] = [];
      const items = select.items.map(({ term, name }) => {
        const value = resultValue(this.terms.print(term), called !== undefined);
        const column = { name, type: value.type };
        columns.push(column);
        return sql`${value.sql} AS ${identifier(called ? called(column) : name)}`;
      });
      const { needed, aggregates } = this.current;
      const kept = aggregates ? [] : needed.map((column) => column.sql);
      return { sql: this.clauses(select, { head: sql`${joined(items, ', ')}${from}`, kept }), columns };
    });
  }

  /**
   * The keys of grouping sets are columns of their own, of an array with one element. ClickHouse makes NULLs of keys in the rows of
   * sets without them, and would else do so in whatever is the same: in a column that a key was simplified to, in each `1`
   * of the query where `id = id` is a key.
   */
  private keysOf({ groupBy }: SelectNode, tables: EngineSql) {
    const keys = new Map<EngineSql, EngineSql>();
    if (groupBy?.kind !== 'sets') return { keys, from: tables };
    for (const term of groupBy.sets.flat()) {
      const { sql: key } = this.terms.print(term);
      if (!keys.has(key)) keys.set(key, identifier(`key ${keys.size + 1}`));
    }
    if (keys.size === 0) return { keys, from: tables };
    const arrays = joined(
      [...keys].map(([key, name]) => sql`[${key}] AS ${name}`),
      ', ',
    );
    return { keys, from: sql`${tables === '' ? sql` FROM (SELECT 1)` : tables} ARRAY JOIN ${arrays}` };
  }

  private clauses(
    select: SelectNode,
    { head, kept }: { readonly head: EngineSql; readonly kept: readonly EngineSql[] },
  ): EngineSql {
    const { distinct, where, groupBy, having, qualify, limit, offset } = select;
    const conditions = where.map((term) => this.terms.condition(term));
    return joined(
      [
        sql`SELECT ${distinct ? sql`DISTINCT ` : sql``}${head}`,
        conditions.length === 0 ? sql`` : sql` WHERE ${joined(conditions, ' AND ')}`,
        groupBy === null ? sql`` : sql` GROUP BY ${this.grouping(groupBy)}`,
        having === null ? sql`` : sql` HAVING ${this.terms.condition(having)}`,
        qualify === null ? sql`` : sql` QUALIFY ${this.terms.condition(qualify)}`,
        this.order(select, kept),
        limit === null ? sql`` : sql` LIMIT ${bound(this.terms.print(limit), NO_LIMIT)}`,
        offset === null ? sql`` : sql` OFFSET ${bound(this.terms.print(offset), sql`0`)}`,
      ],
      '',
    );
  }

  /**
   * ClickHouse drops a column after WHERE that only a subquery of the list needs, and then cannot find it. As last keys of the order
   * such columns are kept.
   */
  private order({ orderBy, groupBy, distinct, where }: SelectNode, kept: readonly EngineSql[]): EngineSql {
    const order = this.terms.order(orderBy);
    if (kept.length === 0 || groupBy !== null || distinct || where.length === 0) return order;
    const more = joined([...new Set(kept)], ', ');
    return order === '' ? sql` ORDER BY ${more}` : sql`${order}, ${more}`;
  }

  private grouping(grouping: Grouping): EngineSql {
    if (grouping.kind === 'terms') return this.terms.listed(grouping.terms);
    const sets = grouping.sets.map((set) => sql`(${this.terms.listed(set)})`);
    return sql`GROUPING SETS (${joined(sets, ', ')})`;
  }

  private from(from: FromNode): EngineSql {
    switch (from.kind) {
      case 'source':
        return this.source(from);
      case 'named':
        this.names.introduce(from.as, this.namedColumns.get(from.name) ?? []);
        return sql`${identifier(from.name)} AS ${identifier(from.as)}`;
      case 'derived': {
        const { sql: text, columns } = this.query(from.query);
        this.names.introduce(from.as, columns);
        return from.as === null ? sql`(${text})` : sql`(${text}) AS ${identifier(from.as)}`;
      }
      case 'elements':
        return this.elements(from);
      case 'join':
        return this.join(from);
      default:
        return from satisfies never;
    }
  }

  private join({ type, left, right, on }: JoinNode): EngineSql {
    const before = this.from(left);
    if (right.kind === 'elements') return sql`${before} ${this.arrayJoin(right, type, on)}`;
    const sides = sql`${before} ${JOINS[type]} ${this.from(right)}`;
    if (type === 'cross') return sides;
    // ClickHouse needs something in which both sides of an outer join are equal.
    const equal = type === 'inner' ? [] : [sql`${this.nothingOf(left)} = ${this.nothingOf(right)}`];
    const conditions = [...equal, ...on.map((term) => this.terms.condition(term))];
    return sql`${sides} ON ${conditions.length === 0 ? sql`true` : joined(conditions, ' AND ')}`;
  }

  /** Zero, that is computed of a column of the first table. */
  private nothingOf(from: FromNode): EngineSql {
    if (from.kind === 'join') return this.nothingOf(from.left);
    return sql`ignore(${this.names.firstOf(from.as)})`;
  }

  /** A join with the elements of a list has its condition in the list, so that a left one keeps the rows without them. */
  private arrayJoin(
    { list, as: table }: ElementsNode,
    type: JoinNode['type'],
    on: JoinNode['on'],
  ): EngineSql {
    const { rows, items } = this.elementRows(list);
    const row = identifier(table);
    const variable = sql`${row}`;
    this.names.introduceElements(table, row, items);
    const conditions = on.map((term) => sql`ifNull(${this.terms.condition(term)}, false)`);
    const kept =
      conditions.length === 0
        ? rows
        : sql`arrayFilter(${variable} -> ${joined(conditions, ' AND ')}, ${rows})`;
    return sql`${type === 'left' ? sql`LEFT ` : sql``}ARRAY JOIN ${kept} AS ${row}`;
  }

  /** Each element with its place. */
  private elementRows(list: ElementsNode['list']): { readonly rows: EngineSql; readonly items: Type } {
    const value = this.terms.print(list);
    const items = itemsOf(value);
    const array = as(value, { kind: 'list', items }).sql;
    const rows = sql`arrayMap(b -> arrayMap((e, o) -> (e, toNullable(toInt64(o) - 1)), b, arrayEnumerate(b)), ${array})[1]`;
    return { rows, items };
  }

  private elements({ list, as: table }: ElementsNode): EngineSql {
    const { rows, items } = this.elementRows(list);
    this.names.introduceElements(table, sql`${identifier(table)}.r`, items);
    return sql`(SELECT arrayJoin(${rows}) AS r) AS ${identifier(table)}`;
  }

  /**
   * The filter of a project stands in a PREWHERE, which ClickHouse applies to the rows before any other condition. A condition
   * that fails on an entry of another project would otherwise reveal that entry.
   */
  private source({ source, project, tail, as: table }: SourceNode): EngineSql {
    const projects = tail?.projects ?? null;
    const columns = [
      sql`toString(id) AS id, timestamp, event_message, metadata, project`,
      ...(tail ? [sql`_position AS ${identifier(POSITION_COLUMN)}`] : []),
      ...(projects === null ? [] : [sql`toString(_owner) AS ${identifier(OWNER_COLUMN)}`]),
    ];
    const conditions = [
      ...(tail ? [sql`_position > {after:Int64} AND _position <= {upTo:Int64}`] : []),
      ...(project === null ? [] : [sql`_owner = ${textLiteral(project)}`]),
      ...(projects === null ? [] : [sql`_owner IN (${joined(projects.map(textLiteral), ', ')})`]),
    ];
    this.names.introduce(table, [
      ...SOURCE_COLUMNS,
      { name: POSITION_COLUMN, type: { kind: 'integer' } },
      { name: OWNER_COLUMN, type: { kind: 'string' } },
    ]);
    const filter = conditions.length === 0 ? sql`` : sql` PREWHERE ${joined(conditions, ' AND ')}`;
    return sql`(SELECT ${joined(columns, ', ')} FROM ${identifier(source)}${filter}) AS ${identifier(table)}`;
  }

  private subquery(gives: 'value' | 'exists' | 'list', query: QueryNode): Printed {
    switch (gives) {
      case 'value':
        return this.value(query);
      case 'exists':
        return this.exists(query);
      case 'list':
        return this.listOfQuery(query);
      default:
        return gives satisfies never;
    }
  }

  private value(query: QueryNode): Printed {
    const { result, outer } = this.dependent(() => this.query(query));
    const { sql: text, columns } = result;
    const first = columnOf(columns[0]);
    const isCorrelated = outer.length > 0;
    if (query.kind === 'select' && isCorrelated && this.isOneRow) {
      // Where the rest of the query meets none of its rows, ClickHouse leaves the whole row out.
      const [item] = query.items;
      const empty = item === undefined ? first : this.terms.overNothing(item.term);
      const found = sql`(SELECT [${element(first)}] FROM (${text}))`;
      return { sql: sql`arrayConcat(${found}, [${element(as(empty, first.type))}])[1]`, type: first.type };
    }
    if (query.kind === 'select' && isCorrelated && isFirstRow(query)) {
      const list = this.listOfQuery(query);
      return { sql: sql`(${list.sql}[1])[1]`, type: itemsOf(list) };
    }
    if (first.type.kind !== 'list') return { sql: sql`(${text})`, type: first.type };
    // A list of no row would be no value of ClickHouse.
    return { sql: sql`(SELECT groupArrayArray(${first.sql}) FROM (${text}))`, type: first.type };
  }

  /** Of elements alone it is a function of the list, which ClickHouse need not join. */
  private exists(given: QueryNode): Printed {
    const query =
      given.kind === 'select' && isFirstRow(given) ? { ...given, orderBy: [], limit: null } : given;
    if (query.kind !== 'select' || query.from?.kind !== 'elements' || !isFilter(query))
      return printed('boolean', sql`EXISTS (${this.query(query).sql})`);
    const { list, as: table } = query.from;
    const { rows, items } = this.elementRows(list);
    const row = identifier(table);
    this.names.introduceElements(table, row, items);
    const conditions = query.where.map((term) => sql`ifNull(${this.terms.condition(term)}, false)`);
    if (conditions.length === 0) return printed('boolean', sql`notEmpty(${rows})`);
    return printed('boolean', sql`arrayExists(${row} -> ${joined(conditions, ' AND ')}, ${rows})`);
  }

  /** In the order of the query, whose keys stand beside the values: ClickHouse collects rows as they come. */
  private listOfQuery(query: QueryNode): Printed {
    if (query.kind !== 'select') {
      const { sql: text, columns } = this.query(query);
      return listOfColumn(columns[0], [], text);
    }
    const keys = query.orderBy.map(({ term }, at) => ({ term, name: `order ${at}` }));
    const [item, ...others] = query.items;
    if (item === undefined || others.length > 0 || (query.distinct && keys.length > 0))
      return refuse('an array of distinct rows in an order');
    const rows: SelectNode = { ...query, items: [item, ...keys] };
    const { result, outer } = this.dependent(() =>
      this.query(query.limit === null ? { ...rows, orderBy: [] } : rows),
    );
    const isCut = query.limit !== null && outer.length > 0;
    // ClickHouse has no limit in a query that depends on the one around it.
    const { sql: text, columns } = isCut
      ? this.query({ ...rows, orderBy: [], limit: null, offset: null })
      : result;
    const orderBy = query.orderBy.map(({ descending, nullsFirst }, at) => ({
      descending,
      nullsFirst,
      key: columnOf(columns[at + 1]),
    }));
    const list = listOfColumn(columns[0], orderBy, text);
    return isCut ? { ...list, sql: sql`arrayMap(b -> ${sliced(query)}, ${list.sql})` } : list;
  }

  private amongRows(of: Term, query: QueryNode): Printed {
    const { result: value, outer: columnsOfValue } = this.names.within(() => this.terms.print(of));
    const { result, outer } = this.dependent(() => this.query(query));
    const { sql: text, columns } = result;
    const isCorrelated = outer.length > 0;
    // It stands in a subquery then.
    if (isCorrelated) this.current.needed.push(...columnsOfValue);
    const column = columnOf(columns[0]);
    const among = isCorrelated
      ? sql`EXISTS (SELECT 1 FROM (${text}) WHERE ${column.sql} = ${value.sql})`
      : sql`(${value.sql} IN (${text}))`;
    const unknown = sql`EXISTS (SELECT 1 FROM (${text}) WHERE isNull(${column.sql})${isCorrelated ? sql` OR isNull(${value.sql})` : sql``})`;
    return printed(
      'boolean',
      sql`multiIf(ifNull(${among}, false), true, ${isCorrelated ? sql`` : sql`isNull(${value.sql}) OR `}${unknown}, NULL, false)`,
    );
  }
}

/** Rows without groups, and of them the first. */
const isFirstRow = ({ limit, offset, distinct, groupBy }: SelectNode): boolean =>
  limit?.kind === 'literal' && limit.value === 1 && offset === null && !distinct && groupBy === null;

/** The elements of an array that the limit of a query says. */
const sliced = ({ limit, offset }: SelectNode): EngineSql => {
  const [most, first] = [limit, offset].map((count) => (count?.kind === 'literal' ? Number(count.value) : 0));
  if (limit?.kind !== 'literal' || (offset !== null && offset.kind !== 'literal'))
    return refuse('a limit that is a parameter, in a subquery that depends on the query around it');
  return sql`arraySlice(b, ${integerLiteral((first ?? 0) + 1)}, ${integerLiteral(most ?? 0)})`;
};

/** Without groups, windows and limits, so that it has a row where its conditions hold for one. */
const isFilter = ({ items, groupBy, having, qualify, limit, offset }: SelectNode): boolean =>
  groupBy === null &&
  having === null &&
  qualify === null &&
  limit === null &&
  offset === null &&
  items.every(({ term }) => term.kind === 'literal');

const columnOf = (column: NamedColumn | undefined): Printed =>
  column === undefined
    ? refuse('a subquery without a column')
    : { sql: identifier(column.name), type: column.type };

const listOfColumn = (
  column: NamedColumn | undefined,
  orderBy: Parameters<typeof listOfRows>[1]['orderBy'],
  text: EngineSql,
): Printed => {
  const value = columnOf(column);
  const list = listOfRows(value, { orderBy, after: sql`` });
  // Without rows it is an empty list.
  const whole = sql`arraySlice(arrayConcat((SELECT ${list.sql} FROM (${text})), ${EMPTY}), 1, 1)`;
  return { ...list, sql: whole };
};

const EMPTY = sql`[[]]`;

const NO_LIMIT = sql`9000000000000000`;

const bound = (count: Printed, ofNull: EngineSql): EngineSql =>
  typeof count.literal === 'number' ? count.sql : sql`toUInt64(ifNull(greatest(${count.sql}, 0), ${ofNull}))`;

/** NULL has the type of a text, as the resolver reads it. */
const resultValue = (value: Printed, isResult: boolean): Printed => {
  const typed = value.type.kind === 'null' ? as(value, { kind: 'string' }) : value;
  return isResult && typed.type.kind === 'boolean'
    ? { ...typed, sql: sql`CAST(${typed.sql} AS ${engineType(typed.type)})` }
    : typed;
};
