/**
 * Components whose code loads when they are first rendered. When the server is unavailable at that moment, the page waits
 * for it and then reloads itself: a browser may remember that a file failed to load, and an upgraded server has other files.
 */
import { type ComponentType, lazy } from 'react';
import { getSignedInAccount, isTemporary } from '../api.js';
import { queryClient } from '../query-client.js';

export const lazyPart = <P extends object>(load: () => Promise<{ readonly default: ComponentType<P> }>) =>
  lazy(() => load().catch(reloadPage));

const reloadPage = async (failure: unknown): Promise<never> => {
  let wasUnavailable = false;
  await queryClient.fetchQuery({
    queryKey: ['server'],
    queryFn: getSignedInAccount,
    retry: (_, error) => {
      wasUnavailable = isTemporary(error);
      return wasUnavailable;
    },
    staleTime: 0,
  });
  // The server was available, so a reload would fail in the same way.
  if (!wasUnavailable) throw failure;
  location.reload();
  return new Promise(() => undefined);
};
