/**
 * Queries with all their names and types resolved, printed for the engine. Tables, subqueries and columns get names that
 * this compiler makes; only the columns of the result are called as their author calls them.
 */
import type { CompileContext, NamedQuery, Table, TableScope } from './context.js';
import { asCommon, commonType, convert } from './convert.js';
import { type EngineSql, identifier, integerLiteral, joined, parameterSql, sql } from './engine-sql.js';
import { refuse } from './query-problem.js';
import { recordConditions } from './record-conditions.js';
import { orderKeys } from './resolve-call.js';
import { type Resolver, resolve, type Subquery } from './resolve-expression.js';
import { type From, resolveFrom } from './resolve-from.js';
import { groupsOf } from './resolve-groups.js';
import { itemsOf, type OutputItem } from './resolve-items.js';
import { allOf, type Column, newScope, type Scope } from './scope.js';
import type { Cte, Expression, OrderItem, Query, QueryBody, Select, SetOperation, Span } from './tree.js';
import { plainValue, type Value } from './values.js';

export interface LoweredQuery {
  readonly sql: EngineSql;
  /** As the query around it reads them: their text is the name that they have here. */
  readonly columns: readonly Column[];
  /** The column by which its rows are newest first; null where they have no time of their own. */
  readonly time: EngineSql | null;
  readonly references: Value['references'];
  /** A scan of one table and nothing that costs more. */
  readonly simple: boolean;
}

/** Whether columns go by the names of their author, once each, or by our own. */
type Naming = 'result' | 'internal';

interface Place {
  readonly context: CompileContext;
  readonly tables: TableScope;
  /** The query around; null at the top and in named subqueries, which see none. */
  readonly outer: Scope | null;
  readonly naming: Naming;
}

/** A whole query, as the engine runs it. */
export const lowerResult = (query: Query, context: CompileContext, tables: TableScope): EngineSql => {
  const { sql: body } = lowerQuery(query, { context, tables, outer: null, naming: 'result' });
  const used = context.named.filter(({ uses }) => uses > 0);
  if (used.length === 0) return body;
  return sql`WITH ${joined(used.map(printNamed), ', ')} ${body}`;
};

/** What is read once, or costs no more than a scan, is looked through; what is not is made once by the engine. */
const printNamed = ({ name, body, simple, uses }: NamedQuery): EngineSql =>
  simple || uses === 1 ? sql`${name} AS NOT MATERIALIZED (${body})` : sql`${name} AS MATERIALIZED (${body})`;

/** Named subqueries become tables, each of which sees those before it and those of the queries around, but not itself. */
export const lowerCtes = (
  ctes: readonly Cte[],
  { context, tables }: { context: CompileContext; tables: TableScope },
): TableScope => {
  const scope: TableScope = { parent: tables, tables: new Map() };
  for (const { name, query, span } of ctes) {
    if (scope.tables.has(name.toLowerCase())) refuse(span, `two subqueries are called ${name}`);
    if (context.taken.has(name.toLowerCase()))
      refuse(span, `${name} is a table of this endpoint; give the subquery another name`);
    const table = namedTable(name, { context, tables: scope }, query);
    scope.tables.set(name.toLowerCase(), table);
  }
  return scope;
};

const namedTable = (
  name: string,
  { context, tables }: { context: CompileContext; tables: TableScope },
  query: Query,
): Table => {
  const lowered = lowerQuery(query, { context, tables, outer: null, naming: 'internal' });
  const { sql: body, columns, time, simple } = lowered;
  const named: NamedQuery = { name: context.fresh('c'), body, simple, uses: 0 };
  context.named.push(named);
  const print = () => {
    named.uses++;
    return named.name;
  };
  return { name, columns, time, print };
};

export const lowerQuery = (query: Query, place: Place): LoweredQuery => {
  const tables = query.ctes.length === 0 ? place.tables : lowerCtes(query.ctes, place);
  const inner: Place = { ...place, tables };
  if (query.body.kind === 'select') return lowerSelect(query, query.body, inner);
  return lowerSet(query, inner);
};

const subqueryOf = (query: Query, { context, scope, tables }: Resolver): Subquery =>
  lowerQuery(query, { context, tables, outer: scope, naming: 'internal' });

const resolverOf = ({ context, tables, outer }: Place): Resolver => ({
  context,
  scope: newScope(context.number(), outer),
  tables,
  subquery: subqueryOf,
});

const CONSTANTS: From = { sql: sql``, conditions: [], records: [], time: null, simple: true, references: [] };

const lowerSelect = (query: Query, select: Select, place: Place): LoweredQuery => {
  const resolver = resolverOf(place);
  const { scope } = resolver;
  const from = select.from === null ? CONSTANTS : resolveFrom({ resolver, lower: derivedOf }, select.from);
  const where = select.where === null ? null : filterOf(resolver, select.where, 'WHERE');
  const groups = groupsOf(resolver, select);
  scope.groupKeys = groups.keys;
  const items = itemsOf(resolver, select);
  scope.aliases = new Map(
    items.flatMap((item) => (item.alias === null ? [] : [[item.alias.toLowerCase(), item.value]])),
  );
  const having = select.having === null ? null : resolve(resolver, select.having);
  const qualify = select.qualify === null ? null : resolve(resolver, select.qualify);
  const order = query.orderBy.map((item) => ({ item, value: orderedBy(resolver, item, items) }));
  const after = [
    ...items.map(({ value }) => value),
    ...order.map(({ value }) => value),
    having,
    qualify,
  ].filter((value) => value !== null);
  const aggregates =
    groups.keys !== null || having !== null || after.some((value) => value.aggregate !== null);
  if (aggregates) checkGrouped(after, scope);
  const plain = !aggregates && !select.distinct;
  const printer = new SelectPrinter({ place, items, time: plain ? from.time : null });
  const conditions = [
    ...recordConditions(resolver, from.records, select.where),
    ...from.conditions,
    ...(where === null ? [] : [where.sql]),
  ];
  const clauses = [
    ...(select.from === null ? [] : [sql`FROM ${from.sql}`]),
    ...(conditions.length === 0 ? [] : [sql`WHERE ${allOf(conditions)}`]),
    ...(groups.printed.length === 0 ? [] : [sql`GROUP BY ${joined(groups.printed, ', ')}`]),
    ...(having === null ? [] : [sql`HAVING ${havingOf(having)}`]),
    ...(qualify === null ? [] : [sql`QUALIFY ${convert(qualify, 'boolean', qualify.span)}`]),
    ...orderClause({ query, place, order, items, distinct: select.distinct, time: plain ? from.time : null }),
    ...limitClause(query, resolver),
  ];
  const head = select.distinct ? sql`SELECT DISTINCT ${printer.list}` : sql`SELECT ${printer.list}`;
  return {
    sql: joined([head, ...clauses], ' '),
    columns: printer.columns,
    time: printer.time,
    references: outerReferences(scope, [...after, ...(where === null ? [] : [where])], from),
    simple: from.simple && plain && query.limit === null && after.every((value) => value.window === null),
  };
};

const derivedOf = (query: Query, { context, tables, scope }: Resolver): LoweredQuery =>
  lowerQuery(query, { context, tables, outer: scope.parent, naming: 'internal' });

const filterOf = (resolver: Resolver, expression: Expression, clause: string): Value => {
  const value = resolve(resolver, expression);
  const misplaced = value.aggregate ?? value.window;
  if (misplaced !== null)
    return refuse(
      misplaced,
      `${clause} cannot depend on an aggregate (see HAVING) or a window (see QUALIFY)`,
    );
  return { ...value, sql: convert(value, 'boolean', value.span) };
};

const havingOf = (having: Value): EngineSql => {
  if (having.window !== null) return refuse(having.window, 'HAVING cannot depend on a window; see QUALIFY');
  return convert(having, 'boolean', having.span);
};

const checkGrouped = (values: readonly Value[], scope: Scope): void => {
  for (const { references } of values) {
    const free = references.find((reference) => reference.scope === scope.id);
    if (free !== undefined)
      refuse(
        free.span,
        'in a query that groups or aggregates, this has to be in GROUP BY or inside an aggregate',
      );
  }
};

const outerReferences = (scope: Scope, values: readonly Value[], from: From): Value['references'] =>
  [...from.references, ...values.flatMap(({ references }) => references)].filter(
    (reference) => reference.scope !== scope.id,
  );

/** An item by its place or alias, or an expression of its own. */
const orderedBy = (resolver: Resolver, { expression }: OrderItem, items: readonly OutputItem[]): Value => {
  const value =
    expression.kind === 'literal' && typeof expression.value === 'number'
      ? itemAt(items, expression.value, expression.span)
      : null;
  return value ?? resolve(resolver, expression);
};

export const itemAt = (items: readonly OutputItem[], at: number, span: Span): Value => {
  const item = items[at - 1];
  return item === undefined
    ? refuse(span, `there is no column ${at}; the query gives ${items.length}`)
    : item.value;
};

interface Ordering {
  readonly query: Query;
  readonly place: Place;
  readonly order: readonly { readonly item: OrderItem; readonly value: Value }[];
  readonly items: readonly OutputItem[];
  readonly distinct: boolean;
  readonly time: EngineSql | null;
}

/** An order within another query means nothing without a limit. Without one of its own, a result comes newest first. */
const orderClause = ({ query, place, order, items, distinct, time }: Ordering): readonly EngineSql[] => {
  if (place.naming === 'internal' && query.limit === null) return [];
  if (order.length === 0) return time === null ? [] : [sql`ORDER BY ${time} DESC`];
  const keys = order.flatMap(({ item, value }) => {
    const at = items.findIndex((one) => one.value.sql === value.sql);
    if (distinct && at === -1)
      return refuse(item.expression.span, 'SELECT DISTINCT can only be ordered by what it selects');
    // The same for all rows; the engine would take a number for the place of a column. What is grouped by has no
    // references left either, and is not.
    const plain = value.references.length === 0 && value.aggregate === null && value.window === null;
    if (value.literal !== undefined || (plain && !isGrouped(query.body))) return [];
    return orderKeys(value, item);
  });
  return keys.length === 0 ? [] : [sql`ORDER BY ${joined(keys, ', ')}`];
};

const isGrouped = (body: QueryBody): boolean => body.kind === 'select' && body.groupBy.length > 0;

const limitClause = ({ limit, offset }: Query, { context }: Resolver): readonly EngineSql[] => {
  const count = (expression: Expression): EngineSql => {
    if (expression.kind === 'parameter') {
      context.noteParameter(expression.name, { as: 'number' }, expression.span);
      return sql`TRY_CAST(${parameterSql(expression.name)} AS BIGINT)`;
    }
    const value = expression.kind === 'literal' ? expression.value : null;
    if (typeof value === 'number' && Number.isSafeInteger(value) && value >= 0) return integerLiteral(value);
    return refuse(expression.span, 'LIMIT and OFFSET take a whole number or a parameter');
  };
  if (limit === null) return [];
  const most = sql`LIMIT ${count(limit)}`;
  return offset === null ? [most] : [most, sql`OFFSET ${count(offset)}`];
};

/** The SELECT list, and what the query around sees of it. */
class SelectPrinter {
  readonly list: EngineSql;
  readonly columns: readonly Column[];
  readonly time: EngineSql | null;

  constructor({
    place,
    items,
    time,
  }: { place: Place; items: readonly OutputItem[]; time: EngineSql | null }) {
    const names = new Set<string>();
    const named = items.map(({ name, value }) => {
      const called = place.naming === 'result' ? identifier(unique(name, names)) : place.context.fresh('k');
      return { name, called, value };
    });
    const hidden = time === null || place.naming === 'result' ? null : place.context.fresh('k');
    const printed = named.map(({ called, value }) => sql`${value.sql} AS ${called}`);
    this.list = joined(
      hidden === null || time === null ? printed : [...printed, sql`${time} AS ${hidden}`],
      ', ',
    );
    this.columns = named.map(({ name, called, value }) => ({
      name,
      sql: called,
      type: value.type.kind === 'null' ? { kind: 'string' } : value.type,
      ...(value.certain === undefined ? {} : { certain: value.certain }),
    }));
    this.time = hidden;
  }
}

const unique = (name: string, taken: Set<string>): string => {
  let free = name;
  for (let at = 1; taken.has(free.toLowerCase()); at++) free = `${name}_${at}`;
  taken.add(free.toLowerCase());
  return free;
};

const OPERATORS = {
  'union all': sql`UNION ALL`,
  'union distinct': sql`UNION`,
  'intersect distinct': sql`INTERSECT`,
  'except distinct': sql`EXCEPT`,
} as const satisfies Record<SetOperation['operator'], EngineSql>;

/** A set operation, or a query in parentheses: its ORDER BY sees the columns of the result and nothing else. */
const lowerSet = (query: Query, place: Place): LoweredQuery => {
  const body = lowerBody(query.body, place);
  const resolver = resolverOf(place);
  const name = place.context.fresh('t');
  const columns = body.columns.map((column) => ({ ...column, sql: sql`${name}.${column.sql}` }));
  resolver.scope.relations.push({ alias: null, columns, element: null });
  const items: OutputItem[] = columns.map((column) => ({
    name: column.name,
    alias: column.name,
    value: { ...plainValue(column, NOWHERE), references: [{ scope: resolver.scope.id, span: NOWHERE }] },
  }));
  const order = query.orderBy.map((item) => ({ item, value: orderedBy(resolver, item, items) }));
  const time = body.time === null ? null : sql`${name}.${body.time}`;
  const printer = new SelectPrinter({ place, items, time });
  const clauses = [
    ...orderClause({ query, place, order, items, distinct: false, time }),
    ...limitClause(query, resolver),
  ];
  const { columns: printed, time: seen } = printer;
  const whole = joined([sql`SELECT ${printer.list} FROM (${body.sql}) AS ${name}`, ...clauses], ' ');
  return { sql: whole, columns: printed, time: seen, references: body.references, simple: false };
};

const NOWHERE: Span = { start: 0, end: 0 };

const lowerBody = (body: QueryBody, place: Place): LoweredQuery => {
  const inner: Place = { ...place, naming: 'internal' };
  if (body.kind === 'nested') return lowerQuery(body.query, inner);
  if (body.kind === 'select')
    return lowerQuery({ ctes: [], body, orderBy: [], limit: null, offset: null }, inner);
  const [left, right] = [lowerBody(body.left, inner), lowerBody(body.right, inner)];
  if (left.columns.length !== right.columns.length)
    refuse(
      body.span,
      `the sides of a set operation need as many columns: ${left.columns.length} and ${right.columns.length}`,
    );
  const columns = left.columns.map((column, at) => {
    const other = right.columns[at];
    return {
      name: column.name,
      called: place.context.fresh('k'),
      type: commonType([column.type, other?.type ?? column.type], body.span),
    };
  });
  const side = (query: LoweredQuery) => {
    const list = query.columns.map((column, at) => {
      const { type, called } = columns[at] ?? { type: column.type, called: column.sql };
      return sql`${asCommon(plainValue(column, body.span), type)} AS ${called}`;
    });
    return sql`(SELECT ${joined(list, ', ')} FROM (${query.sql}))`;
  };
  return {
    sql: sql`${side(left)} ${OPERATORS[body.operator]} ${side(right)}`,
    columns: columns.map(({ name, called, type }) => ({ name, sql: called, type })),
    time: null,
    references: [...left.references, ...right.references],
    simple: false,
  };
};
