/**
 * A seeded random source: sfc32 (Chris Doty-Humphrey's Small Fast Counter, of the PractRand suite), seeded by
 * splitmix32. The same seed gives the same numbers on every machine.
 */
export class Random {
  #a: number;
  #b: number;
  #c: number;
  #counter = 1;
  #spareNormal: number | null = null;

  /** `stream` separates sources of one seed: each gives its numbers whatever the others are used for. */
  constructor(seed: number, stream = 0) {
    const next = splitmix32((seed ^ Math.imul(stream + 1, 0x9e3779b9)) | 0);
    this.#a = next();
    this.#b = next();
    this.#c = next();
    for (let warm = 0; warm < 12; warm += 1) this.bits();
  }

  /** 32 bits, as an unsigned integer. */
  bits(): number {
    const sum = (this.#a + this.#b + this.#counter) | 0;
    this.#counter = (this.#counter + 1) | 0;
    this.#a = this.#b ^ (this.#b >>> 9);
    this.#b = (this.#c + (this.#c << 3)) | 0;
    this.#c = ((this.#c << 21) | (this.#c >>> 11)) + sum;
    return sum >>> 0;
  }

  /** From 0 up to 1, exclusive. */
  unit(): number {
    return this.bits() / 4_294_967_296;
  }

  /** Both ends inclusive. */
  integer(from: number, to: number): number {
    return from + Math.floor(this.unit() * (to - from + 1));
  }

  chance(probability: number): boolean {
    return this.unit() < probability;
  }

  /** Mean 0, deviation 1 (the polar method of Marsaglia). */
  normal(): number {
    if (this.#spareNormal !== null) {
      const spare = this.#spareNormal;
      this.#spareNormal = null;
      return spare;
    }
    let x = 0;
    let y = 0;
    let square = 0;
    while (square >= 1 || square === 0) {
      x = this.unit() * 2 - 1;
      y = this.unit() * 2 - 1;
      square = x * x + y * y;
    }
    const factor = Math.sqrt((-2 * Math.log(square)) / square);
    this.#spareNormal = y * factor;
    return x * factor;
  }

  /** Throws RangeError when the list is empty. */
  pick<T>(items: readonly T[]): T {
    const item = items[Math.floor(this.unit() * items.length)];
    if (item === undefined) throw new RangeError('nothing to pick from');
    return item;
  }

  weighted<T extends { readonly weight: number }>(items: readonly T[]): T {
    const total = items.reduce((sum, { weight }) => sum + weight, 0);
    let left = this.unit() * total;
    for (const item of items) {
      left -= item.weight;
      if (left < 0) return item;
    }
    return this.pick(items);
  }

  /** A version 4 UUID. */
  uuid(): string {
    const hex = [this.bits(), this.bits(), this.bits(), this.bits()]
      .map((bits) => bits.toString(16).padStart(8, '0'))
      .join('');
    const variant = '89ab'[this.integer(0, 3)];
    return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20)}`;
  }
}

const splitmix32 = (seed: number): (() => number) => {
  let state = seed | 0;
  return () => {
    state = (state + 0x9e3779b9) | 0;
    let mixed = Math.imul(state ^ (state >>> 16), 0x21f0aaad);
    mixed = Math.imul(mixed ^ (mixed >>> 15), 0x735a2d97);
    return (mixed ^ (mixed >>> 15)) | 0;
  };
};
