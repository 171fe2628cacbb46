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
/** Between two questions; and how much longer than a fresh client this one has to answer. */
const LOOK_MS = 1_000;
const ANSWER_WITHIN_MS = 5_000;

export class WatchedClient {
  readonly client: MongoClient;
  readonly #another: () => MongoClient;
  readonly #closing = new AbortController();
  #succeededAt = performance.now();
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

  /** A command has begun. Watches the client from now on until it has a success. */
  begun(): void {
    this.#watching ??= this.#watch(this.#closing.signal).finally(() => {
      this.#watching = null;
    });
  }

  async close(): Promise<void> {
    this.#closing.abort();
    await this.client.close();
    await this.#watching;
  }

  /** Costs a command nothing that succeeds within LOOK_MS. */
  async #watch(signal: AbortSignal): Promise<void> {
    const begunAt = performance.now();
    let renewAt = this.#succeededAt + RENEW_AFTER_MS;
    await sleep(LOOK_MS, signal);
    while (!signal.aborted && this.#succeededAt <= begunAt) {
      const leftMs = renewAt - LOOK_MS - performance.now();
      if (leftMs > 0) await this.#ask(Math.min(leftMs, ANSWER_WITHIN_MS), signal);
      else if (await this.#standsStill(signal)) {
        await this.#renew(signal).catch(() => undefined);
        renewAt = performance.now() + RENEW_AFTER_MS;
      }
    }
  }

  /** Whether a fresh client gets an answer, and this one none. */
  async #standsStill(signal: AbortSignal): Promise<boolean> {
    const own = this.#ask(ANSWER_WITHIN_MS, signal);
    if (!(await this.#serverAnswers())) {
      await own;
      return false;
    }
    return !(await Promise.race([own, sleep(LOOK_MS, signal).then(() => false)]));
  }

  /** An answer is a success. Where the client fails at once, this takes a while all the same. */
  async #ask(withinMs: number, signal: AbortSignal): Promise<boolean> {
    const aWhile = sleep(Math.min(LOOK_MS, withinMs), signal);
    const isThere = await answers(this.client, withinMs);
    if (isThere) this.succeeded();
    else await aWhile;
    return isThere;
  }

  async #serverAnswers(): Promise<boolean> {
    const fresh = this.#another();
    const isThere = await answers(fresh, ANSWER_WITHIN_MS);
    void fresh.close().catch(() => undefined);
    return isThere;
  }

  async #renew(signal: AbortSignal): Promise<void> {
    await this.client.close();
    if (!signal.aborted) await this.client.connect();
    if (signal.aborted) await this.client.close();
  }
}

const sleep = (ms: number, signal: AbortSignal): Promise<void> =>
  pause(ms, undefined, { signal, ref: false }).catch(() => undefined);

const answers = (client: MongoClient, withinMs: number): Promise<boolean> =>
  settlesWithin(client.db('admin').command({ ping: 1 }), withinMs).catch(() => false);
