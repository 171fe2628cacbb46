/** Resolves windows: named windows, windows that extend another, and frames. */
import type { FrameEdge, Window } from '../../../../foundation/log-store/query-tree.js';
import { refuse } from '../../query-problem.js';
import { literal } from '../../terms.js';
import type { FrameBound, NamedWindow, WindowSpec } from '../../tree.js';
import { numeric } from '../../values/convert.js';
import type { Value } from '../../values/values.js';
import type { Resolver } from '../resolver.js';
import type { Scope } from '../scope.js';
import { orderOf } from './order-keys.js';

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

/** Returns the window of an OVER, and the values that it depends on. */
export const windowOf = (
  resolver: Resolver,
  spec: WindowSpec,
): { readonly window: Window; readonly values: readonly Value[] } => {
  const { partitionBy, orderBy, frame } = extended(resolver.scope, spec);
  const parts = partitionBy.map((expression) => resolver.resolve(expression));
  const order = orderOf(resolver, orderBy);
  const values = [...parts, ...order.values];
  const inside = values.find((value) => value.window !== null);
  if (inside?.window) return refuse(inside.window, 'a window function cannot stand inside another one');
  const window: Window = {
    partitionBy: parts.map(({ term }) => term),
    orderBy: order.keys,
    frame:
      frame === null
        ? null
        : { unit: frame.unit, start: boundOf(resolver, frame.start), end: boundOf(resolver, frame.end) },
  };
  return { window, values };
};

const boundOf = (resolver: Resolver, bound: FrameBound): FrameEdge => {
  switch (bound.kind) {
    case 'current-row':
    case 'unbounded-preceding':
    case 'unbounded-following':
      return { kind: bound.kind };
    case 'preceding':
    case 'following': {
      const by = resolver.resolve(bound.by);
      if (typeof by.literal !== 'number' || by.literal < 0)
        return refuse(by.span, 'the bound of a window is a number, written in the query');
      return {
        kind: bound.kind,
        by: Number.isSafeInteger(by.literal) ? literal(by.literal) : numeric(by).term,
      };
    }
  }
};
