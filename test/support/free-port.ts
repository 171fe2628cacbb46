/**
 * A port of the loopback for a server that has to have it again after it was away, or that cannot say which one the system has
 * picked for it. It is none of those that the system gives to outgoing connections (on Linux 32768 to 60999): another test's
 * connection could take such a port while the server is away, and a client that asks for it again and again can end up
 * connected to itself.
 */
import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';

/** `fetch` and browsers refuse 10080. */
const FIRST = 10_081;
const BEYOND_LAST = 32_768;

const isFree = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
  });

export const freePort = async (): Promise<number> => {
  for (;;) {
    const port = randomInt(FIRST, BEYOND_LAST);
    if (await isFree(port)) return port;
  }
};
