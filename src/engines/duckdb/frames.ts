/**
 * Frames on a byte stream between two processes of one machine: length, call number, kind, payload. The payload is raw
 * bytes, so a thousand log entries cost one copy and no encoding.
 */
import type { Writable } from 'node:stream';

export interface Frame {
  /** Number of its call, set by the caller. */
  readonly call: number;
  readonly kind: FrameKind;
  readonly payload: Buffer;
}

/** `text` is JSON, `entries` packed log entries. */
export type FrameKind = 'text' | 'entries';

const KINDS: readonly FrameKind[] = ['text', 'entries'];
const HEAD_BYTES = 9;
/** A longer frame means a broken peer. */
const MAX_BYTES = 512 * 1024 * 1024;

/** Returns false on backpressure. */
export const writeFrame = (stream: Writable, { call, kind, payload }: Frame): boolean => {
  const head = Buffer.allocUnsafe(HEAD_BYTES);
  head.writeUInt32LE(payload.length, 0);
  head.writeUInt32LE(call, 4);
  head.writeUInt8(KINDS.indexOf(kind), 8);
  stream.cork();
  stream.write(head);
  const more = stream.write(payload);
  stream.uncork();
  return more;
};

/** Assembles frames from the received chunks. Throws when the bytes are no frames. */
export class FrameReader {
  #pieces: Buffer[] = [];
  #gathered = 0;

  *read(piece: Buffer): Generator<Frame> {
    this.#pieces.push(piece);
    this.#gathered += piece.length;
    for (;;) {
      const wanted = this.#wanted();
      if (wanted === null || this.#gathered < wanted) return;
      const bytes = this.#take(wanted);
      const kind = KINDS[bytes.readUInt8(8)];
      if (kind === undefined) throw new Error('a frame of an unknown kind');
      yield { call: bytes.readUInt32LE(4), kind, payload: bytes.subarray(HEAD_BYTES) };
    }
  }

  /** Length of the next frame in bytes; null until its header is complete. */
  #wanted(): number | null {
    if (this.#gathered < HEAD_BYTES) return null;
    const length = this.#head().readUInt32LE(0);
    if (length > MAX_BYTES) throw new Error('a frame that is too long');
    return HEAD_BYTES + length;
  }

  #head(): Buffer {
    const [first] = this.#pieces;
    if (first && first.length >= HEAD_BYTES) return first;
    const all = Buffer.concat(this.#pieces);
    this.#pieces = [all];
    return all;
  }

  #take(length: number): Buffer {
    const [first] = this.#pieces;
    const all = this.#pieces.length === 1 && first ? first : Buffer.concat(this.#pieces);
    const rest = all.subarray(length);
    this.#pieces = rest.length > 0 ? [rest] : [];
    this.#gathered = rest.length;
    return all.subarray(0, length);
  }
}
