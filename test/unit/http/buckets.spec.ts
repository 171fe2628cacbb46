/** Buckets of bad attempts by address. */
import { describe, expect, it } from '@jest/globals';
import { Buckets, networkOf } from '../../../src/http/credentials/buckets.js';
import { BAD_ATTEMPTS } from '../../../src/http/credentials/failed-credential-limiter.js';

const MINUTE = 60_000;

/** How many of `attempts` made at once are let through. */
const letThrough = (limiter: Buckets, address: string, attempts: number, now: number): number =>
  Array.from({ length: attempts }, () => limiter.take(networkOf(address), now)).filter(
    (wait) => wait === null,
  ).length;

describe('the limiter of bad keys', () => {
  it('lets a burst through, then asks to wait, then lets as many through as time has passed', () => {
    const limiter = new Buckets(BAD_ATTEMPTS);
    expect(letThrough(limiter, '192.0.2.1', 100, 0)).toBe(30);
    expect(limiter.take('192.0.2.1', 0)).toBe(2);
    expect(letThrough(limiter, '192.0.2.1', 100, MINUTE / 2)).toBe(15);
    expect(letThrough(limiter, '192.0.2.1', 100, 60 * MINUTE)).toBe(30);
  });

  it('makes no client wait for a clock that was set back', () => {
    const limiter = new Buckets(BAD_ATTEMPTS);
    expect(letThrough(limiter, '192.0.2.1', 10, 60 * MINUTE)).toBe(10);
    expect(letThrough(limiter, '192.0.2.1', 100, 0)).toBe(20);
    expect(limiter.take('192.0.2.1', 0)).toBe(2);
    expect(letThrough(limiter, '192.0.2.1', 100, MINUTE)).toBe(30);
  });

  it('counts each address apart, and the addresses of one IPv6 host together', () => {
    const limiter = new Buckets(BAD_ATTEMPTS);
    expect(letThrough(limiter, '192.0.2.1', 100, 0)).toBe(30);
    expect(letThrough(limiter, '192.0.2.2', 100, 0)).toBe(30);
    expect(letThrough(limiter, '::ffff:192.0.2.3', 100, 0)).toBe(30);
    expect(letThrough(limiter, '::ffff:192.0.2.4', 100, 0)).toBe(30);
    expect(letThrough(limiter, '2001:db8:1:2::5', 20, 0)).toBe(20);
    expect(letThrough(limiter, '2001:db8:1:2:3:4:5:6', 20, 0)).toBe(10);
    expect(letThrough(limiter, '2001:db8:1:3::5', 20, 0)).toBe(20);
  });
});
