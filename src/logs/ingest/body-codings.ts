/** Unpacks compressed bodies. Unpacking stops at a limit, so a small body cannot fill the memory. */
import { brotliDecompressSync, gunzipSync, inflateSync } from 'node:zlib';
import { Decompress } from 'fzstd';
import { snappyUncompress } from 'hysnappy';

export type Coding = 'identity' | 'gzip' | 'deflate' | 'br' | 'zstd' | 'snappy';

/** Values of Content-Encoding, in lower case. Snappy belongs to a protocol, so it is none of them. */
export const CODINGS: Readonly<Record<string, Coding>> = {
  identity: 'identity',
  gzip: 'gzip',
  'x-gzip': 'gzip',
  deflate: 'deflate',
  br: 'br',
  zstd: 'zstd',
};

/** Limit of a body after unpacking. */
export const MAX_UNPACKED_BYTES = 64 * 1024 * 1024;

export class BodyTooLargeError extends Error {
  constructor() {
    super('the body is too large when it is unpacked');
    this.name = 'BodyTooLargeError';
  }
}

/** Throws BodyTooLargeError, or another error for bytes that are not of the coding. */
export const unpackedBytes = (bytes: Uint8Array, coding: Coding): Uint8Array => {
  switch (coding) {
    case 'identity':
      return bytes;
    case 'gzip':
      return limited(gunzipSync, bytes);
    case 'deflate':
      return limited(inflateSync, bytes);
    case 'br':
      return limited(brotliDecompressSync, bytes);
    case 'zstd':
      return unzstd(bytes);
    case 'snappy':
      return unsnappy(bytes);
    default:
      return coding satisfies never;
  }
};

type Unpack = (bytes: Uint8Array, options: { readonly maxOutputLength: number }) => Uint8Array;

const limited = (unpack: Unpack, bytes: Uint8Array): Uint8Array => {
  try {
    return unpack(bytes, { maxOutputLength: MAX_UNPACKED_BYTES });
  } catch (error) {
    throw isTooLong(error) ? new BodyTooLargeError() : error;
  }
};

const isTooLong = (error: unknown): boolean =>
  typeof error === 'object' && error !== null && 'code' in error && error.code === 'ERR_BUFFER_TOO_LARGE';

/** Node has no zstd before version 22. */
const unzstd = (bytes: Uint8Array): Uint8Array => {
  const chunks: Uint8Array[] = [];
  let length = 0;
  const stream = new Decompress((chunk) => {
    length += chunk.length;
    if (length > MAX_UNPACKED_BYTES) throw new BodyTooLargeError();
    chunks.push(chunk);
  });
  stream.push(bytes, true);
  return Buffer.concat(chunks, length);
};

/** Its memory is new at each call, so a broken body cannot show bytes of another one. */
const unsnappy = (bytes: Uint8Array): Uint8Array => {
  const length = snappyLength(bytes);
  if (length > MAX_UNPACKED_BYTES) throw new BodyTooLargeError();
  return snappyUncompress(bytes, length);
};

/** The length after unpacking comes first, in 7 bits a byte, lowest first. */
const snappyLength = (bytes: Uint8Array): number => {
  let length = 0;
  for (const [index, byte] of bytes.subarray(0, MAX_LENGTH_BYTES).entries()) {
    length += (byte & 0x7f) * 2 ** (7 * index);
    if (byte < 0x80) return length;
  }
  throw new Error('the length is missing');
};

const MAX_LENGTH_BYTES = 5;
