/** The columns of packed entries while entries are added. */

/** Where a piece of a text begins and ends, in bytes. */
export interface Piece {
  readonly from: number;
  readonly to: number;
}

/** A column of few distinct values, each stored once. */
export class Dictionary {
  readonly values: (string | null)[] = [];
  readonly indexes: number[] = [];
  readonly #known = new Map<string | null, number>();

  add(value: string | null): void {
    const text = value?.toWellFormed() ?? null;
    let index = this.#known.get(text);
    if (index === undefined) {
      index = this.values.push(text) - 1;
      this.#known.set(text, index);
    }
    this.indexes.push(index);
  }
}

const FIRST_BYTES = 64 * 1024;

export class TextColumn {
  readonly ends: number[] = [];
  readonly #bytes: GrowingBytes;

  constructor(expectedBytes = 0) {
    this.#bytes = new GrowingBytes(Math.max(FIRST_BYTES, expectedBytes));
  }

  add(text: Uint8Array, given: Piece | string): void {
    if (typeof given === 'string') this.#bytes.write(given);
    else this.#bytes.copy(text, given.from, given.to);
    this.ends.push(this.#bytes.used);
  }

  get length(): number {
    return this.#bytes.used;
  }

  bytes(): Buffer<ArrayBuffer> {
    return this.#bytes.all.subarray(0, this.#bytes.used);
  }
}

const FIRST_IDS = 1_000;
const UUID_BYTES = 16;
const DASH = 0x2d;
const NO_DIGIT = 255;
/** Where the two digits of each byte are in the text of a UUID; dashes are in between. */
const DIGITS_AT = [0, 2, 4, 6, 9, 11, 14, 16, 19, 21, 24, 26, 28, 30, 32, 34];
const DASHES_AT = [8, 13, 18, 23];
const HEX = new Uint8Array(256).fill(NO_DIGIT);
for (const [value, digit] of [...'0123456789abcdef'].entries()) {
  HEX[digit.charCodeAt(0)] = value;
  HEX[digit.toUpperCase().charCodeAt(0)] = value;
}

export class UuidColumn {
  readonly #bytes = new GrowingBytes(FIRST_IDS * UUID_BYTES);

  /** `from`: where the UUID begins in `text`. Returns false when there is no UUID. */
  add(text: Uint8Array, from: number): boolean {
    const bytes = this.#bytes;
    bytes.makeRoom(UUID_BYTES);
    for (const at of DASHES_AT) if (text[from + at] !== DASH) return false;
    for (let byte = 0; byte < UUID_BYTES; byte++) {
      const at = from + (DIGITS_AT[byte] ?? 0);
      const high = HEX[text[at] ?? 0] ?? NO_DIGIT;
      const low = HEX[text[at + 1] ?? 0] ?? NO_DIGIT;
      if (high === NO_DIGIT || low === NO_DIGIT) return false;
      bytes.all[bytes.used + byte] = (high << 4) | low;
    }
    bytes.used += UUID_BYTES;
    return true;
  }

  bytes(): Buffer<ArrayBuffer> {
    return this.#bytes.all.subarray(0, this.#bytes.used);
  }
}

const MAX_BYTES_PER_UNIT = 3;
/** Below this length a loop is faster than a call of the engine. */
const SHORT_BYTES = 48;

export class GrowingBytes {
  all: Buffer<ArrayBuffer>;
  used = 0;

  constructor(first: number) {
    this.all = Buffer.allocUnsafeSlow(first);
  }

  /** Adds the text in UTF-8. */
  write(text: string): void {
    this.makeRoom(text.length * MAX_BYTES_PER_UNIT);
    this.used += this.all.write(text, this.used);
  }

  copy(bytes: Uint8Array, from: number, to: number): void {
    const length = to - from;
    this.makeRoom(length);
    const { all, used } = this;
    if (length < SHORT_BYTES) for (let at = 0; at < length; at++) all[used + at] = bytes[from + at] ?? 0;
    else all.set(bytes.subarray(from, to), used);
    this.used = used + length;
  }

  makeRoom(more: number): void {
    if (this.used + more <= this.all.length) return;
    const larger = Buffer.allocUnsafeSlow(Math.max(this.all.length * 2, this.used + more));
    this.all.copy(larger, 0, 0, this.used);
    this.all = larger;
  }
}
