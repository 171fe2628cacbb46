/**
 * What is asked of the server, and for how long: a read that finds it away is asked again until it is there, so that every
 * page goes on by itself; a change is sent once, since only a person knows whether it is still meant.
 */
import { QueryClient } from '@tanstack/react-query';
import { isTemporary } from './api.js';

const MAX_PAUSE_MS = 5_000;

/** Milliseconds before the next try. */
const retryPauseMs = (failures: number): number => Math.min(500 * 2 ** failures, MAX_PAUSE_MS);

export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      retry: (_, error) => isTemporary(error),
      retryDelay: retryPauseMs,
      staleTime: 5_000,
      // What a browser thinks of its network is no reason to wait in silence: it is tried, and told.
      networkMode: 'always',
    },
    mutations: { networkMode: 'always' },
  },
});
