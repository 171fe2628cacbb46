/** Readers that wait until a position is visible, each with a timeout. */
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

  /** Resolves to true when the position is visible, to false after `timeoutMs`. */
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

  /** Sets the visible position. It moves back only when the read models start again from nothing. */
  advance(position: Position): void {
    this.#position = position;
    for (const waiter of this.#waiting) if (waiter.position <= position) waiter.settle(true);
  }

  /** Resolves every waiter to false. */
  close(): void {
    for (const waiter of this.#waiting) waiter.settle(false);
  }
}
