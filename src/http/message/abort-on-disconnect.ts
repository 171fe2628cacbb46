/** Ends work that only serves a reply when the client has closed the connection. */
import type { ServerResponse } from 'node:http';

/** Aborted when the connection closes before the reply is written. */
export const abortOnDisconnect = (response: ServerResponse): AbortSignal => {
  const controller = new AbortController();
  const abortUnlessSent = (): void => {
    if (!response.writableFinished) controller.abort();
  };
  if (response.destroyed) abortUnlessSent();
  else response.once('close', abortUnlessSent);
  return controller.signal;
};
