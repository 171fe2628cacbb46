/**
 * Finds the code of a worker thread, and waits for its end. Built code runs the file beside it in dist/. Tests run
 * TypeScript, which no thread can load, so they run the built file of the same source.
 */
import type { Worker } from 'node:worker_threads';

/** `base` is the caller's import.meta.url, `name` the worker's file beside it, ending in `.js`. */
export const threadUrl = (name: string, base: string): URL =>
  base.endsWith('.ts') ? new URL(name, base.replace(/\/src\/(?!.*\/src\/)/, '/dist/')) : new URL(name, base);

/** The id of a thread that has ended. */
const NO_THREAD = -1;

/** Resolves when the thread has ended. Never rejects, so closing its owner cannot fail with the thread. */
export const threadEnd = (worker: Worker): Promise<void> =>
  worker.threadId === NO_THREAD
    ? Promise.resolve()
    : new Promise((resolve) => worker.once('exit', () => resolve()));
