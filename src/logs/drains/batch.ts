/** A batch of entries: which ones belong together, its stable id, and its body. Pure. */
import type { JsonRecord } from '../../foundation/log-store/sources.js';
import type { TailEntry } from '../tail/tail-member.js';
import type { BodyFormat, Destination, Drain } from './drain.js';
import type { PendingBatch } from './progress.js';

export interface Bounds {
  readonly maxEntries: number;
  /** Of the entries as JSON. */
  readonly maxBytes: number;
  /** Whether all entries of a batch arrived in the same hour, UTC. */
  readonly ofOneHour: boolean;
}

const MEGABYTE = 1_048_576;

export const BOUNDS: Readonly<Record<Destination['kind'], Bounds>> = {
  http: { maxEntries: 1_000, maxBytes: MEGABYTE, ofOneHour: false },
  s3: { maxEntries: 50_000, maxBytes: 32 * MEGABYTE, ofOneHour: true },
};

const HOUR_MICROS = 3_600_000_000;
const hourOf = (position: number): number => Math.floor(position / HOUR_MICROS);

/** Collects the entries of one batch in their order. */
export class BatchEntries {
  readonly entries: JsonRecord[] = [];
  readonly positions: number[] = [];
  /** Positions; null: it has no entry yet. */
  first: number | null = null;
  last: number | null = null;
  #bytes = 0;

  constructor(private readonly bounds: Bounds) {}

  /** Returns false, and leaves the entry out, when the batch is full without it. An entry that is too large is a batch of its own. */
  add({ position, entry }: TailEntry): boolean {
    const bytes = JSON.stringify(entry).length;
    const { maxEntries, maxBytes, ofOneHour } = this.bounds;
    if (this.first !== null) {
      const isFull = this.entries.length >= maxEntries || this.#bytes + bytes > maxBytes;
      if (isFull || (ofOneHour && hourOf(position) !== hourOf(this.first))) return false;
    }
    this.first ??= position;
    this.last = position;
    this.#bytes += bytes;
    this.entries.push(entry);
    this.positions.push(position);
    return true;
  }
}

/** The same for each attempt, and for the same entries. */
export const batchId = ({ drainId }: Pick<Drain, 'drainId'>, { after, upTo }: PendingBatch): string =>
  `drain_${drainId}_${after}_${upTo}`;

export const bodyOf = (entries: readonly JsonRecord[], format: BodyFormat): string => {
  switch (format) {
    case 'json':
      return JSON.stringify(entries);
    case 'ndjson':
      return entries.map((entry) => `${JSON.stringify(entry)}\n`).join('');
    default:
      return format satisfies never;
  }
};

/** `position`: of the first entry, which is about the time of its receipt. The key of a batch stays the same. */
export const objectKey = (
  { drainId, source }: Pick<Drain, 'drainId' | 'source'>,
  { after, upTo }: PendingBatch,
  position: number,
): string => {
  const [date, time = ''] = new Date(Math.floor(position / 1_000)).toISOString().split('T');
  return `drain=${drainId}/source=${source}/date=${date}/hour=${time.slice(0, 2)}/${after}-${upTo}.parquet`;
};
