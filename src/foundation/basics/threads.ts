/**
 * What whoever starts a worker thread needs: where its code is, and when it is over. Built code runs its neighbour in dist/;
 * tests run TypeScript sources that no thread can load, so there the neighbour is the one that the build made of the same
 * source.
 */
import type { Worker } from 'node:worker_threads';

/** `base` is the caller's import.meta.url, `name` the worker's file beside it, ending in `.js`. */
export const threadUrl = (name: string, base: string): URL =>
  base.endsWith('.ts') ? new URL(name, base.replace(/\/src\/(?!.*\/src\/)/, '/dist/')) : new URL(name, base);

/** The id of a thread that is over. */
const NO_THREAD = -1;

/** Resolves when the thread is over, at once if it is: whoever closes must neither wait for ever nor fail with it. */
export const threadEnd = (worker: Worker): Promise<void> =>
  worker.threadId === NO_THREAD
    ? Promise.resolve()
    : new Promise((resolve) => worker.once('exit', () => resolve()));
