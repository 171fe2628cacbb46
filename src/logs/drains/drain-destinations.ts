/** Hands batches to their receivers: signed posts, or Parquet files in the operator's bucket. */
import { buffer } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { Injectable } from '@nestjs/common';
import { messageOf } from '../../foundation/basics/error-message.js';
import type { JsonRecord } from '../../foundation/log-store/sources.js';
import { ObjectRefusedError, OutgoingObjects } from '../../http/outgoing/outgoing-objects.js';
import { OutgoingPosts, RefusedUrlError } from '../../http/outgoing/outgoing-posts.js';
import { webhookHeaders } from '../../http/outgoing/webhook-headers.js';
import { FileEncoder } from '../downloads/file-encoder.js';
import type { ResultColumn } from '../sql/compile.js';
import { bodyOf } from './batch.js';
import type { Destination, HttpDestination } from './drain.js';

export interface Batch {
  /** The same for each attempt. */
  readonly id: string;
  /** Of its object. */
  readonly key: string;
  readonly entries: readonly JsonRecord[];
  readonly columns: readonly ResultColumn[];
}

export interface FailedBatch {
  readonly problem: string;
  /** No further attempt can succeed. */
  readonly final: boolean;
  /** Whether the receiver may take a smaller one. */
  readonly tooLarge: boolean;
}

const GONE = 410;
const TOO_LARGE = 413;
const CONTENT_TYPES = { json: 'application/json', ndjson: 'application/x-ndjson' } as const;

const zip = promisify(gzip);

@Injectable()
export class DrainDestinations {
  constructor(
    private readonly posts: OutgoingPosts,
    private readonly objects: OutgoingObjects,
    private readonly files: FileEncoder,
  ) {}

  /** Why no batch may go there; null: it may, as far as can be told. */
  refusal(
    destination: Pick<HttpDestination, 'kind' | 'url'> | Exclude<Destination, HttpDestination>,
  ): string | null {
    if (destination.kind === 'http') return this.posts.refusal(destination.url);
    return this.objects.isSet ? null : 'needs PODIUM_S3_URL, which the server does not have';
  }

  /** Returns null when the receiver has taken the batch. */
  async send(destination: Destination, batch: Batch, signal: AbortSignal): Promise<FailedBatch | null> {
    try {
      if (destination.kind === 's3') {
        await this.objects.put(batch.key, await this.#parquetOf(batch), signal);
        return null;
      }
      const status = await this.#post(destination, batch, signal);
      if (status >= 200 && status < 300) return null;
      return {
        problem: `the receiver answered ${status}`,
        final: status === GONE,
        tooLarge: status === TOO_LARGE,
      };
    } catch (error) {
      const tooLarge = error instanceof ObjectRefusedError && error.status === TOO_LARGE;
      return { problem: messageOf(error), final: error instanceof RefusedUrlError, tooLarge };
    }
  }

  async #post(
    { url, format, secret }: HttpDestination,
    { id, entries }: Batch,
    signal: AbortSignal,
  ): Promise<number> {
    const body = bodyOf(entries, format);
    const headers = {
      'content-type': CONTENT_TYPES[format],
      'content-encoding': 'gzip',
      // Of the body before gzip, which is what the frameworks of receivers hand on.
      ...webhookHeaders({ secret, messageId: id, body }),
    };
    return this.posts.send({ url, headers, body: await zip(body), signal });
  }

  #parquetOf({ entries, columns }: Batch): Promise<Buffer> {
    return buffer(this.files.ofRows([entries], columns, 'parquet'));
  }
}
