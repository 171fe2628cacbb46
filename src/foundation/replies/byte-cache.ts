/**
 * Ready replies by key, for as long as nothing that they show has changed. The HTTP layer asks synchronously, before
 * any routing; what is not here is made by the queries, and only by them.
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

  /** Undefined when nothing up to date is ready in this coding. */
  ready(key: string, coding: Coding): EncodedBytes | undefined {
    return this.#replies.get(key)?.ready(coding);
  }

  /** Everything that is ready is valid as of here. */
  get position(): Position {
    return this.#replies.position;
  }

  get bytes(): number {
    return this.#replies.bytes;
  }

  get entries(): number {
    return this.#replies.entries;
  }

  /** The reply under the key; made when it is not ready, once for all who ask meanwhile. */
  reply(key: string, tags: readonly string[], make: () => Promise<ReadyReply>): Promise<ReadyReply> {
    return this.#replies.getOrMake(key, tags, make);
  }

  advance(position: Position, changed: ReadonlySet<string> | null): void {
    this.#replies.advance(position, changed);
  }
}
