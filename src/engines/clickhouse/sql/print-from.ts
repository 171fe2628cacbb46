/** Prints the FROM of a query in ClickHouse's SQL, and lets its terms name what is in it. */
import { type EngineSql, joined, sql } from '../../../foundation/log-store/engine-sql.js';
import {
  type FromNode,
  OWNER_COLUMN,
  POSITION_COLUMN,
  type QueryNode,
  type Term,
} from '../../../foundation/log-store/query-tree.js';
import { identifier, textLiteral } from './clickhouse-sql.js';
import { type ComparedProject, ownerConditions } from './compared-project.js';
import { itemsOf } from './lists.js';
import type { NamedColumn, Names, PrintedQuery } from './names.js';
import type { TermPrinter } from './print-term.js';
import { as, type Type } from './printed.js';

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

const SOURCE_COLUMNS: readonly NamedColumn[] = [
  { name: 'id', type: { kind: 'string' } },
  { name: 'timestamp', type: { kind: 'timestamp' } },
  { name: 'event_message', type: { kind: 'string' } },
  { name: 'metadata', type: { kind: 'json' } },
  { name: 'project', type: { kind: 'string' } },
];

export class FromPrinter {
  constructor(
    private readonly names: Names,
    private readonly terms: TermPrinter,
    /** Prints a query. */
    private readonly query: (query: QueryNode) => PrintedQuery,
    /** The columns of a named query. */
    private readonly columnsOf: (name: string) => readonly NamedColumn[],
  ) {}

  /** `compared`: by the WHERE of the same SELECT. */
  print(from: FromNode, compared: readonly ComparedProject[]): EngineSql {
    switch (from.kind) {
      case 'source':
        return this.source(from, compared);
      case 'named':
        this.names.introduce(from.as, this.columnsOf(from.name));
        return sql`${identifier(from.name)} AS ${identifier(from.as)}`;
      case 'derived': {
        const { sql: text, columns } = this.query(from.query);
        this.names.introduce(from.as, columns);
        return from.as === null ? sql`(${text})` : sql`(${text}) AS ${identifier(from.as)}`;
      }
      case 'elements':
        return this.elements(from);
      case 'join':
        return this.join(from, compared);
      default:
        return from satisfies never;
    }
  }

  private join({ type, left, right, on }: JoinNode, compared: readonly ComparedProject[]): EngineSql {
    const before = this.print(left, compared);
    if (right.kind === 'elements') return sql`${before} ${this.arrayJoin(right, type, on)}`;
    const sides = sql`${before} ${JOINS[type]} ${this.print(right, compared)}`;
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
    this.names.introduceElements(table, row, items);
    const conditions = on.map((term) => sql`ifNull(${this.terms.condition(term)}, false)`);
    const kept =
      conditions.length === 0 ? rows : sql`arrayFilter(${row} -> ${joined(conditions, ' AND ')}, ${rows})`;
    return sql`${type === 'left' ? sql`LEFT ` : sql``}ARRAY JOIN ${kept} AS ${row}`;
  }

  /** Each element with its place. */
  elementRows(list: Term): { readonly rows: EngineSql; readonly items: Type } {
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
   * that fails on an entry of another project would otherwise reveal that entry. What the query itself compares is no such filter:
   * it stands in a WHERE, so ClickHouse chooses its place among the query's conditions.
   */
  private source(from: SourceNode, compared: readonly ComparedProject[]): EngineSql {
    const { source, project, tail, as: table } = from;
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
    const filter =
      conditions.length > 0
        ? sql` PREWHERE ${joined(conditions, ' AND ')}`
        : this.comparedFilter(from, compared);
    return sql`(SELECT ${joined(columns, ', ')} FROM ${identifier(source)}${filter}) AS ${identifier(table)}`;
  }

  private comparedFilter(from: SourceNode, compared: readonly ComparedProject[]): EngineSql {
    const owners = ownerConditions(from, compared, (term) => this.terms.print(term).sql);
    return owners.length === 0 ? sql`` : sql` WHERE ${joined(owners, ' AND ')}`;
  }
}
