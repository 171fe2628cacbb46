/**
 * Drops what no reader can read any more: collections of retired generations, log entries and their journals. It measures
 * how long this process has seen them out of use, by its own monotonic clock. Every writing node does it now and then;
 * the work is idempotent and may be late.
 */
import type { Db } from 'mongodb';
import { EMPTY_BOOKS, forgotten, retiredNumbers } from './bookkeeping.js';
import type { Bookkeeping } from './documents.js';
import type { Journal } from './journal.js';
import { type DecisionLog, NOTHING_WRITTEN } from './log.js';
import { RETENTION_MS } from './snapshot-reads.js';
import { generationOfTable } from './tables.js';

const POLL_INTERVAL_MS = 5_000;

export interface HousekeepingOptions {
  readonly db: Db;
  readonly log: DecisionLog;
  readonly journal: Journal;
  /** How long unused data is kept, in milliseconds. */
  readonly retentionMs?: number;
}

interface Sighting {
  readonly sequence: number;
  readonly at: number;
}

export class Housekeeping {
  readonly #options: HousekeepingOptions;
  readonly #retentionMs: number;
  readonly #retiredSince = new Map<number, number>();
  #sightings: Sighting[] = [];
  #startedAt = Number.NEGATIVE_INFINITY;
  #running: Promise<void> = Promise.resolve();
  #isRunning = false;

  constructor(options: HousekeepingOptions) {
    this.#options = options;
    this.#retentionMs = options.retentionMs ?? RETENTION_MS;
  }

  /** Starts in the background if it is due. A failure is retried the next time. */
  runIfDue(): void {
    if (this.#isRunning || performance.now() - this.#startedAt < POLL_INTERVAL_MS) return;
    this.#isRunning = true;
    this.#running = this.run()
      .catch(() => undefined)
      .finally(() => {
        this.#isRunning = false;
      });
  }

  async run(): Promise<void> {
    const now = performance.now();
    this.#startedAt = now;
    const { books } = await this.#options.log.head();
    await this.#prune(books, now);
    await this.#dropRetired(books, now);
  }

  /** Drops collections without a generation: their process died, or resumed after its generation was dropped. */
  async dropStrays(): Promise<void> {
    const { db, log } = this.#options;
    const found = await db.listCollections({}, { nameOnly: true }).toArray();
    const { books } = await log.head();
    if (books.sequence === EMPTY_BOOKS.sequence) return;
    const known = new Set(books.generations.map(({ number }) => number));
    for (const { name } of found) {
      const number = generationOfTable(name);
      if (number !== null && number < books.nextNumber && !known.has(number)) await db.dropCollection(name);
    }
  }

  async close(): Promise<void> {
    await this.#running;
  }

  async #prune(books: Bookkeeping, now: number): Promise<void> {
    const { log, journal } = this.#options;
    this.#sightings.push({ sequence: books.sequence, at: now });
    const old = this.#sightings.filter(({ at }) => now - at >= this.#retentionMs).at(-1);
    if (!old) return;
    this.#sightings = this.#sightings.filter(({ at }) => at >= old.at);
    const needed = books.generations.map(({ entry }) => entry).filter((entry) => entry > 0);
    const tokens = await log.prune(old.sequence, needed);
    await journal.prune(old.sequence, tokens);
  }

  async #dropRetired(books: Bookkeeping, now: number): Promise<void> {
    const retired = retiredNumbers(books);
    for (const number of retired) {
      if (!this.#retiredSince.has(number)) this.#retiredSince.set(number, now);
    }
    const due = retired.filter(
      (number) => now - (this.#retiredSince.get(number) ?? now) >= this.#retentionMs,
    );
    if (due.length === 0) return;
    const { db, log } = this.#options;
    for (const { name } of await db.listCollections({}, { nameOnly: true }).toArray()) {
      const number = generationOfTable(name);
      if (number !== null && due.includes(number)) await db.dropCollection(name);
    }
    const next = forgotten(books, due);
    // Refused on a conflict; the next run retries.
    if (await log.append({ ...next, ...NOTHING_WRITTEN }))
      for (const number of due) this.#retiredSince.delete(number);
  }
}
