/**
 * Caches ready replies by key until something that they show changes. The HTTP layer reads it synchronously, before
 * any routing. Only the queries make replies that are missing.
 */
import { Injectable } from '@nestjs/common';
import type { Position } from '../event-store/event-store.js';
import { type Coding, type EncodedBytes, ReadyReply } from './ready-reply.js';
import { TaggedCache } from './tagged-cache.js';

/** Bytes that ready replies may take together. */
const REPLY_BUDGET = 160 * 1024 * 1024;

@Injectable()
export class ByteCache {
  readonly #replies = new TaggedCache<ReadyReply>(REPLY_BUDGET);

  /** Undefined when no current reply is ready in this coding. */
  ready(key: string, coding: Coding): EncodedBytes | undefined {
    return this.#replies.get(key)?.ready(coding);
  }

  /** Every cached reply is valid as of this position. */
  get position(): Position {
    return this.#replies.position;
  }

  get bytes(): number {
    return this.#replies.bytes;
  }

  get entries(): number {
    return this.#replies.entries;
  }

  /** Returns the cached reply, or makes it. Concurrent callers share one `make`. */
  reply(key: string, tags: readonly string[], make: () => Promise<ReadyReply>): Promise<ReadyReply> {
    return this.#replies.getOrMake(key, tags, make);
  }

  advance(position: Position, changed: ReadonlySet<string> | null): void {
    this.#replies.advance(position, changed);
  }
}
