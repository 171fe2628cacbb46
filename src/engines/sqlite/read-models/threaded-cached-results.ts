/** The near side of the thread that has the cached results open. A result that is not found in time is computed again. */
import { Worker } from 'node:worker_threads';
import { threadUrl } from '../../../foundation/basics/threads.js';
import type { ScrubStep } from '../../../foundation/integrity/damage.js';
import type { DamageListener } from '../../../foundation/integrity/damage-log.js';
import type { CachedResults } from '../../../foundation/read-models/cached-results.js';
import { ReadModelUnavailableError } from '../../../foundation/read-models/read-model-store.js';
import { ThreadCalls } from '../thread-calls.js';
import { SqliteCachedResults } from './sqlite-cached-results.js';

/** In the thread. */
export interface CachedResultsParts {
  readonly results: SqliteCachedResults;
}

export interface ThreadedCachedResults extends CachedResults {
  /** Names the damaged results. `repairs`: removes them. */
  scrub(options: { readonly repairs: boolean }): AsyncGenerator<ScrubStep, void, undefined>;
  close(): Promise<void>;
}

/** The thread is started with the first use unless `startsThreads` is set. `onDamage`: called with what is damaged, and begun anew. */
export const openCachedResults = (
  path: string,
  { startsThreads, onDamage }: { readonly startsThreads: boolean; readonly onDamage: DamageListener },
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
    onDamage,
    errorOf: ({ message, isOutage }) =>
      isOutage ? new ReadModelUnavailableError(message) : new Error(message),
  });
  const { drop } = calls.methods('results', ['drop']);
  return {
    ...calls.methods('results', [
      'get',
      'put',
      'renew',
      'touch',
      'dueTenants',
      'due',
      'claim',
      'remove',
      'sweep',
    ]),
    async *scrub({ repairs }) {
      for await (const { damaged = [], ...step } of new SqliteCachedResults(path).scrub()) {
        if (repairs && damaged.length > 0) await drop(damaged);
        yield step;
      }
    },
    close: () => {
      closed = true;
      return calls.close();
    },
  };
};
