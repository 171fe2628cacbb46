/**
 * The connection of an event store to its server. It replaces a client that has lost its server, after a pause that grows
 * while the server stays away. Within the first seconds of an outage it repeats a call, so that a restart or a change of
 * the leader is a delay and not a failure. After that it tries each call once. A node of a cluster that takes the place of a lost
 * one has to answer a small read first: gossip names a leader that stands still until another one is elected.
 */
import { setMaxListeners } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { BACKWARDS, END } from '@eventstore/db-client';
import { EventStoreUnavailableError } from '../../foundation/event-store/event-store.js';
import { EsdbClient } from './client-internals.js';
import type { EsdbUrl } from './esdb-url.js';
import { EsdbFailure, failureOf } from './failures.js';
import { recordsOf } from './read-records.js';

/** The server's own time-out for an append is a little over two seconds: such an append is repeated once. */
const RETRY_FOR_MS = 2_500;
/** A cluster needs 2 to 6 s to elect another leader. */
const CLUSTER_RETRY_FOR_MS = 8_000;
/** For the small read. */
const PROOF_MS = 1_000;
const MIN_PAUSE_MS = 25;
const MAX_PAUSE_MS = 400;
/** Between two clients for a server that stays away. */
const MAX_RENEWAL_MS = 1_000;
/** More than the clients that a process uses at once, so that no two of them have the same number. */
const GENERATIONS = 5_000;

let generation = 0;

export class Connection {
  readonly #url: EsdbUrl;
  #client: EsdbClient;
  readonly #closing = new AbortController();
  /** When the first failure since the last success was. Null after a success. */
  #failingSince: number | null = null;
  /** Of a client that took the place of another. */
  #proven: Promise<unknown> = Promise.resolve();
  #renewAt = 0;
  #renewalMs = MIN_PAUSE_MS;

  constructor(url: EsdbUrl) {
    this.#url = url;
    this.#client = newClient(url);
    // Every call that waits for its repetition listens to it.
    setMaxListeners(0, this.#closing.signal);
  }

  get timeoutMs(): number {
    return this.#url.timeoutMs;
  }

  get url(): EsdbUrl {
    return this.#url;
  }

  get where(): string {
    return this.#url.where;
  }

  /** Aborts when the connection is closed. */
  get closing(): AbortSignal {
    return this.#closing.signal;
  }

  /** Makes the call, and repeats it after a transient failure. Throws EsdbFailure. */
  async call<T>(make: (client: EsdbClient) => Promise<T>): Promise<T> {
    const begun = performance.now();
    const retryForMs = this.#url.discovers ? CLUSTER_RETRY_FOR_MS : RETRY_FOR_MS;
    for (let wait = MIN_PAUSE_MS; ; wait = Math.min(wait * 2, MAX_PAUSE_MS)) {
      try {
        return await this.attempt(make);
      } catch (error) {
        const failure = failureOf(error);
        const since = Math.min(begun, this.#failingSince ?? begun);
        const inTime = performance.now() - since < retryForMs;
        if (!failure.isTransient || !inTime || this.#closing.signal.aborted) throw failure;
      }
      await this.#rest(wait);
    }
  }

  /** Makes the call once. Throws EsdbFailure. */
  async attempt<T>(make: (client: EsdbClient) => Promise<T>): Promise<T> {
    if (this.#closing.signal.aborted) throw new EsdbFailure('unavailable', 'the event store is closed');
    const client = this.#client;
    try {
      await this.#proven;
      const result = await make(client);
      this.#failingSince = null;
      this.#renewalMs = MIN_PAUSE_MS;
      return result;
    } catch (error) {
      const failure = failureOf(error);
      if (failure.kind === 'unavailable' || failure.kind === 'no answer') this.reportLost(client);
      throw failure;
    }
  }

  /** Replaces the client for the next call, unless the last one was replaced just now. */
  reportLost(client: EsdbClient): void {
    const now = performance.now();
    this.#failingSince ??= now;
    if (client !== this.#client || now < this.#renewAt) return;
    this.#renewAt = now + this.#renewalMs;
    this.#renewalMs = Math.min(this.#renewalMs * 2, MAX_RENEWAL_MS);
    this.#client = newClient(this.#url);
    if (this.#url.discovers) {
      this.#proven = prove(this.#client, this.#url.timeoutMs);
      // The next call throws its failure.
      this.#proven.catch(() => undefined);
    }
    // Calls in flight on the old client have this long to end.
    setTimeout(() => void client.close().catch(() => undefined), this.#url.timeoutMs).unref();
  }

  /** The error that the port promises for a failure. Any other error is the caller's and stays as it is. */
  mapStoreError(doing: string, error: unknown): unknown {
    if (!(error instanceof EsdbFailure)) return error;
    return new EventStoreUnavailableError(`the event store at ${this.where} ${doing}: ${error.message}`);
  }

  async close(): Promise<void> {
    this.#closing.abort();
    await this.#client.close();
  }

  /** Keeps the process alive, as a caller waits for the answer. */
  #rest(ms: number): Promise<void> {
    const jittered = ms * (0.5 + Math.random() / 2);
    return pause(jittered, undefined, { signal: this.#closing.signal }).catch(() => undefined);
  }
}

/** Throws EsdbFailure, `no answer` when the node that is chosen within this time is silent. */
const prove = async (client: EsdbClient, timeoutMs: number): Promise<void> => {
  const over = new AbortController();
  const tooLate = pause(timeoutMs, undefined, { signal: over.signal }).then(
    () => Promise.reject(EsdbFailure.noAnswer()),
    () => undefined,
  );
  try {
    await Promise.race([client.choose(), tooLate]);
  } finally {
    over.abort();
  }
  const last = { fromPosition: END, direction: BACKWARDS, maxCount: 1 } as const;
  await recordsOf(client, client.readAll(last), PROOF_MS);
};

const newClient = (url: EsdbUrl): EsdbClient => {
  generation = (generation + 1) % GENERATIONS;
  return new EsdbClient(url, generation);
};
