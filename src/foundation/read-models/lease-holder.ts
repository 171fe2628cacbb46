/**
 * The name of a lease's holder: its host and process. On the same host a lease of a dead process counts as expired, so
 * a restart after kill -9 does not wait for the lease to run out.
 */
import { randomBytes } from 'node:crypto';
import { hostname } from 'node:os';

/**
 * The longest valid lease. One that ends later was renewed before the clock was set back, and counts as expired:
 * otherwise it would bind until the clock has caught up. A live holder renews it at once.
 */
const MAX_LEASE_MS = 10 * 60_000;

/** Whether a lease with this end is valid now. Both in milliseconds since 1970. */
export const isRunning = (expiresAt: number, now: number): boolean =>
  expiresAt > now && expiresAt - now <= MAX_LEASE_MS;

/** How long a lease that ran out is remembered: its holder ended, or hangs, without a word. */
export const LAPSED_KEPT_MS = 60 * 60_000;

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
