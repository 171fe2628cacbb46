/**
 * Scans JSON in bytes and accepts only the text that JSON.stringify writes: no spaces, only short escapes, numbers in
 * its notation. Accepted text can be stored unchanged. Rejected text may still be valid JSON, so the caller parses it in
 * full. The bytes must be valid UTF-8.
 */

export const QUOTE = 0x22;
export const COMMA = 0x2c;
export const COLON = 0x3a;
export const OPEN_ARRAY = 0x5b;
export const CLOSE_ARRAY = 0x5d;
export const OPEN_RECORD = 0x7b;
export const CLOSE_RECORD = 0x7d;
export const NULL = Buffer.from('null');
export const NEWLINE = 0x0a;
const SPACE = 0x20;
const BACKSLASH = 0x5c;
const MINUS = 0x2d;
const POINT = 0x2e;
export const ZERO = 0x30;
const NINE = 0x39;

/** A double keeps up to this many digits, so the number is written again with the same text. */
const MAX_DIGITS = 15;
/** JSON.stringify writes 0.000001 in this form, but 0.0000001 as 1e-7. */
const MAX_LEADING_ZEROS = 5;

/** `plain`: no escapes. `escaped`: only escapes that JSON.stringify writes. `other`: the text has to be parsed. */
export type TextKind = 'plain' | 'escaped' | 'other';

const bytesOf = (characters: string): Uint8Array => {
  const found = new Uint8Array(256);
  for (const byte of Buffer.from(characters)) found[byte] = 1;
  return found;
};

const SHORT_ESCAPES = bytesOf('"\\bfnrt');
const SPACES = bytesOf(' \t\n\r');

/** Bytes of a text in ASCII that JSON writes as they are. */
const PLAIN = new Uint8Array(256);
for (let byte = SPACE; byte < 0x80; byte++) PLAIN[byte] = 1;
for (const escaped of [QUOTE, BACKSLASH]) PLAIN[escaped] = 0;

/** Whether these bytes are a text in ASCII that JSON writes as it is. */
export const isPlain = (bytes: Uint8Array, from: number, to: number): boolean => {
  for (let at = from; at < to; at++) if (PLAIN[bytes[at] ?? 0] === 0) return false;
  return true;
};

/** Returns about how many values JSON holds, one in another, without parsing it: its commas and what begins an array or an object. */
export const valuesIn = (bytes: Uint8Array): number => {
  let count = 0;
  let isText = false;
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at];
    if (byte === QUOTE) isText = !isText;
    else if (isText) at += byte === BACKSLASH ? 1 : 0;
    else if (byte === COMMA || byte === OPEN_ARRAY || byte === OPEN_RECORD) count++;
  }
  return count;
};

export class JsonScanner {
  at = 0;

  constructor(readonly bytes: Uint8Array) {}

  get atEnd(): boolean {
    return this.at === this.bytes.length;
  }

  /** Returns the next byte without moving. */
  peek(): number | undefined {
    return this.bytes[this.at];
  }

  skipSpaces(): void {
    while (SPACES[this.bytes[this.at] ?? 0] === 1) this.at++;
  }

  /** Moves past the byte when it is next. */
  take(byte: number): boolean {
    if (this.bytes[this.at] !== byte) return false;
    this.at++;
    return true;
  }

  /** Moves past the bytes when they are next. */
  takeAll(expected: Uint8Array): boolean {
    const { bytes, at } = this;
    for (let index = 0; index < expected.length; index++) {
      if (bytes[at + index] !== expected[index]) return false;
    }
    this.at = at + expected.length;
    return true;
  }

  /** Moves past a string. Returns null when there is no complete string. */
  string(): TextKind | null {
    const { bytes } = this;
    if (bytes[this.at] !== QUOTE) return null;
    let kind: TextKind = 'plain';
    let at = this.at + 1;
    for (;;) {
      const byte = bytes[at];
      if (byte === QUOTE) {
        this.at = at + 1;
        return kind;
      }
      if (byte === undefined || byte < SPACE) return null;
      if (byte !== BACKSLASH) at++;
      else {
        if (SHORT_ESCAPES[bytes[at + 1] ?? 0] === 0) kind = 'other';
        else if (kind === 'plain') kind = 'escaped';
        at += 2;
      }
    }
  }

  /** Moves past a number. Returns null when JSON.stringify would write it differently. */
  number(): 'integer' | 'fraction' | null {
    const from = this.take(MINUS) ? this.at - 1 : this.at;
    const whole = this.digits();
    const startsWithZero = this.bytes[this.at - whole] === ZERO;
    if (whole === 0 || (startsWithZero && whole > 1)) return null;
    if (!this.take(POINT)) {
      const isNegativeZero = startsWithZero && this.at - from > whole;
      return whole > MAX_DIGITS || isNegativeZero || this.#hasExponent() ? null : 'integer';
    }
    const begin = this.at;
    const fraction = this.digits();
    if (fraction === 0 || this.bytes[this.at - 1] === ZERO || whole + fraction > MAX_DIGITS) return null;
    if (startsWithZero && this.#zeros(begin) > MAX_LEADING_ZEROS) return null;
    return this.#hasExponent() ? null : 'fraction';
  }

  /** Moves past digits and returns their count. */
  digits(): number {
    const { bytes, at } = this;
    let end = at;
    for (let byte = bytes[end]; byte !== undefined && byte >= ZERO && byte <= NINE; byte = bytes[end]) end++;
    this.at = end;
    return end - at;
  }

  #zeros(from: number): number {
    let end = from;
    while (this.bytes[end] === ZERO) end++;
    return end - from;
  }

  #hasExponent(): boolean {
    const byte = this.bytes[this.at];
    return byte === 0x45 || byte === 0x65;
  }
}
