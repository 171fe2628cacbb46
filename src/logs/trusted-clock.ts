/**
 * The clock of the retention. When the system clock jumps ahead, the new time counts only after a day: removed entries
 * cannot be restored, and keeping entries a day longer does no harm. When it is set back, the new time counts at once.
 * An error that the clock had before the process started is not detected.
 */

const DAY_MS = 86_400_000;
/** A correction up to this size is not a jump. */
const TOLERATED_MS = 10 * 60_000;

export interface Clocks {
  /** The system clock, in milliseconds since 1970. */
  readonly wall: () => number;
  /** A monotonic clock, in milliseconds since an arbitrary start. Setting the system clock does not change it. */
  readonly steady: () => number;
}

const SYSTEM: Clocks = { wall: () => Date.now(), steady: () => performance.now() };

export class TrustedClock {
  readonly #clocks: Clocks;
  /** Trusted time minus the steady clock, in milliseconds. */
  #ahead: number;
  /** The steady time at which a jump ahead was first seen; null: there is none. */
  #jumpedAt: number | null = null;

  constructor(clocks: Clocks = SYSTEM) {
    this.#clocks = clocks;
    this.#ahead = clocks.wall() - clocks.steady();
  }

  /** Returns milliseconds since 1970. The day of a jump begins with the first call after it. */
  now(): number {
    const steady = this.#clocks.steady();
    const ahead = this.#clocks.wall() - steady;
    const hasJumped = ahead > this.#ahead + TOLERATED_MS;
    this.#jumpedAt = hasJumped ? (this.#jumpedAt ?? steady) : null;
    if (this.#jumpedAt === null || steady - this.#jumpedAt >= DAY_MS) {
      this.#ahead = ahead;
      this.#jumpedAt = null;
    }
    return steady + this.#ahead;
  }
}
