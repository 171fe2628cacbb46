/**
 * Reads all content of the stores again and again in the background, so that damage is met before a client asks for what is
 * damaged. It rests after each step, and so takes a bounded share of a core.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { type DamagedStore, StoreDamagedError, type Verifiable } from './damage.js';
import type { DamageLog } from './damage-log.js';

const SHARE_OF_A_CORE = 0.01;
const ROUND_EVERY_MS = 3_600_000;
const LOOK_EVERY_MS = 1_000;

export interface ScrubberOptions {
  readonly stores: readonly Verifiable[];
  readonly damageLog: DamageLog;
  /** Whether this process scrubs the store now. Of the nodes that share a store, one does. */
  readonly isOwn: (store: DamagedStore) => boolean;
  /** Called when a round has ended early: the store did not answer. */
  readonly onError: (error: unknown) => void;
  /** Default: 0.01. */
  readonly share?: number;
  /** From the end of a round of a store to its next. Default: an hour. */
  readonly roundEveryMs?: number;
  /** How often it looks whether a round is due. Default: a second. */
  readonly lookEveryMs?: number;
}

/** Of one store. */
export interface ScrubReport {
  readonly store: DamagedStore;
  /** Events or rows that were read since the start. */
  checked: number;
  /** Of the last round, or of the first one as far as it has come: those from before checksums. */
  unverified: number;
  /** Of the round under way, from 0 to 1. */
  progress: number;
  /** Damage that was met since the start; a place counts once a round. */
  damages: number;
  /** Milliseconds since 1970; 0: no round has ended. */
  finishedAt: number;
}

interface Scrubbed {
  readonly store: Verifiable;
  readonly report: ScrubReport;
  dueAt: number;
}

export class Scrubber {
  readonly #options: ScrubberOptions;
  readonly #scrubbed: readonly Scrubbed[];
  readonly #stop = new AbortController();
  #running: Promise<void> = Promise.resolve();

  constructor(options: ScrubberOptions) {
    this.#options = options;
    this.#scrubbed = options.stores.map((store) => ({ store, report: emptyReport(store.store), dueAt: 0 }));
  }

  get reports(): readonly ScrubReport[] {
    return this.#scrubbed.map(({ report }) => report);
  }

  start(): void {
    this.#running = this.#run(this.#stop.signal);
  }

  /** Ends between two steps. */
  async stop(): Promise<void> {
    this.#stop.abort();
    await this.#running;
  }

  async #run(signal: AbortSignal): Promise<void> {
    const { roundEveryMs = ROUND_EVERY_MS, lookEveryMs = LOOK_EVERY_MS } = this.#options;
    while (!signal.aborted) {
      for (const scrubbed of this.#scrubbed) {
        if (signal.aborted || performance.now() < scrubbed.dueAt || !this.#isOwn(scrubbed)) continue;
        await this.#scrub(scrubbed, signal);
        scrubbed.dueAt = performance.now() + roundEveryMs;
      }
      await rest(lookEveryMs, signal);
    }
  }

  async #scrub(scrubbed: Scrubbed, signal: AbortSignal): Promise<void> {
    const { damageLog, onError } = this.#options;
    const { report } = scrubbed;
    try {
      if (await this.#round(scrubbed, signal)) Object.assign(report, { progress: 1, finishedAt: Date.now() });
    } catch (error) {
      if (error instanceof StoreDamagedError) damageLog.record(error.damage);
      else onError(error);
    }
  }

  /** Returns whether the round came to its end. */
  async #round(scrubbed: Scrubbed, signal: AbortSignal): Promise<boolean> {
    const { damageLog, share = SHARE_OF_A_CORE } = this.#options;
    const { store, report } = scrubbed;
    let unverified = 0;
    report.progress = 0;
    let begun = performance.now();
    for await (const step of store.scrub()) {
      unverified += step.unverified;
      report.checked += step.checked;
      report.damages += step.damages.length;
      report.progress = step.progress ?? report.progress;
      if (report.finishedAt === 0) report.unverified = unverified;
      for (const damage of step.damages) damageLog.record(damage);
      await rest((performance.now() - begun) * (1 / share - 1), signal);
      if (signal.aborted || !this.#isOwn(scrubbed)) return false;
      begun = performance.now();
    }
    report.unverified = unverified;
    return true;
  }

  #isOwn({ store }: Scrubbed): boolean {
    return this.#options.isOwn(store.store);
  }
}

const rest = (ms: number, signal: AbortSignal): Promise<void> =>
  pause(ms, undefined, { signal, ref: false }).catch(() => undefined);

const emptyReport = (store: DamagedStore): ScrubReport => ({
  store,
  checked: 0,
  unverified: 0,
  progress: 0,
  damages: 0,
  finishedAt: 0,
});
