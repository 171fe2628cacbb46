/** Resolves ORDER BY and LIMIT. A result without ORDER BY is ordered newest first. */
import type { OrderKey, SelectNode, Term } from '../../../../foundation/log-store/query-tree.js';
import { refuse } from '../../query-problem.js';
import { apply, literal, parameter, sameTerm } from '../../terms.js';
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
  readonly time: Term | null;
}

/** Returns the keys of ORDER BY. Leaves it out in subqueries without a limit. A result without ORDER BY is ordered newest first. */
export const orderKeysOf = ({
  query,
  place,
  order,
  items,
  distinct,
  time,
}: Ordering): readonly OrderKey[] => {
  if ((place.role === 'table' || place.role === 'value') && query.limit === null) return [];
  if (order.length === 0) return time === null ? [] : [{ term: time, descending: true, nullsFirst: false }];
  return order.flatMap(({ item, value }) => {
    const at = items.findIndex((one) => sameTerm(one.value.term, value.term));
    if (distinct && at === -1)
      return refuse(item.expression.span, 'SELECT DISTINCT can only be ordered by what it selects');
    // A constant orders nothing, and an engine may read a number as a column position. A grouped value also has no
    // references, but is not a constant.
    const plain = value.references.length === 0 && value.aggregate === null && value.window === null;
    if (value.literal !== undefined || (plain && !isGrouped(query.body))) return [];
    return orderKeys(value, item);
  });
};

const isGrouped = (body: QueryBody): boolean => body.kind === 'select' && body.groupBy !== null;

export const limitsOf = (
  { limit, offset }: Query,
  { context }: Resolver,
): Pick<SelectNode, 'limit' | 'offset'> => {
  const count = (expression: Expression): Term => {
    if (expression.kind === 'parameter') {
      context.recordParameter(expression.name, { as: 'number' }, expression.span);
      return apply('text-as-integer', parameter(expression.name));
    }
    const value = expression.kind === 'literal' ? expression.value : null;
    if (typeof value === 'number' && Number.isSafeInteger(value) && value >= 0) return literal(value);
    return refuse(expression.span, 'LIMIT and OFFSET take a whole number or a parameter');
  };
  if (limit === null) return { limit: null, offset: null };
  return { limit: count(limit), offset: offset === null ? null : count(offset) };
};
