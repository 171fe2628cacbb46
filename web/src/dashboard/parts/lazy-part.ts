/**
 * The code of a part of the dashboard, which comes when it is first entered. Where the server is away by then, the page waits for it
 * and begins anew: a browser may keep in mind that a file did not come, and an upgraded server names its files otherwise.
 */
import { type ComponentType, lazy } from 'react';
import { getSignedInAccount, isTemporary } from '../api.js';
import { queryClient } from '../query-client.js';

export const lazyPart = <P extends object>(load: () => Promise<{ readonly default: ComponentType<P> }>) =>
  lazy(() => load().catch(beginAnew));

const beginAnew = async (failure: unknown): Promise<never> => {
  let wasAway = false;
  await queryClient.fetchQuery({
    queryKey: ['server'],
    queryFn: getSignedInAccount,
    retry: (_, error) => {
      wasAway = isTemporary(error);
      return wasAway;
    },
    staleTime: 0,
  });
  // With the server there, the fault is another one, and would be there again.
  if (!wasAway) throw failure;
  location.reload();
  return new Promise(() => undefined);
};
