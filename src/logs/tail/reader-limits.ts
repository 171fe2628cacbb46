/** How many tails may be open, of one tenant and of all. */
import { FailureError } from '../../http/problems/failure.js';

/** Each holds a connection. */
const MAX_READERS = 5_000;
const MAX_READERS_OF_TENANT = 100;

export class ReaderLimits {
  readonly #ofTenant = new Map<string, number>();
  #total = 0;

  get total(): number {
    return this.#total;
  }

  /** Counts a reader. Throws FailureError 429 and 503 when there are too many. */
  enter(tenant: string): void {
    if (this.#total >= MAX_READERS) throw new FailureError(TOO_MANY);
    const readers = this.#ofTenant.get(tenant) ?? 0;
    if (readers >= MAX_READERS_OF_TENANT) throw new FailureError(TOO_MANY_OF_TENANT);
    this.#ofTenant.set(tenant, readers + 1);
    this.#total += 1;
  }

  leave(tenant: string): void {
    this.#total -= 1;
    const left = (this.#ofTenant.get(tenant) ?? 1) - 1;
    if (left === 0) this.#ofTenant.delete(tenant);
    else this.#ofTenant.set(tenant, left);
  }
}

const TOO_MANY = {
  code: 'unavailable',
  status: 503,
  detail:
    'This server has as many readers of tails as it can serve. Query the logs instead, or try again later.',
  headers: { 'Retry-After': '10' },
};

const TOO_MANY_OF_TENANT = {
  code: 'too-many-queries',
  status: 429,
  detail: `the access token, or its project, has ${MAX_READERS_OF_TENANT} tails open, which is as many as it may`,
  headers: { 'Retry-After': '10' },
};
