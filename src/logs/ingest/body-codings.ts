/** Unpacks compressed bodies. Unpacking stops at a limit, so a small body cannot fill the memory. */
import { brotliDecompressSync, gunzipSync, inflateSync } from 'node:zlib';
import { Decompress } from 'fzstd';

export type Coding = 'identity' | 'gzip' | 'deflate' | 'br' | 'zstd';

/** Values of Content-Encoding, in lower case. */
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
    super(`the body has more than ${MAX_UNPACKED_BYTES} bytes when it is unpacked`);
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
