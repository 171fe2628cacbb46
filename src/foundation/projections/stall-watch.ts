/**
 * Notices that this process stands still while others move: readers elsewhere see later positions, and the position
 * that this process shows does not change. Its thread may hang, or its connection to a store.
 */
import { setTimeout as pause } from 'node:timers/promises';
import type { Position } from '../event-store/event-store.js';

const LOOK_EVERY_MS = 1_000;
/** One look behind is normal: the position may be on its way. */
const LOOKS_UNTIL_STALLED = 3;

export interface StallWatchOptions {
  /** The position that reads of this process show. */
  readonly shown: () => Position;
  /** The position that the store has for every process. */
  readonly visible: () => Promise<Position>;
  readonly onChange: () => void;
}

export class StallWatch {
  readonly #options: StallWatchOptions;
  readonly #stop = new AbortController();
  #running: Promise<void> = Promise.resolve();
  #position: Position = 0;
  /** Looks in a row that found the process behind, at the same position. */
  #looksBehind = 0;

  constructor(options: StallWatchOptions) {
    this.#options = options;
  }

  get isStalled(): boolean {
    return this.#looksBehind >= LOOKS_UNTIL_STALLED;
  }

  start(): void {
    this.#running = this.#watch(this.#stop.signal);
  }

  async stop(): Promise<void> {
    this.#stop.abort();
    await this.#running;
  }

  async #watch(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      await pause(LOOK_EVERY_MS, undefined, { signal, ref: false }).catch(() => undefined);
      // A store that does not answer says nothing about others.
      if (!signal.aborted) await this.#look().catch(() => undefined);
    }
  }

  async #look(): Promise<void> {
    const { shown, visible, onChange } = this.#options;
    const before = this.isStalled;
    const isBehind = (await visible()) > shown();
    const hasMoved = shown() !== this.#position;
    this.#position = shown();
    this.#looksBehind = isBehind ? (hasMoved ? 1 : this.#looksBehind + 1) : 0;
    if (before !== this.isStalled) onChange();
  }
}
