/**
 * Where a worker thread's code is. Built code runs its neighbour in dist/; tests run TypeScript sources that no thread
 * can load, so there the neighbour is the one that the build made of the same source.
 */

/** `base` is the caller's import.meta.url, `name` the worker's file beside it, ending in `.js`. */
export const threadUrl = (name: string, base: string): URL =>
  base.endsWith('.ts') ? new URL(name, base.replace(/\/src\/(?!.*\/src\/)/, '/dist/')) : new URL(name, base);
