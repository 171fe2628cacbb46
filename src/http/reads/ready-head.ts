/**
 * The headers of ready bytes, built once: thousands of replies carry the same bytes and differ only in the
 * request id.
 */

import { CORS_HEADERS, POSITION_HEADER, READ_HEADERS } from '../message/headers.js';
import { safetyHeaders } from '../message/safety-headers.js';
import type { EncodedBytes } from '../replies/ready-reply.js';

const FIXED_HEADERS = [...CORS_HEADERS, ...READ_HEADERS].flat();

export class ReadyHead {
  readonly #sent: string[];
  readonly #unchanged: string[];

  /** `position`: the token of the position that the bytes show. */
  constructor(
    { etag, coding, contentType, headers, body }: EncodedBytes,
    readonly position: string,
    readonly isHttps: boolean,
  ) {
    const common = [
      ...FIXED_HEADERS,
      ...safetyHeaders(isHttps),
      'Content-Type',
      contentType,
      ...headers,
      'ETag',
      etag,
    ];
    common.push(POSITION_HEADER, position);
    if (coding !== 'identity') common.push('Content-Encoding', coding);
    this.#sent = [...common, 'Content-Length', String(body.length), 'X-Request-Id', ''];
    this.#unchanged = [...common, 'X-Request-Id', ''];
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
