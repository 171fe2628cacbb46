/** The stored form of the request behind a cached result. Any node can refresh the result from it, after any restart. */
import type { CachedRequest, CacheRule } from './result-cache.js';

export interface Recipe {
  readonly request: CachedRequest;
  readonly rule: CacheRule;
}

/** Raise it when this code would misread recipes of older code. Entries with another format are dropped. */
const FORMAT = 3;

export const encodeRecipe = ({ request, rule }: Recipe): string =>
  JSON.stringify({ format: FORMAT, request, rule });

/** Codec. Returns null for another format. A recipe of this format was written by this code, so it is not checked. */
export const decodeRecipe = (text: string): Recipe | null => {
  const { format, ...recipe } = JSON.parse(text) as Recipe & { readonly format: number };
  return format === FORMAT ? recipe : null;
};
