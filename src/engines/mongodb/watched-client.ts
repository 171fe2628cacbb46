/**
 * A client of the driver that is renewed when it stands still. After an outage a client can fail for ever although its
 * servers are back: in 7.8.0 a monitor's check may never end, and then no server is selected again. So a client that
 * has had no success for 10 s, while a fresh client gets an answer, is closed and connects anew. Its databases and
 * collections stay valid.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { MongoClient, type MongoClientOptions } from 'mongodb';
import { settlesWithin } from '../../foundation/basics/settles-within.js';

const RENEW_AFTER_MS = 10_000;
const ASK_EVERY_MS = 1_000;
const ANSWER_WITHIN_MS = 5_000;

export class WatchedClient {
  readonly client: MongoClient;
  readonly #another: () => MongoClient;
  readonly #closing = new AbortController();
  #succeededAt = Number.NEGATIVE_INFINITY;
  #watching: Promise<void> | null = null;

  /** Throws when the URL or the options are wrong. Connects with the first command. */
  constructor(url: string, options: MongoClientOptions) {
    this.client = new MongoClient(url, options);
    this.#another = () => new MongoClient(url, options);
  }

  /** A command has succeeded. */
  succeeded(): void {
    this.#succeededAt = performance.now();
  }

  /** A command has failed for the server. Asks the client from now on until it answers. */
  failed(): void {
    this.#watching ??= this.#watch(this.#closing.signal).finally(() => {
      this.#watching = null;
    });
  }

  async close(): Promise<void> {
    this.#closing.abort();
    await this.client.close();
    await this.#watching;
  }

  async #watch(signal: AbortSignal): Promise<void> {
    const failedAt = performance.now();
    for (let since = failedAt; !signal.aborted; ) {
      await pause(ASK_EVERY_MS, undefined, { signal, ref: false }).catch(() => undefined);
      if (signal.aborted || this.#succeededAt > failedAt || (await answers(this.client))) return;
      if (performance.now() - since < RENEW_AFTER_MS || !(await this.#serverAnswers())) continue;
      await this.#renew(signal).catch(() => undefined);
      since = performance.now();
    }
  }

  async #serverAnswers(): Promise<boolean> {
    const fresh = this.#another();
    const isThere = await answers(fresh);
    void fresh.close().catch(() => undefined);
    return isThere;
  }

  async #renew(signal: AbortSignal): Promise<void> {
    await this.client.close();
    if (!signal.aborted) await this.client.connect();
    if (signal.aborted) await this.client.close();
  }
}

const answers = (client: MongoClient): Promise<boolean> =>
  settlesWithin(client.db('admin').command({ ping: 1 }), ANSWER_WITHIN_MS).catch(() => false);
