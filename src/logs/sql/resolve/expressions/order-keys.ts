/** The sort keys of ORDER BY in a query, a window or an aggregate. */
import type { OrderKey } from '../../../../foundation/log-store/query-tree.js';
import { refuse } from '../../query-problem.js';
import { apply } from '../../terms.js';
import type { OrderItem } from '../../tree.js';
import { isScalar, textOf } from '../../values/convert.js';
import { isJson, type Value } from '../../values/values.js';
import type { Resolver } from '../resolver.js';

/** The keys of an ORDER BY, and the values that they depend on. */
export interface Order {
  readonly keys: readonly OrderKey[];
  readonly values: readonly Value[];
}

export const orderOf = (resolver: Resolver, items: readonly OrderItem[]): Order => {
  const values = items.map(({ expression }) => resolver.resolve(expression));
  const keys = values.flatMap((value, at) => {
    const item = items[at];
    // A literal orders nothing, and an engine may read a number as a column position.
    return item === undefined || value.literal !== undefined ? [] : orderKeys(value, item);
  });
  return { keys, values };
};

/** NULLs come first in ascending order and last in descending order, unless the query says otherwise. */
export const directionOf = (item: OrderItem | undefined): Omit<OrderKey, 'term'> => {
  const descending = item?.descending ?? false;
  const nulls = item?.nulls ?? null;
  return { descending, nullsFirst: nulls === null ? !descending : nulls === 'first' };
};

/** Returns the sort keys of a value. JSON of unknown shape is sorted by numbers, then texts. A constant has no keys. */
export const orderKeys = (value: Value, item: OrderItem): readonly OrderKey[] => {
  if (value.term.kind === 'literal') return [];
  const direction = directionOf(item);
  if (isScalar(value.type) || value.type.kind === 'null') return [{ term: value.term, ...direction }];
  if (!isJson(value.type)) return refuse(value.span, 'arrays and intervals have no order');
  const text = textOf(value);
  const { descending, nullsFirst } = direction;
  return [
    {
      term: apply(nullsFirst ? 'is-not-null' : 'is-null', text),
      descending: false,
      nullsFirst: false,
    },
    { term: apply('text-as-ordered-number', text), descending, nullsFirst: descending },
    { term: text, ...direction },
  ];
};
