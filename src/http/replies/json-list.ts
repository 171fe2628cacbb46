/** A JSON list as bytes, from which shorter lists are cut. */

export interface JsonList {
  /** `[`, the entries separated by commas, `]`. */
  readonly bytes: Uint8Array;
  /** Offset of the end of each entry. */
  readonly ends: Uint32Array;
}

/** `texts`: the JSON of each entry. The memory is the list's own, so it can be transferred to another thread. */
export const jsonList = (texts: readonly string[]): JsonList => {
  const ends = new Uint32Array(texts.length);
  let end = 0;
  for (const [index, text] of texts.entries()) {
    // The bracket or comma before it counts too.
    end += 1 + Buffer.byteLength(text);
    ends[index] = end;
  }
  // Between the entries the commas stay.
  const bytes = Buffer.from(new ArrayBuffer(Math.max(end, 1) + 1)).fill(',');
  bytes.write('[');
  for (const [index, text] of texts.entries()) bytes.write(text, 1 + (ends[index - 1] ?? 0));
  bytes.write(']', bytes.length - 1);
  return { bytes, ends };
};

const CLOSING_BRACKET = 0x5d;

/** Returns the list's first `length` entries as JSON. */
export const cutList = ({ bytes, ends }: JsonList, length: number): Buffer => {
  const whole = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const end = ends[length - 1];
  if (end === undefined || length === ends.length) return whole;
  const cut = Buffer.allocUnsafe(end + 1);
  whole.copy(cut, 0, 0, end);
  cut[end] = CLOSING_BRACKET;
  return cut;
};
