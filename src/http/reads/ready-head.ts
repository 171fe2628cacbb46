/**
 * The headers of ready bytes, built once: thousands of replies carry the same bytes and differ only in the
 * request id.
 */

import { CORS_HEADERS, POSITION_HEADER } from '../message/headers.js';
import { safetyHeaders } from '../message/safety-headers.js';
import type { EncodedBytes } from '../replies/ready-reply.js';

const FIXED_HEADERS = CORS_HEADERS.flat();

/** In what the heads of the same bytes differ. */
export interface HeadVariant {
  /** The token of the position that the bytes show. */
  readonly position: string;
  readonly isHttps: boolean;
  /** See src/http/edge/edge-caching.ts. */
  readonly isBypassed: boolean;
}

export class ReadyHead {
  readonly #sent: string[];
  readonly #unchanged: string[];
  readonly #variant: HeadVariant;

  constructor(
    { etag, coding, contentType, headers, body }: EncodedBytes,
    variant: HeadVariant,
    caching: readonly (readonly [string, string])[],
  ) {
    this.#variant = variant;
    const common = [
      ...FIXED_HEADERS,
      ...caching.flat(),
      ...safetyHeaders(variant.isHttps),
      'Content-Type',
      contentType,
      ...headers,
      'ETag',
      etag,
    ];
    common.push(POSITION_HEADER, variant.position);
    if (coding !== 'identity') common.push('Content-Encoding', coding);
    this.#sent = [...common, 'Content-Length', String(body.length), 'X-Request-Id', ''];
    this.#unchanged = [...common, 'X-Request-Id', ''];
  }

  isFor({ position, isHttps, isBypassed }: HeadVariant): boolean {
    const own = this.#variant;
    return own.position === position && own.isHttps === isHttps && own.isBypassed === isBypassed;
  }

  /**
   * Returns names and values in turn, as writeHead takes them. Use it at once: the next call returns the same
   * array.
   */
  of(status: 200 | 304, requestId: string): string[] {
    const head = status === 200 ? this.#sent : this.#unchanged;
    head[head.length - 1] = requestId;
    return head;
  }
}
