/** Attributes as the nested records of an entry's metadata: a query names `http.route` as a field of `http`. */
import type { Json, JsonRecord } from '../../../foundation/log-store/sources.js';

type Branch = { [step: string]: Json };

/** Returns the attributes as a record. Names with dots nest, as queries name fields. */
export const nested = (values: ReadonlyMap<string, Json>): JsonRecord => {
  const tree: Branch = {};
  for (const [name, value] of values) {
    const { steps, prefixes } = partsOf(name);
    // `http.route` goes below `http`. When `http` is an attribute itself, `http.route` stays one name beside it, so neither hides the other.
    const own = prefixes.findIndex((prefix) => values.has(prefix));
    const depth = own < 0 ? steps.length - 1 : own;
    let branch = tree;
    for (let place = 0; place < depth; place += 1) branch = below(branch, steps[place] ?? '');
    setOwn(branch, own < 0 ? (steps[depth] ?? name) : steps.slice(depth).join('.'), value);
  }
  return tree;
};

/** Codec: no attribute stands where names go on below it, so what stands there is a branch. */
const below = (branch: Branch, step: string): Branch => {
  if (Object.hasOwn(branch, step)) return branch[step] as Branch;
  const next: Branch = {};
  setOwn(branch, step, next);
  return next;
};

/** Any name can be an attribute, `__proto__` as well. */
const setOwn = (branch: Branch, name: string, value: Json): void => {
  if (name === '__proto__')
    Object.defineProperty(branch, name, { value, enumerable: true, configurable: true, writable: true });
  else branch[name] = value;
};

/** The steps of a name, and what stands before each of its dots. */
interface Parts {
  readonly steps: readonly string[];
  readonly prefixes: readonly string[];
}

/** Senders use the same few names in every record. When there are many, it begins anew: keeping an order would cost as much as a split. */
const known = new Map<string, Parts>();
const MAX_KNOWN = 5_000;
/** Names with more dots are kept whole. */
const MAX_STEPS = 10;
/** Longer names are split each time, so that those kept stay small. */
const MAX_KEPT_LENGTH = 200;

const partsOf = (name: string): Parts => {
  const kept = known.get(name);
  if (kept) return kept;
  const split = name.split('.');
  const steps = split.length > MAX_STEPS || split.includes('') ? [name] : split;
  const prefixes = steps.slice(1).map((_, place) => steps.slice(0, place + 1).join('.'));
  const parts = { steps, prefixes };
  if (known.size === MAX_KNOWN) known.clear();
  if (name.length <= MAX_KEPT_LENGTH) known.set(name, parts);
  return parts;
};
