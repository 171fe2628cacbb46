/** The scrub of an EventStoreDB: all records of the installation's streams, page by page. Events from before checksums stay as they are. */
import { FORWARDS } from '@eventstore/db-client';
import type { Position } from '../../foundation/event-store/event-store.js';
import { type Damage, type ScrubStep, StoreDamagedError } from '../../foundation/integrity/damage.js';
import { decode, type EventRecord, recordPosition } from './codec.js';
import { passes } from './filters.js';
import type { EsdbReads } from './reads.js';

const PAGE = 250;

/** Throws EsdbFailure. */
export const scrubEvents = async function* (
  reads: EsdbReads,
  streamPrefix: string,
): AsyncGenerator<ScrubStep, void, undefined> {
  const head = await reads.head();
  for await (const page of reads.pages({ after: 0, direction: FORWARDS, size: () => PAGE })) {
    const last = page.at(-1);
    const progress = last ? Math.min(1, recordPosition(last) / head) : 1;
    yield { ...checked(page.filter((record) => passes(record, { streamPrefix }))), progress };
  }
};

const checked = (records: readonly EventRecord[]): ScrubStep => {
  const damages: Damage[] = [];
  const unverified: Position[] = [];
  for (const record of records) {
    try {
      const decoded = decode(record);
      if (decoded && !decoded.isVerified) unverified.push(decoded.event.position);
    } catch (error) {
      if (!(error instanceof StoreDamagedError)) throw error;
      damages.push(error.damage);
    }
  }
  const last = unverified.at(-1);
  return {
    checked: records.length,
    unverified: unverified.length,
    ...(last !== undefined && { unverifiedBefore: last + 1 }),
    damages,
  };
};
