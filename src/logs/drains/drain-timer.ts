/**
 * Looks once a second whether drains have something to send, on the node that owns the log store. Nothing that takes entries in waits for
 * it. What fails because a store is away is tried again a second later.
 */
import {
  type BeforeApplicationShutdown,
  Inject,
  Injectable,
  Logger,
  type OnApplicationBootstrap,
} from '@nestjs/common';
import { messageOf } from '../../foundation/basics/error-message.js';
import { CONFIG, type PodiumConfig } from '../../foundation/config.js';
import { ownerOf } from '../../foundation/log-store/log-owner.js';
import { DrainBook } from './drain-book.js';
import { DrainEntries } from './drain-entries.js';
import { DrainRuns } from './drain-runs.js';

const EVERY_MS = 1_000;
/** Drains that send at a time. A receiver that does not answer holds up its own drain alone. */
const MAX_UNDER_WAY = 32;

@Injectable()
export class DrainTimer implements OnApplicationBootstrap, BeforeApplicationShutdown {
  readonly #logger = new Logger('Drains');
  readonly #stop = new AbortController();
  /** In the order in which they were last run. */
  readonly #lastRun = new Map<string, Promise<void>>();
  readonly #underWay = new Set<string>();
  #timer: NodeJS.Timeout | null = null;
  #look: Promise<void> = Promise.resolve();
  #isLooking = false;
  #isFailing = false;

  constructor(
    private readonly book: DrainBook,
    private readonly runs: DrainRuns,
    private readonly entries: DrainEntries,
    @Inject(CONFIG) private readonly config: Pick<PodiumConfig, 'logStoreUrl'>,
  ) {}

  onApplicationBootstrap(): void {
    if (ownerOf(this.config.logStoreUrl)) return;
    this.#timer = setInterval(() => this.#tick(), EVERY_MS).unref();
  }

  async beforeApplicationShutdown(): Promise<void> {
    if (this.#timer) clearInterval(this.#timer);
    this.#stop.abort();
    await this.#look;
    await Promise.all(this.#lastRun.values());
  }

  #tick(): void {
    if (this.#isLooking) return;
    this.#isLooking = true;
    this.#look = this.#startAll()
      .then(() => {
        this.#isFailing = false;
      })
      .catch((error: unknown) => this.#failed(error))
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
      if (this.#underWay.size >= MAX_UNDER_WAY || this.#stop.signal.aborted) return;
      if (!this.#underWay.has(id)) this.#start(id, head);
    }
  }

  #start(drainId: string, head: number): void {
    this.#underWay.add(drainId);
    const run = this.runs
      .run(drainId, { head, now: Date.now, signal: this.#stop.signal })
      .catch((error: unknown) => this.#failed(error))
      .finally(() => this.#underWay.delete(drainId));
    this.#lastRun.delete(drainId);
    this.#lastRun.set(drainId, run);
  }

  /** Says so once for each time that a store is away. */
  #failed(error: unknown): void {
    if (!this.#isFailing) this.#logger.warn(`the drains send nothing for now: ${messageOf(error)}`);
    this.#isFailing = true;
  }
}
