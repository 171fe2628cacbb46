/**
 * Which cached results have to go. A tenant keeps its most recently used ones, as many as one tenant may have. When all
 * tenants together have too much, those that have most give way. So no tenant can evict a result of another that has no
 * more than an equal part of the total.
 */
import type { ResultBounds } from './cached-results.js';

export interface SizedResult {
  readonly key: string;
  readonly tenant: string;
  readonly bytes: number;
}

/** Returns the keys of the results beyond the bounds. `results`: the most recently used first. */
export const beyondShares = (results: readonly SizedResult[], { total, each }: ResultBounds): string[] => {
  const wanted = new Map<string, { entries: number; bytes: number }>();
  const countIn = ({ tenant, bytes }: SizedResult, counts: typeof wanted) => {
    const before = counts.get(tenant) ?? { entries: 0, bytes: 0 };
    const after = { entries: before.entries + 1, bytes: before.bytes + bytes };
    counts.set(tenant, after);
    return after;
  };
  for (const result of results) countIn(result, wanted);
  const all = [...wanted.values()];
  const entries = share(
    all.map((one) => one.entries),
    { total: total.entries, each: each.entries },
  );
  const bytes = share(
    all.map((one) => one.bytes),
    { total: total.bytes, each: each.bytes },
  );
  const counted: typeof wanted = new Map();
  return results
    .filter((result) => {
      const counts = countIn(result, counted);
      return counts.entries > entries || counts.bytes > bytes;
    })
    .map(({ key }) => key);
};

/** Returns how much a tenant may have, so that all that have less keep what they have. */
const share = (
  wanted: readonly number[],
  { total, each }: { readonly total: number; readonly each: number },
): number => {
  let left = total;
  let tenants = wanted.length;
  for (const amount of wanted.map((one) => Math.min(one, each)).sort((one, other) => one - other)) {
    const equal = Math.floor(left / tenants);
    if (amount > equal) return equal;
    left -= amount;
    tenants -= 1;
  }
  return each;
};
