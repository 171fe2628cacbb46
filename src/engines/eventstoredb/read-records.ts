/** The records of one read of the client, which has no deadline of its own. */
import { type StreamingRead, StreamNotFoundError } from '@eventstore/db-client';
import type { EsdbClient } from './client-internals.js';
import type { EventRecord } from './codec.js';
import { EsdbFailure, failureOf } from './failures.js';

export type Read = StreamingRead<{ readonly event?: EventRecord }>;

/** Null when there is no such stream. Throws EsdbFailure, `no answer` when no record comes for so long. */
export const recordsOf = (
  client: EsdbClient,
  read: Read,
  quietMs: number,
): Promise<readonly EventRecord[] | null> =>
  new Promise((resolve, reject) => {
    const records: EventRecord[] = [];
    const timer = setTimeout(() => {
      reject(EsdbFailure.noAnswer());
      void read.cancel().catch(() => undefined);
    }, quietMs);
    read.on('data', ({ event }) => {
      timer.refresh();
      if (event) records.push(event);
    });
    read.on('error', (error) => {
      clearTimeout(timer);
      if (error instanceof StreamNotFoundError) resolve(null);
      else reject(failureOf(error));
    });
    read.on('end', () => {
      clearTimeout(timer);
      // The client reports no error for a read that it has cancelled itself: the rest may be missing.
      if (client.isClosed) reject(new EsdbFailure('unavailable', 'the connection was closed'));
      else resolve(records);
    });
  });
