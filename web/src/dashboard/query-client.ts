/**
 * The rules for requests of the dashboard. A read retries until the server is available, so that every page recovers by
 * itself. A change is sent once, because only the user knows whether it is still wanted.
 */
import { QueryClient } from '@tanstack/react-query';
import { isTemporary } from './api.js';

const MAX_PAUSE_MS = 5_000;

/** The pause before the next retry, in milliseconds. */
const retryPauseMs = (failures: number): number => Math.min(500 * 2 ** failures, MAX_PAUSE_MS);

export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      retry: (_, error) => isTemporary(error),
      retryDelay: retryPauseMs,
      staleTime: 5_000,
      // Send requests even when the browser thinks that it is offline: a failure is shown, silent waiting is not.
      networkMode: 'always',
    },
    mutations: { networkMode: 'always' },
  },
});
