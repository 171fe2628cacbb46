/** Attributes as the nested records of an entry's metadata: a query names `http.route` as a field of `http`. */
import type { Json, JsonRecord } from '../../../foundation/log-store/sources.js';

/** A record under construction. Any name can be an attribute, `__proto__` as well. */
type Tree = Map<string, Json | Tree>;

/** Returns the attributes as a record. Names with dots nest, as queries name fields. */
export const nested = (values: ReadonlyMap<string, Json>): JsonRecord => {
  const tree: Tree = new Map();
  for (const [name, value] of values) {
    const path = pathOf(name, values);
    let branch = tree;
    for (const step of path.slice(0, -1)) {
      const below = branch.get(step);
      const next: Tree = below instanceof Map ? below : new Map();
      branch.set(step, next);
      branch = next;
    }
    branch.set(path.at(-1) ?? name, value);
  }
  return recordOf(tree);
};

const recordOf = (tree: Tree): JsonRecord =>
  Object.fromEntries(
    [...tree].map(([name, value]) => [name, value instanceof Map ? recordOf(value) : value]),
  );

/**
 * Where an attribute goes: `http.route` below `http`. When `http` is an attribute itself, `http.route` stays one name beside
 * it, so neither hides the other.
 */
const pathOf = (name: string, values: ReadonlyMap<string, Json>): readonly string[] => {
  if (!name.includes('.')) return [name];
  const steps = name.split('.');
  if (steps.length > MAX_STEPS || steps.includes('')) return [name];
  for (let count = 1; count < steps.length; count++) {
    if (values.has(steps.slice(0, count).join('.')))
      return [...steps.slice(0, count - 1), steps.slice(count - 1).join('.')];
  }
  return steps;
};

/** Names with more dots are kept whole. */
const MAX_STEPS = 10;
