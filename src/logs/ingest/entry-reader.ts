/** Reads bodies into entries: small ones at once, large ones in a worker thread. */
import { Worker } from 'node:worker_threads';
import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { freeMemory, ownMemory } from '../../foundation/basics/own-memory.js';
import { RequestThread } from '../../foundation/basics/request-thread.js';
import { threadUrl } from '../../foundation/basics/threads.js';
import type { PackedEntries } from '../../foundation/log-store/packed-entries.js';
import { LearnedFields } from './learned-fields.js';
import { type LearnedEntries, type ReadBody, type ReadRequest, readEntries } from './read-entries.js';

/** Below this size, passing the body to the thread costs more than reading it. */
const SMALL_BYTES = 16_384;
/** The entries of a body that is read in full live until they are packed. With Node's default of 48 MB an export in JSON then costs a third more. */
const LIMITS = { maxYoungGenerationSizeMb: 96 };

@Injectable()
export class EntryReader implements OnApplicationShutdown {
  readonly #learned = new LearnedFields();
  readonly #thread = new RequestThread<ReadRequest | LearnedEntries, ReadBody | null>(
    () => new Worker(threadUrl('entry-reader.worker.js', import.meta.url), { resourceLimits: LIMITS }),
  );

  start(): Promise<void> {
    return this.#thread.start();
  }

  /** Returns and throws what readEntries does. May transfer the body's bytes to the thread, so the caller cannot use them afterwards. */
  async read(request: ReadRequest): Promise<ReadBody | null> {
    const { bytes, coding } = request.body;
    if (bytes.length <= SMALL_BYTES && coding === 'identity') return readEntries(request, this.#learned);
    return this.#thread.request(request, ownMemory(bytes));
  }

  /** Frees entries that were appended, and learns their fields, here and in the thread. */
  release({ source, bytes, newFields }: PackedEntries): void {
    freeMemory(ownMemory(bytes));
    this.#learned.learn(source, newFields);
    if (this.#thread.isRunning && newFields.length > 0) this.#thread.notify({ source, newFields });
  }

  onApplicationShutdown(): Promise<void> {
    return this.#thread.close();
  }
}
