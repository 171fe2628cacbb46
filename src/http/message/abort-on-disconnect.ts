/** Whether the client still waits: work that is only for its reply ends when it has closed the connection. */
import type { ServerResponse } from 'node:http';

/** Aborted when the connection closes before the reply is written. */
export const abortOnDisconnect = (response: ServerResponse): AbortSignal => {
  const gone = new AbortController();
  const look = (): void => {
    if (!response.writableFinished) gone.abort();
  };
  if (response.destroyed) look();
  else response.once('close', look);
  return gone.signal;
};
