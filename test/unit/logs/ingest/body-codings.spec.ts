/** Compressed bodies: each coding is unpacked, refused when it is another, and stopped where it has no end. */
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { describe, expect, it } from '@jest/globals';
import { snappyCompress } from 'hysnappy';
import {
  BodyTooLargeError,
  type Coding,
  MAX_UNPACKED_BYTES,
  unpackedBytes,
} from '../../../../src/logs/ingest/body-codings.js';

const BLOCK_BYTES = 128 * 1024;

/** A frame of zstd whose blocks repeat a byte: four bytes each. Node 20 does not write zstd. */
const zstdOf = (byte: number, blocks: number): Buffer => {
  const head = Buffer.from([0x28, 0xb5, 0x2f, 0xfd, 0x00, 0x50]);
  const body = Buffer.alloc(4 * blocks, byte);
  for (let index = 0; index < blocks; index++) {
    const isLast = index === blocks - 1 ? 1 : 0;
    body.writeUIntLE((BLOCK_BYTES << 3) | (1 << 1) | isLast, 4 * index, 3);
  }
  return Buffer.concat([head, body]);
};

const zeros = (bytes: number): Buffer => Buffer.alloc(bytes);
const CODINGS: readonly (readonly [Coding, (blocks: number) => Buffer])[] = [
  ['gzip', (blocks) => gzipSync(zeros(blocks * BLOCK_BYTES))],
  ['deflate', (blocks) => deflateSync(zeros(blocks * BLOCK_BYTES))],
  ['br', (blocks) => brotliCompressSync(zeros(blocks * BLOCK_BYTES), { params: { 1: 1 } })],
  ['zstd', (blocks) => zstdOf(0, blocks)],
  ['snappy', (blocks) => Buffer.from(snappyCompress(zeros(blocks * BLOCK_BYTES)))],
];
const MOST = MAX_UNPACKED_BYTES / BLOCK_BYTES;

describe.each(CODINGS)('%s', (coding, packed) => {
  it('is unpacked', () => {
    expect(Buffer.compare(unpackedBytes(packed(2), coding), zeros(2 * BLOCK_BYTES))).toBe(0);
  });

  it('is unpacked up to the limit and no further', () => {
    expect(unpackedBytes(packed(MOST), coding)).toHaveLength(MAX_UNPACKED_BYTES);
    expect(() => unpackedBytes(packed(MOST + 1), coding)).toThrow(BodyTooLargeError);
  });

  it('is refused when its end is missing or it is something else', () => {
    expect(() => unpackedBytes(packed(2).subarray(0, -1), coding)).toThrow();
    expect(() => unpackedBytes(Buffer.from('{"event_message":"a"}'), coding)).toThrow();
  });
});

describe('a length in Snappy that the body does not have', () => {
  it.each([
    ['that does not end', [0xff, 0xff, 0xff, 0xff, 0xff, 0x0f]],
    ['of nothing', []],
    ['beyond the text', [0x05, 0x00, 0x61]],
    ['short of the text', [0x01, 0x10, 0x61, 0x61, 0x61, 0x61, 0x61]],
    ['with a copy from before the start', [0x08, 0x11, 0xff]],
  ])('%s is refused', (_, bytes) => {
    expect(() => unpackedBytes(Buffer.from(bytes), 'snappy')).toThrow();
  });

  it('shows no bytes of the body before it', () => {
    unpackedBytes(snappyCompress(Buffer.alloc(100_000, 'secret')), 'snappy');
    const shown = attempted(() => unpackedBytes(Buffer.from([0xff, 0x01, 0xfe, 0xff, 0xff]), 'snappy'));
    expect(Buffer.from(shown).toString()).not.toContain('secret');
  });
});

const attempted = (unpack: () => Uint8Array): Uint8Array => {
  try {
    return unpack();
  } catch {
    return Buffer.alloc(0);
  }
};
