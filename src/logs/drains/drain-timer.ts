/**
 * Looks whether drains have something to send. Nothing that takes entries in waits for it. What fails because a store is away is tried
 * again a second later.
 */
import { Inject, Injectable } from '@nestjs/common';
import { CONFIG, type PodiumConfig } from '../../foundation/config.js';
import { SecondTimer } from '../second-timer.js';
import { DrainBook } from './drain-book.js';
import { DrainEntries } from './drain-entries.js';
import { DrainRuns } from './drain-runs.js';

/** Drains that send at a time. A receiver that does not answer holds up its own drain alone. */
const MAX_UNDER_WAY = 32;

@Injectable()
export class DrainTimer extends SecondTimer {
  /** In the order in which they were last run. */
  readonly #lastRun = new Map<string, Promise<void>>();
  readonly #underWay = new Set<string>();
  #look: Promise<void> = Promise.resolve();
  #isLooking = false;

  constructor(
    private readonly book: DrainBook,
    private readonly runs: DrainRuns,
    private readonly entries: DrainEntries,
    @Inject(CONFIG) config: Pick<PodiumConfig, 'logStoreUrl'>,
  ) {
    super(config, 'Drains', 'the drains send nothing');
  }

  protected async settled(): Promise<void> {
    await this.#look;
    await Promise.all(this.#lastRun.values());
  }

  protected tick(): void {
    if (this.#isLooking) return;
    this.#isLooking = true;
    this.#look = this.#startAll()
      .then(() => this.succeeded())
      .catch(this.failed)
      .finally(() => {
        this.#isLooking = false;
      });
  }

  async #startAll(): Promise<void> {
    const ids = new Set((await this.book.drains()).map(({ drainId }) => drainId));
    for (const known of this.#lastRun.keys())
      if (!ids.has(known) && !this.#underWay.has(known)) this.#lastRun.delete(known);
    if (ids.size === 0) return;
    const head = await this.entries.head();
    // Those that have waited longest come first.
    const waiting = [...ids].filter((id) => !this.#lastRun.has(id));
    for (const id of [...waiting, ...this.#lastRun.keys()]) {
      if (this.#underWay.size >= MAX_UNDER_WAY || this.stopped.signal.aborted) return;
      if (!this.#underWay.has(id)) this.#start(id, head);
    }
  }

  #start(drainId: string, head: number): void {
    this.#underWay.add(drainId);
    const run = this.runs
      .run(drainId, { head, now: Date.now, signal: this.stopped.signal })
      .catch(this.failed)
      .finally(() => this.#underWay.delete(drainId));
    this.#lastRun.delete(drainId);
    this.#lastRun.set(drainId, run);
  }
}
