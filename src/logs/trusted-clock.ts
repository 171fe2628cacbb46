/**
 * The time by which entries are removed. A clock that is set ahead is believed once it has stood so for a day: what a wrong one lets
 * go does not come back, while what a right one keeps for a day longer harms nobody. One that is set back is believed at once.
 * What it was wrong by before the process started nobody can tell.
 */

const DAY_MS = 86_400_000;
/** Corrections that are no jumps. */
const TOLERATED_MS = 10 * 60_000;

export interface Clocks {
  /** Milliseconds since 1970, as the system has it now. */
  readonly wall: () => number;
  /** Milliseconds since whenever, which nobody sets. */
  readonly steady: () => number;
}

const SYSTEM: Clocks = { wall: () => Date.now(), steady: () => performance.now() };

export class TrustedClock {
  readonly #clocks: Clocks;
  /** Of the steady clock; milliseconds. */
  #ahead: number;
  /** By the steady clock, when the system's was first seen to have jumped ahead. */
  #jumpedAt: number | null = null;

  constructor(clocks: Clocks = SYSTEM) {
    this.#clocks = clocks;
    this.#ahead = clocks.wall() - clocks.steady();
  }

  /** Milliseconds since 1970. A jump counts from the first call after it. */
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
