/** Says that the server is unavailable while a read of the page retries. */
import { type QueryCache, useQueryClient } from '@tanstack/react-query';
import { useSyncExternalStore } from 'react';
import { isTemporary } from './api.js';

export const ServerUnavailable = () => {
  const cache = useQueryClient().getQueryCache();
  const trouble = useSyncExternalStore(
    (listener) => cache.subscribe(listener),
    () => troubleIn(cache),
  );
  return (
    <div className="server-away" role="status">
      {trouble !== null && (
        <p className="notice problem">
          {trouble} What you have typed stays, and this page reconnects by itself.
        </p>
      )}
    </div>
  );
};

/** Null when no read retries. */
const troubleIn = (cache: QueryCache): string | null => {
  const reasons = cache
    .findAll({ fetchStatus: 'fetching' })
    .map(({ state }) => state.fetchFailureReason)
    .filter(isTemporary);
  const [first] = reasons;
  if (first === undefined) return null;
  return first.code === 'unreachable'
    ? 'The server cannot be reached.'
    : 'The server cannot answer at the moment.';
};
