/**
 * Resolves all names and types of a query into the query tree. Tables, subqueries and columns get generated
 * names. Only the columns of the result keep the author's names.
 */
import type { QueryTree, SelectNode, Term } from '../../../foundation/log-store/query-tree.js';
import { refuse } from '../query-problem.js';
import { column, PLAIN_SELECT } from '../terms.js';
import type { Cte, Expression, OrderItem, Query, QueryBody, Select } from '../tree.js';
import { convert } from '../values/convert.js';
import { ofOneRow, type Value } from '../values/values.js';
import { recordConditions } from './clauses/record-conditions.js';
import { type From, resolveFrom } from './clauses/resolve-from.js';
import { type Groups, groupsOf } from './clauses/resolve-groups.js';
import { asOneStruct, itemsOf, type OutputItem, pathsByLastName } from './clauses/resolve-items.js';
import { limitsOf, orderedBy, orderKeysOf } from './clauses/resolve-order.js';
import { selectList } from './clauses/select-list.js';
import type { CompileContext, NamedQuery, Table, TableScope } from './context.js';
import { resolveExpression } from './expressions/resolve-expression.js';
import { nameWindows, windowOf } from './expressions/resolve-window.js';
import type { LoweredQuery, Place } from './lowered-query.js';
import { lowerOrdered, lowerSet } from './resolve-set.js';
import type { Resolver } from './resolver.js';
import { newScope, type Scope } from './scope.js';

interface LoweredResult extends Pick<LoweredQuery, 'columns'> {
  readonly tree: QueryTree;
}

/** Returns the whole query. A subquery that is read more than once and costs more than a scan is worth computing once. */
export const lowerResult = (query: Query, context: CompileContext, tables: TableScope): LoweredResult => {
  const { node: body, columns } = lowerQuery(query, { context, tables, outer: null, role: 'result' });
  const used = context.named.filter(({ uses }) => uses > 0);
  const named = used.map(({ name, query: node, simple, uses }) => ({
    name,
    query: node,
    isCostly: !simple && uses > 1,
  }));
  return { tree: { named, body }, columns };
};

/** Turns named subqueries into tables. Each sees those before it and those of enclosing queries, but not itself. */
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

/** Turns a query into a table, which may be read more than once. */
export const namedTable = (
  name: string,
  { context, tables }: { context: CompileContext; tables: TableScope },
  query: Query,
): Table => {
  const lowered = lowerQuery(query, { context, tables, outer: null, role: 'table' });
  const { node, columns, time, simple, identifier } = lowered;
  const named: NamedQuery = { name: context.fresh('c'), query: node, simple, uses: 0 };
  context.named.push(named);
  const from: Table['from'] = (as) => {
    named.uses++;
    return { kind: 'named', name: named.name, as };
  };
  return { name, columns, time, from, ...(identifier && { identifier: (as) => column(as, identifier) }) };
};

const lowerQuery = (query: Query, place: Place): LoweredQuery => {
  const tables = query.ctes.length === 0 ? place.tables : lowerCtes(query.ctes, place);
  const inner: Place = { ...place, tables };
  if (query.body.kind === 'select') return lowerSelect(query, query.body, inner);
  const body = lowerBody(query.body, inner);
  return lowerOrdered(query, body, { place: inner, resolver: resolverOf(inner) });
};

const lowerBody = (body: QueryBody, place: Place): LoweredQuery => {
  const inner: Place = { ...place, role: 'table' };
  switch (body.kind) {
    case 'nested':
      return lowerQuery(body.query, inner);
    case 'select':
      return lowerQuery({ ctes: [], body, orderBy: [], limit: null, offset: null }, inner);
    case 'set':
      return lowerSet(body, [lowerBody(body.left, inner), lowerBody(body.right, inner)], place.context);
  }
};

/** Creates the resolver through which the parts of the resolution call each other. */
const resolverOf = (place: Place): Resolver => {
  const { context, tables, outer } = place;
  const scope = newScope(context.number(), outer, context.doubts);
  const resolver: Resolver = {
    context,
    scope,
    tables,
    resolve: (expression) => context.within(expression.span, () => resolveExpression(resolver, expression)),
    beside: () => resolverOf(place),
    subquery: (query, role) =>
      lowerQuery(query, { context, tables, outer: role === 'table' ? outer : scope, role }),
  };
  return resolver;
};

const CONSTANTS: From = {
  node: null,
  conditions: [],
  records: [],
  time: null,
  identifier: null,
  simple: true,
  references: [],
};

/** A SELECT with all its clauses resolved. */
interface ResolvedSelect {
  readonly from: From;
  readonly where: Value | null;
  readonly groups: Groups;
  readonly items: readonly OutputItem[];
  readonly having: Value | null;
  readonly qualify: Value | null;
  readonly order: readonly { readonly item: OrderItem; readonly value: Value }[];
  /** The values that are read after grouping. */
  readonly after: readonly Value[];
  /** Whether its rows are those of its FROM, without grouping and DISTINCT. */
  readonly plain: boolean;
}

/** Resolves the clauses in the order in which names become known: tables, windows, groups, columns of the result. */
const resolveSelect = (resolver: Resolver, query: Query, select: Select): ResolvedSelect => {
  const { scope } = resolver;
  const from = select.from === null ? CONSTANTS : resolveFrom(resolver, select.from);
  const where = select.where === null ? null : filterOf(resolver, select.where, 'WHERE');
  nameWindows(scope, select.windows);
  const groups = groupsOf(resolver, select);
  scope.groupKeys = groups.keys;
  for (const { window } of select.windows) windowOf(resolver, window);
  const named = itemsOf(resolver, select);
  const items = select.asStruct ? asOneStruct(resolver, named, select.span) : named;
  scope.aliases = new Map(
    named.flatMap((item) => (item.alias === null ? [] : [[item.alias.toLowerCase(), item.value]])),
  );
  scope.lastNames = pathsByLastName(resolver, select);
  const having = select.having === null ? null : resolver.resolve(select.having);
  const qualify = select.qualify === null ? null : qualifyOf(resolver, select.qualify, items);
  const order = query.orderBy.map((item) => ({ item, value: orderedBy(resolver, item, items) }));
  const values = [...items.map(({ value }) => value), ...order.map(({ value }) => value), having, qualify];
  const after = values.filter((value) => value !== null);
  const aggregates =
    groups.keys !== null || having !== null || after.some((value) => value.aggregate !== null);
  if (aggregates) checkGrouped(after, scope);
  const plain = !aggregates && !select.distinct;
  return { from, where, groups, items, having, qualify, order, after, plain };
};

const lowerSelect = (query: Query, select: Select, place: Place): LoweredQuery => {
  const resolver = resolverOf(place);
  const { from, where, groups, items, having, qualify, order, after, plain } = resolveSelect(
    resolver,
    query,
    select,
  );
  const time = plain ? from.time : null;
  const isOpen = !place.context.hidesEntries || items.some(isMetadata);
  const identifier = plain && isOpen ? from.identifier : null;
  const list = selectList({ place, items: plain ? items : uncertain(items), time, identifier });
  const node: SelectNode = {
    ...PLAIN_SELECT,
    distinct: select.distinct,
    items: list.items,
    from: from.node,
    where: [
      ...recordConditions(resolver, from.records, select.where),
      ...from.conditions,
      ...(where === null ? [] : [where.term]),
    ],
    groupBy: groups.grouping,
    having: having === null ? null : havingOf(having),
    qualify: qualify === null ? null : convert(qualify, 'boolean', qualify.span),
    orderBy: orderKeysOf({ query, place, order, items, distinct: select.distinct, time }),
    ...limitsOf(query, resolver),
  };
  return {
    node,
    columns: list.columns,
    time: list.time,
    ...(list.identifier && { identifier: list.identifier }),
    references: outerReferences(resolver.scope, where === null ? after : [...after, where], from),
    simple: from.simple && plain && query.limit === null && after.every((value) => value.window === null),
  };
};

const isMetadata = ({ name, value }: OutputItem): boolean =>
  name.toLowerCase() === 'metadata' && value.type.kind === 'record' && value.term.kind === 'column';

/** With grouping sets, a grouped column is NULL in the rows of sets without it, so it may be NULL. */
const uncertain = (items: readonly OutputItem[]): readonly OutputItem[] =>
  items.map((item) => {
    const { certain: _, ...value } = item.value;
    return { ...item, value };
  });

const filterOf = (resolver: Resolver, expression: Expression, clause: string): Value => {
  const refusal = `${clause} cannot depend on an aggregate (see HAVING) or a window (see QUALIFY)`;
  const value = ofOneRow(resolver.resolve(expression), refusal);
  return { ...value, term: convert(value, 'boolean', value.span) };
};

const qualifyOf = (resolver: Resolver, expression: Expression, items: readonly OutputItem[]): Value => {
  const value = resolver.resolve(expression);
  if (value.window === null && items.every((item) => item.value.window === null))
    return refuse(
      expression.span,
      'QUALIFY needs a window, in itself or in the SELECT list; see WHERE and HAVING',
    );
  return value;
};

const havingOf = (having: Value): Term => {
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
