/**
 * Hashes and checks passwords with scrypt and one salt each. The parameters stand in the hash, so they can
 * grow; an old hash is replaced at the next sign-in. One hash takes 32 MB and some hundred milliseconds. Few
 * run at a time and few wait, so a flood of sign-ins cannot fill the memory or block other work.
 */

import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { readableText } from '../foundation/credentials/credential-text.js';
import { type FailureError, tooMany } from '../http/problems/failure.js';

interface Cost {
  /** Logarithm to base 2 of scrypt's N: memory is 128 · N · r bytes. */
  readonly ln: number;
  readonly r: number;
  readonly p: number;
}

/** OWASP lists several settings of equal strength; this one needs the least memory. */
const COST: Cost = { ln: 15, r: 8, p: 3 };
const SALT_BYTES = 16;
const HASH_BYTES = 32;
const TEXT = /^\$scrypt\$ln=(\d{1,2}),r=(\d{1,2}),p=(\d{1,2})\$([A-Za-z0-9_-]+)\$([A-Za-z0-9_-]+)$/;

/** Node has four threads for such work; the others stay free for files and DNS. */
const MAX_CONCURRENT_HASHES = 2;
/** Further requests would wait longer than a person does. */
const MAX_QUEUED_HASHES = 24;

/** About 99 bits. */
export const oneTimePassword = (): string => readableText(4);

@Injectable()
export class Passwords {
  readonly #waiting: (() => void)[] = [];
  #running = 0;
  /** No known password has this hash. It is checked when there is no account. */
  readonly #decoy = hashText(randomBytes(SALT_BYTES), randomBytes(HASH_BYTES));

  /** Throws FailureError `too-many-sign-ins` when too many hashes are running and waiting. */
  async hash(password: string): Promise<string> {
    const salt = randomBytes(SALT_BYTES);
    const hash = await this.#derive(password, salt, COST);
    return hashText(salt, hash);
  }

  /**
   * Checks a password, and whether its hash should be made again. Without a hash (no such account) it does the
   * same work and returns that it does not match.
   */
  async check(
    password: string,
    stored: string | null,
  ): Promise<{ readonly matches: boolean; readonly isOutdated: boolean }> {
    const { cost, salt, hash } = readHash(stored ?? this.#decoy);
    const given = await this.#derive(password, salt, cost);
    const matches = timingSafeEqual(given, hash) && stored !== null;
    return { matches, isOutdated: cost.ln < COST.ln || cost.r < COST.r || cost.p < COST.p };
  }

  async #derive(password: string, salt: Buffer, { ln, r, p }: Cost): Promise<Buffer> {
    await this.#turn();
    try {
      return await new Promise((resolve, reject) => {
        const options = { N: 2 ** ln, r, p, maxmem: 2 * 128 * 2 ** ln * r };
        scrypt(password.normalize('NFKC'), salt, HASH_BYTES, options, (error, hash) =>
          error ? reject(error) : resolve(hash),
        );
      });
    } finally {
      this.#running -= 1;
      this.#waiting.shift()?.();
    }
  }

  async #turn(): Promise<void> {
    if (this.#running >= MAX_CONCURRENT_HASHES) {
      if (this.#waiting.length >= MAX_QUEUED_HASHES) throw tooManyUnderWay();
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
    }
    this.#running += 1;
  }
}

const hashText = (salt: Buffer, hash: Buffer): string => {
  const { ln, r, p } = COST;
  return `$scrypt$ln=${ln},r=${r},p=${p}$${salt.toString('base64url')}$${hash.toString('base64url')}`;
};

const readHash = (text: string): { readonly cost: Cost; readonly salt: Buffer; readonly hash: Buffer } => {
  const [, ln, r, p, salt, hash] = TEXT.exec(text) ?? [];
  if (salt === undefined || hash === undefined) throw new Error('a stored password hash cannot be read');
  return {
    cost: { ln: Number(ln), r: Number(r), p: Number(p) },
    salt: Buffer.from(salt, 'base64url'),
    hash: Buffer.from(hash, 'base64url'),
  };
};

const tooManyUnderWay = (): FailureError =>
  tooMany('too-many-sign-ins', 5, 'Too many sign-ins are under way; wait 5 s before the next attempt');
