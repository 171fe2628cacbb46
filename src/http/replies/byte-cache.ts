/**
 * Caches ready replies by key until something that they show changes. The HTTP layer reads it synchronously, before
 * any routing. Only the queries make replies that are missing.
 */
import { Injectable } from '@nestjs/common';
import type { Coding, EncodedBytes, ReadyReply } from './ready-reply.js';
import { TaggedCache } from './tagged-cache.js';

/** Bytes that ready replies may take together. */
const REPLY_BUDGET = 160 * 1024 * 1024;

@Injectable()
export class ByteCache extends TaggedCache<ReadyReply> {
  constructor() {
    super(REPLY_BUDGET);
  }

  /** Undefined when no current reply is ready in this coding. */
  ready(key: string, coding: Coding): EncodedBytes | undefined {
    return this.get(key)?.ready(coding);
  }

  /** Returns the cached reply, or makes it. Concurrent callers share one `make`. */
  reply(key: string, tags: readonly string[], make: () => Promise<ReadyReply>): Promise<ReadyReply> {
    return this.getOrMake(key, tags, make);
  }
}
