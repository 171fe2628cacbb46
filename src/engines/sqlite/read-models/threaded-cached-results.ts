/** The near side of the thread that has the cached results open. A result that is not found in time is computed again. */
import { Worker } from 'node:worker_threads';
import { threadUrl } from '../../../foundation/basics/threads.js';
import type { CachedResults } from '../../../foundation/read-models/cached-results.js';
import { ReadModelUnavailableError } from '../../../foundation/read-models/read-model-store.js';
import { ThreadCalls } from '../thread-calls.js';

/** In the thread. */
export interface CachedResultsParts {
  readonly results: CachedResults;
}

export interface ThreadedCachedResults extends CachedResults {
  close(): Promise<void>;
}

/** The thread is started with the first use unless `startsThreads` is set. */
export const openCachedResults = (
  path: string,
  { startsThreads }: { readonly startsThreads: boolean },
): ThreadedCachedResults => {
  let closed = false;
  const calls = new ThreadCalls<CachedResultsParts>({
    start: () => {
      if (closed) throw new ReadModelUnavailableError('the cached results were closed');
      return new Worker(threadUrl('sqlite-cached-results.worker.js', import.meta.url), {
        workerData: { path },
      });
    },
    startsNow: startsThreads,
    errorOf: ({ message, isOutage }) =>
      isOutage ? new ReadModelUnavailableError(message) : new Error(message),
  });
  return {
    ...calls.methods('results', ['get', 'put', 'renew', 'touch', 'due', 'claim', 'remove', 'sweep']),
    close: () => {
      closed = true;
      return calls.close();
    },
  };
};
