/** Resolves windows: named windows, windows that extend another, and frames. */
import { type EngineSql, integerLiteral, joined, sql } from '../../engine-sql.js';
import { refuse } from '../../query-problem.js';
import type { FrameBound, NamedWindow, WindowSpec } from '../../tree.js';
import { numeric } from '../../values/convert.js';
import type { Resolver } from '../resolver.js';
import type { Scope } from '../scope.js';
import { orderOf, type Printed } from './order-keys.js';

/** Adds the windows of a WINDOW clause to the scope. Each may extend one before it. Throws Refusal. */
export const nameWindows = (scope: Scope, windows: readonly NamedWindow[]): void => {
  const named = new Map<string, WindowSpec>();
  scope.windows = named;
  for (const { name, window, span } of windows) {
    if (named.has(name.toLowerCase())) refuse(span, `two windows are called ${name}`);
    named.set(name.toLowerCase(), extended(scope, window));
  }
};

/** Returns the window merged with the window that it extends. */
const extended = (scope: Scope, spec: WindowSpec): WindowSpec => {
  const { base, partitionBy, orderBy, frame } = spec;
  if (base === null) return spec;
  const named = scope.windows.get(base.name.toLowerCase());
  if (named === undefined) return refuse(base.span, `there is no window ${base.name} in this SELECT`);
  if (partitionBy.length === 0 && orderBy.length === 0 && frame === null) return named;
  if (partitionBy.length > 0)
    refuse(base.span, `PARTITION BY is that of ${base.name} and cannot be said again`);
  if (orderBy.length > 0 && named.orderBy.length > 0) refuse(base.span, `${base.name} has an order already`);
  if (named.frame !== null) refuse(base.span, `${base.name} has a frame and is used as it is`);
  return { ...named, orderBy: orderBy.length > 0 ? orderBy : named.orderBy, frame };
};

/** Prints the parentheses after OVER. */
export const windowOf = (resolver: Resolver, spec: WindowSpec): Printed => {
  const { partitionBy, orderBy, frame } = extended(resolver.scope, spec);
  const parts = partitionBy.map((expression) => resolver.resolve(expression));
  const order = orderOf(resolver, orderBy);
  const values = [...parts, ...order.values];
  const inside = values.find((value) => value.window !== null);
  if (inside?.window) return refuse(inside.window, 'a window function cannot stand inside another one');
  const partition =
    parts.length === 0
      ? sql``
      : sql`PARTITION BY ${joined(
          parts.map((part) => part.sql),
          ', ',
        )}`;
  const bounds = frame === null ? sql`` : frameOf(resolver, frame);
  return { sql: sql`${partition}${order.sql}${bounds}`, values };
};

const frameOf = (resolver: Resolver, { unit, start, end }: NonNullable<WindowSpec['frame']>): EngineSql => {
  const unitSql = unit === 'rows' ? sql`ROWS` : sql`RANGE`;
  return sql` ${unitSql} BETWEEN ${boundOf(resolver, start)} AND ${boundOf(resolver, end)}`;
};

const boundOf = (resolver: Resolver, bound: FrameBound): EngineSql => {
  switch (bound.kind) {
    case 'current-row':
      return sql`CURRENT ROW`;
    case 'unbounded-preceding':
      return sql`UNBOUNDED PRECEDING`;
    case 'unbounded-following':
      return sql`UNBOUNDED FOLLOWING`;
    case 'preceding':
    case 'following': {
      const by = resolver.resolve(bound.by);
      if (typeof by.literal !== 'number' || by.literal < 0)
        return refuse(by.span, 'the bound of a window is a number, written in the query');
      const distance = Number.isSafeInteger(by.literal) ? integerLiteral(by.literal) : numeric(by).sql;
      return bound.kind === 'preceding' ? sql`${distance} PRECEDING` : sql`${distance} FOLLOWING`;
    }
  }
};
