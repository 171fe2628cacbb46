/**
 * Slows down the guessing of passwords. An attempt is counted before the work of checking it and given back when it was
 * right, or was not checked since one of the counts was full: for the network it comes from, for the account from this
 * network, and for the account from all networks that it never signed in from. The last is what a guesser with many
 * addresses meets, and the owner does not: where they have signed in before, it is not asked. So a flood against an account
 * cannot keep its owner out of a known place at all, and out of a new one no longer than 2 s after it has ended. Each process
 * counts for itself and forgets at its end.
 */

import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { Buckets, networkOf } from '../http/credentials/buckets.js';
import { FailureError } from '../http/problems/failure.js';

const FROM_NETWORK = { burst: 30, perMinute: 30 };
const AT_ACCOUNT_FROM_NETWORK = { burst: 10, perMinute: 6 };
const AT_ACCOUNT = { burst: 50, perMinute: 30 };
/** Places where accounts have signed in. */
const MAX_TRACKED = 10_000;

export interface Attempt {
  /** The account by what was typed, folded; whether there is one plays no part. */
  readonly email: string;
  readonly address: string;
}

@Injectable()
export class SignInLimits {
  private readonly networks = new Buckets(FROM_NETWORK);
  private readonly places = new Buckets(AT_ACCOUNT_FROM_NETWORK);
  private readonly accounts = new Buckets(AT_ACCOUNT);
  private readonly known = new LRUCache<string, true>({ max: MAX_TRACKED });

  /** Throws FailureError `too-many-sign-ins`. `now` in milliseconds. */
  count({ email, address }: Attempt, now: number): void {
    const network = networkOf(address);
    const place = placeOf(email, network);
    const charged: (readonly [Buckets, string])[] = [
      [this.networks, network],
      [this.places, place],
    ];
    if (!this.known.has(place)) charged.push([this.accounts, email]);
    const waits = charged.map(([buckets, key]) => buckets.take(key, now));
    const seconds = Math.max(...waits.map((wait) => wait ?? 0));
    if (seconds === 0) return;
    for (const [index, [buckets, key]] of charged.entries())
      if (waits[index] === null) buckets.giveBack(key, now);
    throw tooMany(seconds);
  }

  /** The attempt was right. */
  succeeded({ email, address }: Attempt, now: number): void {
    const network = networkOf(address);
    const place = placeOf(email, network);
    this.networks.giveBack(network, now);
    this.places.giveBack(place, now);
    if (!this.known.has(place)) this.accounts.giveBack(email, now);
    this.known.set(place, true);
  }
}

const placeOf = (email: string, network: string): string => `${network} ${email}`;

const tooMany = (seconds: number): FailureError =>
  new FailureError({
    code: 'too-many-sign-ins',
    status: 429,
    detail: `Too many attempts to sign in; wait ${seconds} s before the next`,
    headers: { 'Retry-After': String(seconds) },
  });
