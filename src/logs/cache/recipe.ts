/** The stored form of the request behind a cached result. Any node can refresh the result from it, after any restart. */
import type { CachedRequest, CacheRule } from './result-cache.js';

export interface Recipe {
  readonly request: CachedRequest;
  readonly rule: CacheRule;
}

/** Raise it when this code would misread recipes of older code. Entries with another format are dropped. */
const FORMAT = 2;

export const encodeRecipe = ({ request, rule }: Recipe): string =>
  JSON.stringify({ format: FORMAT, request, rule });

/** Codec. Returns null for another format. A recipe of this format was written by this code, so it is not checked. */
export const decodeRecipe = (text: string): Recipe | null => {
  const { format, request, rule } = JSON.parse(text) as Recipe & { readonly format: number };
  // Older code did not write what an endpoint reads: it read nothing.
  return format === FORMAT ? { request: { ...request, reads: request.reads ?? [] }, rule } : null;
};
