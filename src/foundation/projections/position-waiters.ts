/** Readers that wait until a position is visible, each for so long. */
import type { Position } from '../event-store/event-store.js';

interface Waiter {
  readonly position: Position;
  readonly settle: (reached: boolean) => void;
}

export class PositionWaiters {
  readonly #waiting = new Set<Waiter>();
  #position: Position = 0;

  get position(): Position {
    return this.#position;
  }

  /** True as soon as the position has come that far, false after `timeoutMs`. */
  wait(position: Position, timeoutMs: number): Promise<boolean> {
    if (position <= this.#position) return Promise.resolve(true);
    return new Promise((resolve) => {
      const waiter: Waiter = {
        position,
        settle: (reached) => {
          clearTimeout(timer);
          this.#waiting.delete(waiter);
          resolve(reached);
        },
      };
      const timer = setTimeout(() => waiter.settle(false), timeoutMs);
      this.#waiting.add(waiter);
    });
  }

  /** Where reads are now; back only when the read models were begun anew. */
  advance(position: Position): void {
    this.#position = position;
    for (const waiter of this.#waiting) if (waiter.position <= position) waiter.settle(true);
  }

  close(): void {
    for (const waiter of this.#waiting) waiter.settle(false);
  }
}
