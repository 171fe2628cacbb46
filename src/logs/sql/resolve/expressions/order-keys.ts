/** The sort keys of ORDER BY in a query, a window or an aggregate. */
import { type EngineSql, isBareLiteral, joined, sql } from '../../engine-sql.js';
import { refuse } from '../../query-problem.js';
import type { OrderItem } from '../../tree.js';
import { isScalar, textOf } from '../../values/convert.js';
import { isJson, type Value } from '../../values/values.js';
import type { Resolver } from '../resolver.js';

/** A printed clause, and the values that it depends on. */
export interface Printed {
  readonly sql: EngineSql;
  readonly values: readonly Value[];
}

/** Prints ` ORDER BY …`, or nothing. */
export const orderOf = (resolver: Resolver, items: readonly OrderItem[]): Printed => {
  const values = items.map(({ expression }) => resolver.resolve(expression));
  if (values.length === 0) return { sql: sql``, values };
  const keys = values.flatMap((value, at) => {
    const item = items[at];
    // A literal orders nothing, and the engine could read a number as a column position.
    return item === undefined || value.literal !== undefined ? [] : orderKeys(value, item);
  });
  return { sql: keys.length === 0 ? sql`` : sql` ORDER BY ${joined(keys, ', ')}`, values };
};

export const directionOf = (item: OrderItem | undefined): EngineSql => {
  const descending = item?.descending ?? false;
  const first = nullsComeFirst({ descending, nulls: item?.nulls ?? null });
  return sql`${descending ? sql`DESC` : sql`ASC`} ${first ? sql`NULLS FIRST` : sql`NULLS LAST`}`;
};

/** NULLs come first in ascending order and last in descending order, unless the query says otherwise. */
const nullsComeFirst = ({ descending, nulls }: Pick<OrderItem, 'descending' | 'nulls'>): boolean =>
  nulls === null ? !descending : nulls === 'first';

/** Returns the sort keys of a value. JSON of unknown shape is sorted by numbers, then texts. A constant has no keys. */
export const orderKeys = (value: Value, item: OrderItem): readonly EngineSql[] => {
  if (isBareLiteral(value.sql)) return [];
  const { descending } = item;
  const first = nullsComeFirst(item);
  const direction = directionOf(item);
  if (isScalar(value.type) || value.type.kind === 'null') return [sql`${value.sql} ${direction}`];
  if (!isJson(value.type)) return refuse(value.span, 'arrays and intervals have no order');
  const text = textOf(value);
  const missing = first ? sql`(${text} IS NOT NULL)` : sql`(${text} IS NULL)`;
  const number = sql`TRY_CAST(${text} AS DOUBLE)`;
  const numbers = descending ? sql`${number} DESC NULLS FIRST` : sql`${number} ASC NULLS LAST`;
  return [sql`${missing} ASC`, numbers, sql`${text} ${direction}`];
};
