/**
 * The bytes of one reply in their codings: identity at once, gzip and Brotli with their first use, each made once.
 * An ETag is strong and names exact bytes, so each coding has its own. A cache holds the replies that are ready; the
 * HTTP layer reads it before any routing.
 */
import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { Injectable } from '@nestjs/common';
import { TaggedCache } from './tagged-cache.js';

export type Coding = 'identity' | 'gzip' | 'br';

/** The body of a response as it is sent. */
export interface EncodedBytes {
  /** In quotes. */
  readonly etag: string;
  readonly body: Buffer;
  /** The coding of the bytes; `identity` where compression does not pay. */
  readonly coding: Coding;
  readonly contentType: string;
  /** Further headers of the reply, names and values in turn, as writeHead takes them. */
  readonly headers: readonly string[];
  /** Of what it shows. Null: no cache keeps it. */
  readonly tags: readonly string[] | null;
}

export const JSON_TYPE = 'application/json; charset=utf-8';

/** Below this many bytes compression costs more than it saves. */
const WORTH_COMPRESSING = 1_024;
const BROTLI_QUALITY = 5;

const toGzip = promisify(gzip);
const toBrotli = promisify(brotliCompress);

export class ReadyReply implements EncodedBytes {
  readonly etag: string;
  readonly coding = 'identity';
  tags: readonly string[] | null = null;
  readonly #coded = new Map<Coding, EncodedBytes>();
  readonly #making = new Map<Coding, Promise<EncodedBytes>>();

  constructor(
    readonly body: Buffer,
    readonly headers: readonly string[] = [],
    readonly contentType = JSON_TYPE,
    /** The last ranked value that the reply shows. Infinite: it shows what no ranking orders, or all of a ranking. */
    readonly reach = Number.POSITIVE_INFINITY,
  ) {
    this.etag = `"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"`;
    this.#coded.set('identity', this);
    if (body.length >= WORTH_COMPRESSING) return;
    this.#coded.set('gzip', this);
    this.#coded.set('br', this);
  }

  /** Estimated memory with every coding made: this JSON compresses to about a sixth. */
  get bytes(): number {
    return Math.ceil(this.body.length * 1.35) + 500;
  }

  /** Undefined when this coding was not made yet. */
  ready(coding: Coding): EncodedBytes | undefined {
    return this.#coded.get(coding);
  }

  async encoded(coding: Coding): Promise<EncodedBytes> {
    const ready = this.#coded.get(coding);
    if (ready) return ready;
    let making = this.#making.get(coding);
    if (!making) {
      making = this.#make(coding).finally(() => this.#making.delete(coding));
      this.#making.set(coding, making);
    }
    return making;
  }

  async #make(coding: Coding): Promise<EncodedBytes> {
    const params = { [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY };
    const body = coding === 'br' ? await toBrotli(this.body, { params }) : await toGzip(this.body);
    const { contentType, headers, tags } = this;
    const encoded = {
      etag: `${this.etag.slice(0, -1)}-${coding}"`,
      body,
      coding,
      contentType,
      headers,
      tags,
    };
    this.#coded.set(coding, encoded);
    return encoded;
  }
}

/** Bytes that ready replies may take together. */
const REPLY_BUDGET = 160 * 1024 * 1024;

/** Ready replies by key, each until something that it shows changes. Only the queries make replies that are missing. */
@Injectable()
export class ByteCache extends TaggedCache<ReadyReply> {
  constructor() {
    super(
      REPLY_BUDGET,
      ({ bytes }) => bytes,
      ({ reach }) => reach,
    );
  }

  override set(key: string, tags: readonly string[], value: ReadyReply): void {
    value.tags = tags;
    super.set(key, tags, value);
  }

  /** Undefined when no current reply is ready in this coding. */
  ready(key: string, coding: Coding): EncodedBytes | undefined {
    return this.get(key)?.ready(coding);
  }
}
