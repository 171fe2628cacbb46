/**
 * A Bloom filter of the ids ever written: an id that it does not have is certainly new, so no store read is needed. Most
 * ids in a rebuild are new. A false positive costs one read of the store and nothing else.
 */
const BITS_PER_ID = 8;
const MIN_BITS = 2 ** 16;
const MAX_BITS = 2 ** 28;

export class SeenIds {
  readonly #bits: Uint32Array;
  readonly #shift: number;

  /** `expected`: about how many ids there will be. More ids raise the rate of false positives. */
  constructor(expected: number) {
    const wanted = Math.min(Math.max(expected * BITS_PER_ID, MIN_BITS), MAX_BITS);
    const size = 2 ** Math.ceil(Math.log2(wanted));
    this.#bits = new Uint32Array(size / 32);
    this.#shift = 32 - Math.log2(size);
  }

  add(id: string): void {
    const hash = hashOf(id);
    this.#set(hash >>> this.#shift);
    this.#set(Math.imul(hash, SECOND) >>> this.#shift);
  }

  mayHave(id: string): boolean {
    const hash = hashOf(id);
    return this.#has(hash >>> this.#shift) && this.#has(Math.imul(hash, SECOND) >>> this.#shift);
  }

  #set(bit: number): void {
    this.#bits[bit >>> 5] = (this.#bits[bit >>> 5] ?? 0) | (1 << (bit & 31));
  }

  #has(bit: number): boolean {
    return ((this.#bits[bit >>> 5] ?? 0) & (1 << (bit & 31))) !== 0;
  }
}

const SECOND = 0x9e3779b1;

/** FNV-1a over UTF-16 code units, its bits then mixed, so that the high ones depend on all. */
const hashOf = (text: string): number => {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at += 1) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  return (hash ^ (hash >>> 13)) >>> 0;
};
