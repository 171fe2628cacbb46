/** UNION, INTERSECT and EXCEPT: both sides as columns of one type each, and an order over what comes of them. */
import { asCommon, commonType } from './convert.js';
import { type EngineSql, joined, sql } from './engine-sql.js';
import type { LoweredQuery, Place } from './lowered-query.js';
import { refuse } from './query-problem.js';
import type { OutputItem } from './resolve-items.js';
import { limitClause, orderClause, orderedBy } from './resolve-order.js';
import { lowerQuery, resolverOf } from './resolve-query.js';
import { SelectPrinter } from './select-printer.js';
import type { Query, QueryBody, SetOperation, Span } from './tree.js';
import { plainValue } from './values.js';

const OPERATORS = {
  'union all': sql`UNION ALL`,
  'union distinct': sql`UNION`,
  'intersect distinct': sql`INTERSECT`,
  'except distinct': sql`EXCEPT`,
} as const satisfies Record<SetOperation['operator'], EngineSql>;

/** A set operation, or a query in parentheses: its ORDER BY sees the columns of the result and nothing else. */
export const lowerSet = (query: Query, place: Place): LoweredQuery => {
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
  const inner: Place = { ...place, role: 'table' };
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
  // The rows of both sides keep their times; where equal rows become one, which time would that be?
  const timed = body.operator === 'union all' && left.time !== null && right.time !== null;
  const time = timed ? place.context.fresh('k') : null;
  const side = (query: LoweredQuery) => {
    const list = query.columns.map((column, at) => {
      const { type, called } = columns[at] ?? { type: column.type, called: column.sql };
      return sql`${asCommon(plainValue(column, body.span), type)} AS ${called}`;
    });
    if (time !== null && query.time !== null) list.push(sql`${query.time} AS ${time}`);
    return sql`(SELECT ${joined(list, ', ')} FROM (${query.sql}))`;
  };
  return {
    sql: sql`${side(left)} ${OPERATORS[body.operator]} ${side(right)}`,
    columns: columns.map(({ name, called, type }) => ({ name, sql: called, type })),
    time,
    references: [...left.references, ...right.references],
    simple: false,
  };
};
