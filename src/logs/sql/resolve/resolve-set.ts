/** UNION, INTERSECT and EXCEPT. Both sides are converted to common types, and ORDER BY orders the combined rows. */
import { type EngineSql, joined, sql } from '../engine-sql.js';
import { refuse } from '../query-problem.js';
import type { Query, SetOperation, Span } from '../tree.js';
import { asCommon, commonType } from '../values/convert.js';
import { plainValue } from '../values/values.js';
import type { OutputItem } from './clauses/resolve-items.js';
import { limitClause, orderClause, orderedBy } from './clauses/resolve-order.js';
import { SelectPrinter } from './clauses/select-printer.js';
import type { CompileContext } from './context.js';
import type { LoweredQuery, Place } from './lowered-query.js';
import type { Resolver } from './resolver.js';

const OPERATORS = {
  'union all': sql`UNION ALL`,
  'union distinct': sql`UNION`,
  'intersect distinct': sql`INTERSECT`,
  'except distinct': sql`EXCEPT`,
} as const satisfies Record<SetOperation['operator'], EngineSql>;

/** Lowers a set operation, or a query in parentheses. Its ORDER BY sees only the columns of `body`. */
export const lowerOrdered = (
  query: Query,
  body: LoweredQuery,
  { place, resolver }: { place: Place; resolver: Resolver },
): LoweredQuery => {
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

/** Lowers the set operation on its two sides, without ORDER BY. */
export const lowerSet = (
  { operator, span }: SetOperation,
  [left, right]: readonly [LoweredQuery, LoweredQuery],
  context: CompileContext,
): LoweredQuery => {
  if (left.columns.length !== right.columns.length)
    refuse(
      span,
      `the sides of a set operation need as many columns: ${left.columns.length} and ${right.columns.length}`,
    );
  const columns = left.columns.map((column, at) => {
    const other = right.columns[at];
    return {
      name: column.name,
      called: context.fresh('k'),
      type: commonType([column.type, other?.type ?? column.type], span),
    };
  });
  // UNION ALL keeps the rows and their times. The other operators merge equal rows, which can have several times.
  const timed = operator === 'union all' && left.time !== null && right.time !== null;
  const time = timed ? context.fresh('k') : null;
  const side = (query: LoweredQuery) => {
    const list = query.columns.map((column, at) => {
      const { type, called } = columns[at] ?? { type: column.type, called: column.sql };
      return sql`${asCommon(plainValue(column, span), type)} AS ${called}`;
    });
    if (time !== null && query.time !== null) list.push(sql`${query.time} AS ${time}`);
    return sql`(SELECT ${joined(list, ', ')} FROM (${query.sql}))`;
  };
  return {
    sql: sql`${side(left)} ${OPERATORS[operator]} ${side(right)}`,
    columns: columns.map(({ name, called, type }) => ({ name, sql: called, type })),
    time,
    references: [...left.references, ...right.references],
    simple: false,
  };
};
