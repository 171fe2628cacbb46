/**
 * Whether the server can answer where it is told to, asked before any store is opened: a first start that finds its port taken
 * would otherwise have made the sample by then, and the key that it shows but once would be lost.
 */
import { createServer } from 'node:net';

/** Null when it can, else what to change. A port of 0 takes a free one. */
export const listenProblem = ({
  port,
  host,
}: {
  readonly port: number;
  readonly host: string;
}): Promise<string | null> =>
  new Promise((resolve) => {
    const probe = createServer();
    probe.once('error', (error: NodeJS.ErrnoException) => resolve(adviceFor(error, port, host)));
    probe.listen({ port, host }, () => probe.close(() => resolve(null)));
  });

const adviceFor = ({ code, message }: NodeJS.ErrnoException, port: number, host: string): string => {
  switch (code) {
    case 'EADDRINUSE':
      return `PORT is ${port}, which another program has taken (another Podium?); start with another, as in PORT=${nearbyPort(port)} npm start`;
    case 'EACCES':
      return `PORT is ${port}, which this user may not take; start with one from 1024 on, as in PORT=3000 npm start`;
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
      return `HOST is ${host}, which is no address of this machine; it may be 127.0.0.1, or 0.0.0.0 for all`;
    default:
      return `HOST ${host} and PORT ${port} cannot be used: ${message}`;
  }
};

const nearbyPort = (port: number): number => (port < 65_535 ? port + 1 : port - 1);
