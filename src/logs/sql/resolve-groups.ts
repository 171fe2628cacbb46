/** GROUP BY: by what a query groups, as expressions, as names of the SELECT list or as places in it. */

import { textOf } from './convert.js';
import { type EngineSql, sql } from './engine-sql.js';
import { refuse } from './query-problem.js';
import { resolve } from './resolve-expression.js';
import type { Resolver } from './resolver.js';
import type { Expression, Select } from './tree.js';
import { isJson, type Value } from './values.js';

export interface Groups {
  /** Text of each; null where the query has no GROUP BY. */
  readonly keys: ReadonlySet<string> | null;
  readonly printed: readonly EngineSql[];
}

export const groupsOf = (resolver: Resolver, select: Select): Groups => {
  if (select.groupBy.length === 0) return { keys: null, printed: [] };
  const values = select.groupBy.map((expression) => groupValue(resolver, expression, select));
  for (const value of values) {
    const misplaced = value.aggregate ?? value.window;
    if (misplaced !== null) refuse(misplaced, 'a query cannot group by an aggregate or a window');
    if (value.type.kind === 'array') refuse(value.span, 'a query cannot group by an array');
  }
  const keys = new Set<string>(
    values.flatMap((value) => (isJson(value.type) ? [value.sql, textOf(value)] : [value.sql])),
  );
  const columns = values.filter(({ references }) => references.length > 0);
  return { keys, printed: columns.length === 0 ? [CONSTANT] : columns.map((value) => value.sql) };
};

/** Grouping by constants alone gives one group, and none of no rows. */
const CONSTANT = sql`CAST(1 AS BIGINT)`;

const groupValue = (resolver: Resolver, expression: Expression, select: Select): Value => {
  if (expression.kind === 'literal' && typeof expression.value === 'number')
    return ordinal(resolver, expression.value, { expression, select });
  const alias =
    expression.kind === 'path' && expression.parts.length === 1
      ? expression.parts[0]?.toLowerCase()
      : undefined;
  const item = select.items.find(
    (one) => one.kind === 'expression' && one.alias !== null && one.alias.toLowerCase() === alias,
  );
  return item?.kind === 'expression'
    ? { ...resolve(resolver, item.expression), span: expression.span }
    : resolve(resolver, expression);
};

const ordinal = (
  resolver: Resolver,
  at: number,
  { expression, select }: { expression: Expression; select: Select },
): Value => {
  const item = select.items[at - 1];
  if (item === undefined)
    return refuse(expression.span, `there is no column ${at}; the query gives ${select.items.length}`);
  if (item.kind === 'all') return refuse(expression.span, `column ${at} is a *; name what to group by`);
  return { ...resolve(resolver, item.expression), span: expression.span };
};
