/**
 * Rows as the bytes of a file, without holding up the requests of others: 100,000 rows of Parquet are more than a second's work. So
 * a worker thread writes Parquet, and whatever is made of a JSON reply. Slices of rows pass to it one at a time, each after the
 * answer to the one before: a slow client holds up its own file alone, and several files take turns.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { RequestThread } from '../../foundation/basics/request-thread.js';
import { threadUrl } from '../../foundation/basics/threads.js';
import type { JsonRecord } from '../../foundation/log-store/sources.js';
import type { ResultColumn } from '../sql/compile.js';
import { columnSlices, passedColumns } from './column-slices.js';
import type { EncoderRequest } from './encoded-files.js';
import { type RowFormat, rowEncoder } from './row-format.js';
import { encodedParts } from './row-slices.js';

/** What the main thread writes between two turns of the event loop: a few milliseconds. Of texts, bytes. */
const MAX_SLICE_CHARACTERS = 524_288;

type Pages = Iterable<readonly JsonRecord[]> | AsyncIterable<readonly JsonRecord[]>;

@Injectable()
export class FileEncoder implements OnApplicationShutdown {
  readonly #thread = new RequestThread<EncoderRequest, readonly Uint8Array[]>(
    () => new Worker(threadUrl('file-encoder.worker.js', import.meta.url)),
  );
  #lastFile = 0;

  /**
   * `pages`: rows in their order, read when the file needs them. Throws what `pages` throws, and Error when a value does not fit
   * its column of Parquet, or the thread has ended.
   */
  async *ofRows(
    pages: Pages,
    columns: readonly ResultColumn[],
    format: RowFormat,
  ): AsyncGenerator<Uint8Array> {
    if (format === 'parquet') {
      yield* this.#parquet(pages, columns);
      return;
    }
    const encoder = await rowEncoder(format, columns);
    for await (const rows of pages)
      for (const part of encodedParts(encoder, rows, MAX_SLICE_CHARACTERS)) {
        yield part;
        await nextTurn();
      }
    yield encoder.end();
  }

  /**
   * The parts of a whole file. `reply`: `{"result":[…]}`. Columns of Parquet with a value that their type cannot hold are text.
   * Throws Error when the thread has ended.
   */
  ofReply(
    reply: Uint8Array,
    columns: readonly ResultColumn[],
    format: RowFormat,
  ): Promise<readonly Uint8Array[]> {
    // Others may be sent the same reply.
    const copy = new Uint8Array(reply);
    return this.#thread.request({ kind: 'reply', reply: copy, columns, format }, [copy.buffer]);
  }

  onApplicationShutdown(): Promise<void> {
    return this.#thread.close();
  }

  async *#parquet(pages: Pages, columns: readonly ResultColumn[]): AsyncGenerator<Uint8Array> {
    this.#lastFile += 1;
    const file = this.#lastFile;
    try {
      yield* await this.#thread.request({ kind: 'begin', file, columns: passedColumns(columns) });
      for await (const rows of pages)
        for (const slice of columnSlices(columns, rows, MAX_SLICE_CHARACTERS))
          yield* await this.#thread.request({ kind: 'rows', file, slice });
      yield* await this.#thread.request({ kind: 'end', file });
    } finally {
      if (this.#thread.isRunning) this.#thread.notify({ kind: 'drop', file });
    }
  }
}
