/**
 * Checks that the server can listen on its address, before any store is opened. Otherwise a first start could
 * create the sample, then fail on a taken port, and its API key, shown only once, would be lost.
 */
import { createServer } from 'node:net';

interface Listened {
  readonly port: number;
  readonly host: string;
  /** The setting that has the port. */
  readonly name?: string;
}

/** Returns null when it can, else what to change. Port 0 means any free port. */
export const listenProblem = ({ port, host, name = 'PORT' }: Listened): Promise<string | null> =>
  new Promise((resolve) => {
    const probe = createServer();
    probe.once('error', (error: NodeJS.ErrnoException) => resolve(adviceFor(error, { port, host, name })));
    probe.listen({ port, host }, () => probe.close(() => resolve(null)));
  });

const adviceFor = (
  { code, message }: NodeJS.ErrnoException,
  { port, host, name }: Required<Listened>,
): string => {
  switch (code) {
    case 'EADDRINUSE':
      return `${name} is ${port}, which another program uses (another Podium?); choose another port, such as ${name}=${nearbyPort(port)} npm start`;
    case 'EACCES':
      return `${name} is ${port}, which this user may not use; choose a port from 1024 on, such as ${name}=3000 npm start`;
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
      return `HOST is ${host}, which is no address of this machine; use 127.0.0.1, or 0.0.0.0 for all addresses`;
    default:
      return `HOST ${host} and ${name} ${port} cannot be used: ${message}`;
  }
};

const nearbyPort = (port: number): number => (port < 65_535 ? port + 1 : port - 1);
