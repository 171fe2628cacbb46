/** How fast passwords may be guessed, and whom a flood of guesses keeps out and for how long. */

import { describe, expect, it } from '@jest/globals';
import { SignInLimits } from '../../../src/accounts/sign-in-limits.js';
import { FailureError } from '../../../src/http/problems/failure.js';
import { loneExchange } from '../../support/failures.js';

const OWNER = { email: 'ann@example.org', address: '203.0.113.7' };

/** Whether the attempt may be made, or the code may be tried. */
const isAllowed = (
  limits: SignInLimits,
  attempt: typeof OWNER,
  now: number,
  count: 'count' | 'countCode' = 'count',
): boolean => {
  try {
    limits[count](attempt, now);
    return true;
  } catch (error) {
    if (error instanceof FailureError && error.failure.code === 'too-many-sign-ins') return false;
    throw error;
  }
};

const addresses = Array.from({ length: 200 }, (_, index) => `198.51.100.${index}`);

describe('guesses at passwords', () => {
  it('from one network at one account are ten, then six a minute', () => {
    const limits = new SignInLimits(loneExchange());
    const allowed = Array.from({ length: 30 }, () => isAllowed(limits, OWNER, 0)).filter(Boolean);
    expect(allowed).toHaveLength(10);
    expect(isAllowed(limits, OWNER, 9_000)).toBe(false);
    expect(isAllowed(limits, OWNER, 20_000)).toBe(true);
  });

  it('from one network at many accounts are thirty, also from all addresses of an IPv6 network', () => {
    const limits = new SignInLimits(loneExchange());
    const allowed = Array.from({ length: 60 }, (_, index) =>
      isAllowed(limits, { email: `${index}@example.org`, address: `2001:db8:1:2::${index.toString(16)}` }, 0),
    ).filter(Boolean);
    expect(allowed).toHaveLength(30);
  });

  it('from many networks at one account are fifty, then thirty a minute', () => {
    const limits = new SignInLimits(loneExchange());
    const allowed = addresses.filter((address) => isAllowed(limits, { ...OWNER, address }, 0));
    expect(allowed).toHaveLength(50);
  });

  it('do not keep the owner out of a place where they have signed in', () => {
    const limits = new SignInLimits(loneExchange());
    limits.count(OWNER, 0);
    limits.succeeded(OWNER, 0);
    for (const address of addresses) isAllowed(limits, { ...OWNER, address }, 1_000);
    expect(isAllowed(limits, OWNER, 1_000)).toBe(true);
  });

  it('keep the owner out of a new place for two seconds after they have ended', () => {
    const limits = new SignInLimits(loneExchange());
    for (const address of addresses) isAllowed(limits, { ...OWNER, address }, 0);
    expect(isAllowed(limits, OWNER, 0)).toBe(false);
    expect(isAllowed(limits, OWNER, 2_000)).toBe(true);
  });

  it('of one network that are not checked any more keep the owner out of no new place', () => {
    const limits = new SignInLimits(loneExchange());
    for (let attempt = 0; attempt < 100; attempt += 1)
      isAllowed(limits, { ...OWNER, address: '198.51.100.1' }, 0);
    expect(isAllowed(limits, OWNER, 0)).toBe(true);
  });

  it('keep the owner out no longer who tries again and again meanwhile', () => {
    const limits = new SignInLimits(loneExchange());
    for (const address of addresses) isAllowed(limits, { ...OWNER, address }, 0);
    for (let attempt = 0; attempt < 30; attempt += 1) isAllowed(limits, OWNER, 0);
    expect(isAllowed(limits, OWNER, 2_000)).toBe(true);
  });

  it('are not counted when they were right', () => {
    const limits = new SignInLimits(loneExchange());
    for (let attempt = 0; attempt < 100; attempt += 1) {
      expect(isAllowed(limits, OWNER, 0)).toBe(true);
      limits.succeeded(OWNER, 0);
    }
  });
});

describe('guesses at codes, by somebody who knows the password', () => {
  const HOUR = 3_600_000;
  const triedBy = (limits: SignInLimits, now: number): number =>
    addresses.filter((address) => isAllowed(limits, { ...OWNER, address }, now, 'countCode')).length;

  it('are twenty from all networks together, then twelve an hour', () => {
    const limits = new SignInLimits(loneExchange());
    let tried = triedBy(limits, 0);
    expect(tried).toBe(20);
    for (let minute = 1; minute <= 24 * 60; minute += 1) tried += triedBy(limits, minute * 60_000);
    expect(tried).toBeGreaterThanOrEqual(20 + 24 * 12 - 1);
    expect(tried).toBeLessThanOrEqual(20 + 24 * 12);
  });

  it('do not keep the owner out of a place where they have signed in, and are no more there', () => {
    const limits = new SignInLimits(loneExchange());
    limits.countCode(OWNER, 0);
    limits.codeSucceeded(OWNER, 0);
    limits.succeeded(OWNER, 0);
    triedBy(limits, 0);
    const there = Array.from({ length: 30 }, () => isAllowed(limits, OWNER, HOUR / 100, 'countCode'));
    expect(there.filter(Boolean)).toHaveLength(20);
  });

  it('are not counted when they were right', () => {
    const limits = new SignInLimits(loneExchange());
    for (let attempt = 0; attempt < 100; attempt += 1) {
      expect(isAllowed(limits, OWNER, 0, 'countCode')).toBe(true);
      limits.codeSucceeded(OWNER, 0);
    }
    expect(triedBy(limits, 0)).toBe(20);
  });
});
