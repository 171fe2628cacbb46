/**
 * How many queries one access token may have under way at once: the log store runs a few at a time, and no token may have
 * all of what waits there. Cached results cost nothing and are not counted.
 */
import { Injectable } from '@nestjs/common';
import { TooManyQueriesError } from './too-many-queries.js';

export const MAX_CONCURRENT = 16;

@Injectable()
export class TokenConcurrency {
  readonly #underWay = new Map<string, number>();

  /** Throws TooManyQueriesError, and then nothing has been started. */
  async run<T>(tokenId: string, work: () => Promise<T>): Promise<T> {
    const before = this.#underWay.get(tokenId) ?? 0;
    if (before >= MAX_CONCURRENT) throw new TooManyQueriesError(MAX_CONCURRENT);
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
