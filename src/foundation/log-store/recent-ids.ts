/**
 * The ids received within the last 24 hours: 64-bit keys in a bounded hash table, 12 bytes a slot. When it is full, the
 * older half is evicted, and the caller looks up ids before `floor` in the tables. Keys are hashed with a secret, so no
 * client can cause a collision; by chance it happens once in 10^11 at ten million ids.
 */

const WINDOW_SECONDS = 24 * 60 * 60;
const FIRST_SLOTS = 1 << 16;
const MAX_LOAD = 0.7;

export class RecentIds {
  readonly #maxIds: number;
  #lows: Uint32Array;
  #highs: Uint32Array;
  /** Second of receipt; 0: the slot is free. */
  #seconds: Uint32Array;
  #used = 0;
  #floor = 0;

  /** `maxIds`: how many ids to hold. */
  constructor(maxIds: number) {
    this.#maxIds = maxIds;
    this.#lows = new Uint32Array(FIRST_SLOTS);
    this.#highs = new Uint32Array(FIRST_SLOTS);
    this.#seconds = new Uint32Array(FIRST_SLOTS);
  }

  /** From this second on every received id is in the table. */
  get floor(): number {
    return this.#floor;
  }

  /** Raises `floor` to `second`. */
  forgetBefore(second: number): void {
    this.#floor = Math.max(this.#floor, second);
  }

  /** Returns false, and changes nothing, when the id came within 24 hours before `second`. */
  add(low: number, high: number, second: number): boolean {
    const slot = this.#slotOf(low, high);
    const before = this.#seconds[slot] ?? 0;
    if (before > second - WINDOW_SECONDS) return false;
    if (before === 0) this.#used++;
    this.#lows[slot] = low;
    this.#highs[slot] = high;
    this.#seconds[slot] = second;
    if (this.#used > this.#lows.length * MAX_LOAD) this.#makeRoom(second);
    return true;
  }

  /** Undoes an `add` whose entry was not written. */
  remove(low: number, high: number): void {
    const slot = this.#slotOf(low, high);
    // Not 0: a free slot would cut the probe chain. A second this old has expired.
    if (this.#seconds[slot]) this.#seconds[slot] = 1;
  }

  #slotOf(low: number, high: number): number {
    const mask = this.#lows.length - 1;
    let slot = (low ^ (high << 7)) & mask;
    while (this.#seconds[slot] !== 0 && (this.#lows[slot] !== low || this.#highs[slot] !== high)) {
      slot = (slot + 1) & mask;
    }
    return slot;
  }

  #makeRoom(now: number): void {
    const old = { lows: this.#lows, highs: this.#highs, seconds: this.#seconds };
    const over = now - WINDOW_SECONDS;
    let held = countAfter(old.seconds, over);
    let keepAfter = over;
    if (held > this.#maxIds) {
      keepAfter = median(old.seconds, over);
      this.#floor = keepAfter + 1;
      held = countAfter(old.seconds, keepAfter);
    }
    let slots = FIRST_SLOTS;
    while (slots * MAX_LOAD < held * 1.5) slots *= 2;
    this.#lows = new Uint32Array(slots);
    this.#highs = new Uint32Array(slots);
    this.#seconds = new Uint32Array(slots);
    this.#used = 0;
    for (const [index, second] of old.seconds.entries()) {
      if (second > keepAfter) this.#put(old.lows[index] ?? 0, old.highs[index] ?? 0, second);
    }
  }

  #put(low: number, high: number, second: number): void {
    const slot = this.#slotOf(low, high);
    this.#lows[slot] = low;
    this.#highs[slot] = high;
    this.#seconds[slot] = second;
    this.#used++;
  }
}

const countAfter = (seconds: Uint32Array, after: number): number => {
  let count = 0;
  for (const second of seconds) if (second > after) count++;
  return count;
};

/** The median of the seconds after `after`. */
const median = (seconds: Uint32Array, after: number): number => {
  const held = seconds.filter((second) => second > after).sort();
  return held[held.length >> 1] ?? after;
};
