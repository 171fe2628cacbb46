/**
 * Limits attempts to guess passwords. An attempt takes a token from three buckets before the password is
 * checked: of the network, of the account from this network, and of the account from all networks that it never
 * signed in from. A right attempt gets its tokens back, and so does one that was refused because a bucket was
 * empty.
 * The third bucket stops a guesser with many addresses. It does not count where the account has signed in
 * before, so a flood cannot lock the owner out of a known network. A new network is open again at most 12 s
 * after the flood (2 s on a single node). The buckets count for all nodes; each knows only the networks of its own sign-ins.
 *
 * Codes have a bucket of their own, because a code has six digits: at the pace of passwords, a guesser who knows the
 * password and has a few addresses would find one within days.
 */

import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { networkOf } from '../http/credentials/buckets.js';
import { FailureExchange, type SharedBuckets } from '../http/credentials/failure-exchange.js';
import { type FailureError, tooMany } from '../http/problems/failure.js';

const FROM_NETWORK = { burst: 30, perMinute: 30 };
const AT_ACCOUNT_FROM_NETWORK = { burst: 10, perMinute: 6 };
const AT_ACCOUNT = { burst: 50, perMinute: 30 };
/** Twelve an hour: of three codes that count at a time, a guesser finds one within a day with a chance of 1 in 1,150. */
const CODES = { burst: 20, perMinute: 0.2 };
/** Pairs of account and network with a successful sign-in that are remembered. */
const MAX_TRACKED = 10_000;

export interface Attempt {
  /** The email as typed, in lower case. It is counted whether or not such an account exists. */
  readonly email: string;
  readonly address: string;
}

@Injectable()
export class SignInLimits {
  private readonly networks: SharedBuckets;
  private readonly places: SharedBuckets;
  private readonly accounts: SharedBuckets;
  private readonly codes: SharedBuckets;
  private readonly known = new LRUCache<string, true>({ max: MAX_TRACKED });

  constructor(private readonly exchange: FailureExchange) {
    this.networks = exchange.buckets('network', FROM_NETWORK);
    this.places = exchange.buckets('place', AT_ACCOUNT_FROM_NETWORK);
    this.accounts = exchange.buckets('account', AT_ACCOUNT);
    this.codes = exchange.buckets('code', CODES);
  }

  /** Resolves when the attempts at other nodes are counted too. */
  refresh(): Promise<void> {
    return this.exchange.refresh();
  }

  /** Throws FailureError `too-many-sign-ins`. `now` in milliseconds. */
  count({ email, address }: Attempt, now: number): void {
    const network = networkOf(address);
    const place = placeOf(email, network);
    const charged: (readonly [SharedBuckets, string])[] = [
      [this.networks, network],
      [this.places, place],
    ];
    if (!this.known.has(place)) charged.push([this.accounts, email]);
    const waits = charged.map(([buckets, key]) => buckets.take(key, now));
    const seconds = Math.max(...waits.map((wait) => wait ?? 0));
    if (seconds === 0) return;
    for (const [index, [buckets, key]] of charged.entries())
      if (waits[index] === null) buckets.giveBack(key, now);
    throw tooManySignIns(seconds);
  }

  /**
   * Counts a code, which follows a right password. Throws FailureError `too-many-sign-ins`. A network where the account has
   * signed in before has a bucket of its own, so a guesser elsewhere does not keep the owner out of it.
   */
  countCode(attempt: Attempt, now: number): void {
    const seconds = this.codes.take(this.codesOf(attempt), now);
    if (seconds !== null) throw tooManyCodes(seconds);
  }

  /** Gives the token of a right code back. Call it before `succeeded`, which may change whose bucket it was. */
  codeSucceeded(attempt: Attempt, now: number): void {
    this.codes.giveBack(this.codesOf(attempt), now);
  }

  /** Gives the tokens of a right attempt back, and remembers the network for the account. */
  succeeded(attempt: Attempt, now: number): void {
    this.giveBack(attempt, now);
    this.known.set(placeOf(attempt.email, networkOf(attempt.address)), true);
  }

  /** Gives the tokens of an attempt back that was no guess: the password was right, and the code is to come. */
  giveBack({ email, address }: Attempt, now: number): void {
    const network = networkOf(address);
    const place = placeOf(email, network);
    this.networks.giveBack(network, now);
    this.places.giveBack(place, now);
    if (!this.known.has(place)) this.accounts.giveBack(email, now);
  }

  private codesOf({ email, address }: Attempt): string {
    const place = placeOf(email, networkOf(address));
    return this.known.has(place) ? place : email;
  }
}

const placeOf = (email: string, network: string): string => `${network} ${email}`;

const tooManySignIns = (seconds: number): FailureError =>
  tooMany(
    'too-many-sign-ins',
    seconds,
    `Too many attempts to sign in; wait ${seconds} s before the next one`,
  );

const tooManyCodes = (seconds: number): FailureError =>
  tooMany(
    'too-many-sign-ins',
    seconds,
    `Too many wrong codes for this account; wait ${seconds} s, or sign in with a passkey`,
  );
