/**
 * Tells the operator, once, that requests come through a proxy that is not trusted. Without the setting all clients
 * behind it share one address, with its limits, and session cookies are not `Secure`, which nothing else would show.
 */
import type { IncomingMessage } from 'node:http';
import type { Logger } from 'pino';

const HEADERS = ['x-forwarded-for', 'x-forwarded-proto', 'x-forwarded-host', 'forwarded'];

/** Returns what every request is shown to. `trustProxy` as PODIUM_TRUST_PROXY has it: nothing is said when it is set. */
export const forwardedRequestWatch = (
  trustProxy: boolean | string,
  logger: Pick<Logger, 'warn'>,
): ((request: IncomingMessage) => void) => {
  let isDone = trustProxy !== false;
  return ({ headers, socket }) => {
    if (isDone) return;
    const header = HEADERS.find((name) => headers[name] !== undefined);
    if (header === undefined) return;
    isDone = true;
    logger.warn(
      { address: socket.remoteAddress, header },
      'a request came through a proxy, but no proxy is trusted: all its clients count as one address, and session ' +
        'cookies are not Secure. If the address is your proxy, set PODIUM_TRUST_PROXY to it. Said once',
    );
  };
};
