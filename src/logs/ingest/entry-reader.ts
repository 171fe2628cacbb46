/** Reads bodies: small ones at once, others in a thread. */
import { Worker } from 'node:worker_threads';
import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { RequestThread } from '../../foundation/basics/request-thread.js';
import { threadUrl } from '../../foundation/basics/threads.js';
import type { PackedEntries } from '../../foundation/log-store/packed-entries.js';
import { type ReadEntries, type ReadRequest, readEntries, type SpentMemory } from './read-entries.js';

/** Below this the way to the thread and back costs more than the reading. */
const SMALL_BYTES = 16_384;

@Injectable()
export class EntryReader implements OnApplicationShutdown {
  readonly #thread = new RequestThread<ReadRequest | SpentMemory, ReadEntries>(
    () => new Worker(threadUrl('entry-reader.worker.js', import.meta.url)),
  );

  /** Throws as readEntries does. The body's bytes may be gone afterwards. */
  async read(request: ReadRequest): Promise<ReadEntries> {
    const { bytes, gzip } = request.body;
    if (bytes.length <= SMALL_BYTES && !gzip) return readEntries(request);
    return this.#thread.request(request, ownMemory(bytes));
  }

  /**
   * Nobody needs these any more. A megabyte with every body would have this thread's collector look through all that it
   * keeps several times a second; the reading thread keeps nothing.
   */
  letGo({ bytes }: PackedEntries): void {
    const spent = ownMemory(bytes);
    if (this.#thread.isRunning && bytes.length > SMALL_BYTES) this.#thread.notify({ spent }, spent);
  }

  onApplicationShutdown(): Promise<void> {
    return this.#thread.close();
  }
}

/** What was put together from pieces has its memory for itself; a single piece may lie amid others. */
const ownMemory = ({ buffer, byteLength }: Uint8Array): ArrayBuffer[] =>
  buffer instanceof ArrayBuffer && buffer.byteLength === byteLength ? [buffer] : [];
