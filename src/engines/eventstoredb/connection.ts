/**
 * The connection of an event store to its server. A client that lost its server is replaced, after a pause that grows
 * while the server stays away; within the first seconds of an outage a call is made again by itself, so that a change
 * of the leader or a restart is a delay and not a failure. After that each call is tried once and says how it is.
 */
import { setMaxListeners } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { EventStoreUnavailableError } from '../../foundation/event-store/event-store.js';
import { EsdbClient } from './esdb-client.js';
import type { EsdbUrl } from './esdb-url.js';
import { EsdbFailure, failureOf } from './failures.js';

/** A server's own time-out for an append is a little over two seconds: one that came to it is made once more. */
const RETRY_FOR_MS = 2_500;
const FIRST_PAUSE_MS = 25;
const MAX_PAUSE_MS = 400;
/** Between two clients for a server that stays away. */
const MAX_RENEWAL_MS = 1_000;
/** Enough that no two clients of this process that are in use at once have the same number. */
const GENERATIONS = 5_000;

let generation = 0;

export class Connection {
  readonly #url: EsdbUrl;
  #client: EsdbClient;
  readonly #closing = new AbortController();
  /** When the first of the failures since the last success was; null while all is well. */
  #awaySince: number | null = null;
  #renewAt = 0;
  #renewalMs = FIRST_PAUSE_MS;

  constructor(url: EsdbUrl) {
    this.#url = url;
    this.#client = newClient(url);
    // As many calls as are waiting to be made again listen to it.
    setMaxListeners(0, this.#closing.signal);
  }

  get timeoutMs(): number {
    return this.#url.timeoutMs;
  }

  get where(): string {
    return this.#url.where;
  }

  /** Aborts when the connection is closed. */
  get closing(): AbortSignal {
    return this.#closing.signal;
  }

  /** Makes the call, again while it may help. Throws EsdbFailure. */
  async call<T>(make: (client: EsdbClient) => Promise<T>): Promise<T> {
    const begun = performance.now();
    for (let wait = FIRST_PAUSE_MS; ; wait = Math.min(wait * 2, MAX_PAUSE_MS)) {
      try {
        return await this.attempt(make);
      } catch (error) {
        const failure = failureOf(error);
        const since = Math.min(begun, this.#awaySince ?? begun);
        const inTime = performance.now() - since < RETRY_FOR_MS;
        if (!failure.isPassing || !inTime || this.#closing.signal.aborted) throw failure;
      }
      await this.#rest(wait);
    }
  }

  /** Makes the call once. Throws EsdbFailure. */
  async attempt<T>(make: (client: EsdbClient) => Promise<T>): Promise<T> {
    if (this.#closing.signal.aborted) throw new EsdbFailure('away', 'the event store is closed');
    const client = this.#client;
    try {
      const result = await make(client);
      this.#awaySince = null;
      this.#renewalMs = FIRST_PAUSE_MS;
      return result;
    } catch (error) {
      const failure = failureOf(error);
      if (failure.kind === 'away' || failure.kind === 'silent') this.lost(client);
      throw failure;
    }
  }

  /** The client has lost its server: the next call gets another one, if the last was not made just now. */
  lost(client: EsdbClient): void {
    const now = performance.now();
    this.#awaySince ??= now;
    if (client !== this.#client || now < this.#renewAt) return;
    this.#renewAt = now + this.#renewalMs;
    this.#renewalMs = Math.min(this.#renewalMs * 2, MAX_RENEWAL_MS);
    this.#client = newClient(this.#url);
    // Calls that are still under way on it come to their own end; what is left is let go of then.
    setTimeout(() => void client.close().catch(() => undefined), this.#url.timeoutMs).unref();
  }

  /** The failure as the port promises it; what cannot be mended by trying again is told apart by its class. */
  unavailable(doing: string, error: unknown): Error {
    const failure = failureOf(error);
    const message = `the event store at ${this.where} ${doing}: ${failure.message}`;
    return failure.kind === 'too large' ? new RangeError(message) : new EventStoreUnavailableError(message);
  }

  async close(): Promise<void> {
    this.#closing.abort();
    await this.#client.close();
  }

  /** Keeps the process alive: somebody waits for the answer. */
  #rest(ms: number): Promise<void> {
    const jittered = ms * (0.5 + Math.random() / 2);
    return pause(jittered, undefined, { signal: this.#closing.signal }).catch(() => undefined);
  }
}

const newClient = (url: EsdbUrl): EsdbClient => {
  generation = (generation + 1) % GENERATIONS;
  return new EsdbClient(url, generation);
};
