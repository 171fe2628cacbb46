/**
 * How many queries one access token may have under way at once: the log store runs a few at a time, and no token may have
 * all of what waits there. Cached results cost nothing and are not counted.
 */
import { Injectable } from '@nestjs/common';
import { TooManyQueriesError } from './too-many-queries.js';

export const MOST_AT_ONCE = 16;

@Injectable()
export class TokenTurns {
  readonly #underWay = new Map<string, number>();

  /** Throws TooManyQueriesError, and then nothing has been started. */
  async run<T>(tokenId: string, work: () => Promise<T>): Promise<T> {
    const before = this.#underWay.get(tokenId) ?? 0;
    if (before >= MOST_AT_ONCE) throw new TooManyQueriesError(MOST_AT_ONCE);
    this.#underWay.set(tokenId, before + 1);
    try {
      return await work();
    } finally {
      const left = (this.#underWay.get(tokenId) ?? 1) - 1;
      if (left === 0) this.#underWay.delete(tokenId);
      else this.#underWay.set(tokenId, left);
    }
  }
}
