/** Resolves ORDER BY and LIMIT. A result without ORDER BY is ordered newest first. */
import { type EngineSql, integerLiteral, joined, parameterSql, sql } from '../../engine-sql.js';
import { refuse } from '../../query-problem.js';
import type { Expression, OrderItem, Query, QueryBody, Span } from '../../tree.js';
import type { Value } from '../../values/values.js';
import { orderKeys } from '../expressions/order-keys.js';
import type { Place } from '../lowered-query.js';
import type { Resolver } from '../resolver.js';
import type { OutputItem } from './resolve-items.js';

/** Resolves an item of ORDER BY: a position, an alias, or an expression. */
export const orderedBy = (
  resolver: Resolver,
  { expression }: OrderItem,
  items: readonly OutputItem[],
): Value => {
  const value =
    expression.kind === 'literal' && typeof expression.value === 'number'
      ? itemAt(items, expression.value, expression.span)
      : null;
  return value ?? resolver.resolve(expression);
};

const itemAt = (items: readonly OutputItem[], at: number, span: Span): Value => {
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

/** Prints ORDER BY. Leaves it out in subqueries without a limit. A result without ORDER BY is ordered newest first. */
export const orderClause = ({
  query,
  place,
  order,
  items,
  distinct,
  time,
}: Ordering): readonly EngineSql[] => {
  if ((place.role === 'table' || place.role === 'value') && query.limit === null) return [];
  if (order.length === 0) return time === null ? [] : [sql`ORDER BY ${time} DESC`];
  const keys = order.flatMap(({ item, value }) => {
    const at = items.findIndex((one) => one.value.sql === value.sql);
    if (distinct && at === -1)
      return refuse(item.expression.span, 'SELECT DISTINCT can only be ordered by what it selects');
    // A constant orders nothing, and the engine reads a number as a column position. A grouped value also has no
    // references, but is not a constant.
    const plain = value.references.length === 0 && value.aggregate === null && value.window === null;
    if (value.literal !== undefined || (plain && !isGrouped(query.body))) return [];
    return orderKeys(value, item);
  });
  return keys.length === 0 ? [] : [sql`ORDER BY ${joined(keys, ', ')}`];
};

const isGrouped = (body: QueryBody): boolean => body.kind === 'select' && body.groupBy !== null;

export const limitClause = ({ limit, offset }: Query, { context }: Resolver): readonly EngineSql[] => {
  const count = (expression: Expression): EngineSql => {
    if (expression.kind === 'parameter') {
      context.recordParameter(expression.name, { as: 'number' }, expression.span);
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
