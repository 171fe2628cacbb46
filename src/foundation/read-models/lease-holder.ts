/**
 * How a lease's holder names itself: with its host and process, so that on the same host a lease whose process is
 * dead counts as expired, and a restart after kill -9 does not wait for the rest of the time.
 */
import { randomBytes } from 'node:crypto';
import { hostname } from 'node:os';

/**
 * Milliseconds. No lease runs so long: one that ends later was renewed before the clock was set back, and would bind until the
 * clock has caught up, whether or not its holder lives. One that does renews it at once.
 */
const MAX_LEASE_MS = 10 * 60_000;

/** Whether a lease that ends then binds anybody now. Both in milliseconds since 1970. */
export const isRunning = (expiresAt: number, now: number): boolean =>
  expiresAt > now && expiresAt - now <= MAX_LEASE_MS;

/** `<hostname>:<pid>:<random>` */
export const holderName = (): string => `${hostname()}:${process.pid}:${randomBytes(6).toString('hex')}`;

/** Whether the holder is a process of this host that is gone. */
export const isDeadHolder = (holder: string): boolean => {
  const [, host, pid] = /^(.*):(\d+):[^:]*$/.exec(holder) ?? [];
  if (host !== hostname() || pid === undefined) return false;
  try {
    process.kill(Number(pid), 0);
    return false;
  } catch (error) {
    return typeof error === 'object' && error !== null && 'code' in error && error.code === 'ESRCH';
  }
};
