/**
 * Limits the concurrent queries of one tenant: the project of a tied token, else the token. The log store runs few queries at
 * a time, and one tenant must not fill its whole queue. Calls answered from the cache are not counted.
 */
import { Injectable } from '@nestjs/common';
import { FailureError } from '../../http/problems/failure.js';

export const MAX_CONCURRENT = 16;

/** The client can retry when one of the token's queries is done. */
export class TooManyQueriesError extends FailureError {
  constructor() {
    super({
      code: 'too-many-queries',
      status: 429,
      detail: `the access token, or its project, has ${MAX_CONCURRENT} queries under way, which is as many as it may`,
      headers: { 'Retry-After': '1' },
    });
    this.name = 'TooManyQueriesError';
  }
}

@Injectable()
export class TokenConcurrency {
  readonly #underWay = new Map<string, number>();

  /** Throws TooManyQueriesError without starting the work when the tenant is at its limit. */
  async run<T>(tenant: string, work: () => Promise<T>): Promise<T> {
    const before = this.#underWay.get(tenant) ?? 0;
    if (before >= MAX_CONCURRENT) throw new TooManyQueriesError();
    this.#underWay.set(tenant, before + 1);
    try {
      return await work();
    } finally {
      const left = (this.#underWay.get(tenant) ?? 1) - 1;
      if (left === 0) this.#underWay.delete(tenant);
      else this.#underWay.set(tenant, left);
    }
  }
}
