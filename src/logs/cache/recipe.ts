/** How the store remembers what a result was made from, so that any node can make it anew after any restart. */
import type { CachedRequest, CacheRule } from './result-cache.js';

export interface Recipe {
  readonly request: CachedRequest;
  readonly rule: CacheRule;
}

/** Raised when a recipe of older code would be misread: what that code has kept is then dropped. */
const FORMAT = 1;

export const encodeRecipe = ({ request, rule }: Recipe): string =>
  JSON.stringify({ format: FORMAT, request, rule });

/** Codec: null for one of another format; one of this format is trusted to be what this code has put. */
export const decodeRecipe = (text: string): Recipe | null => {
  const { format, ...recipe } = JSON.parse(text) as Recipe & { readonly format: number };
  return format === FORMAT ? recipe : null;
};
