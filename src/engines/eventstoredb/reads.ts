/**
 * Reads that end by themselves: a stream, a page of $all, its last record. The client has no deadline for them, so a read
 * fails when no record comes for too long. Each is read to its end: one that is left early keeps its HTTP/2 stream, and
 * after a hundred of those the server answers no more. A longer read is made in pages.
 *
 * Only the leader of a cluster answers them. A follower may be behind: a tail without the last events, a key that is not
 * known yet, an end before what was appended.
 *
 * The client's `readAll` takes no filter, so the adapter filters what it returns.
 */
import { BACKWARDS, type Direction, END, FORWARDS, START } from '@eventstore/db-client';
import type {
  EventFilter,
  Position,
  ReadAllOptions,
  ReadStreamOptions,
  RecordedEvent,
} from '../../foundation/event-store/event-store.js';
import type { EsdbClient } from './client-internals.js';
import { decodeEvent, type EventRecord, recordPosition } from './codec.js';
import type { Connection } from './connection.js';
import { EsdbFailure } from './failures.js';
import { passes } from './filters.js';
import { type Read, recordsOf } from './read-records.js';

const PAGE = 500;
/** A short read asks for this many records for each event wanted: others lie between. */
const FILTERED = 8;

interface PagesOptions {
  /** Exclusive. Undefined: the beginning (forwards) or the end (backwards). */
  readonly after: Position | undefined;
  readonly direction: Direction;
  readonly size: () => number;
}

/** A part of $all. */
export interface AllRange {
  /** Inclusive. Null: the beginning (forwards) or the end (backwards). */
  readonly from: Position | null;
  readonly direction: Direction;
  readonly count: number;
}

export class EsdbReads {
  readonly #connection: Connection;
  #highestPosition: Position = 0;

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  /** The highest position that this connection has seen. */
  get highestPosition(): Position {
    return this.#highestPosition;
  }

  observe(position: Position): void {
    if (position > this.#highestPosition) this.#highestPosition = position;
  }

  /** Null when there is no such stream, or when it was deleted and may be begun again. */
  async stream(stream: string, options: ReadStreamOptions = {}): Promise<readonly RecordedEvent[] | null> {
    const { from, direction = FORWARDS, limit = Number.MAX_SAFE_INTEGER } = options;
    const beginning = direction === FORWARDS ? START : END;
    const fromRevision = from === undefined ? beginning : BigInt(from);
    const records = await this.#read((client) =>
      client.readStream(stream, { fromRevision, direction, maxCount: limit, requiresLeader: true }),
    );
    return records && this.#decoded(records, stream);
  }

  async *all({
    after,
    filter = {},
    direction = FORWARDS,
    limit = Number.POSITIVE_INFINITY,
  }: ReadAllOptions): AsyncGenerator<RecordedEvent, void, undefined> {
    // Nothing is before the start.
    if (after === 0 && direction === BACKWARDS) return;
    // From beyond its end the server would answer nothing, or that it does not know the position.
    const isBeyondEnd = after !== undefined && after > 0 && after > (await this.head());
    if (isBeyondEnd && direction === FORWARDS) return;
    let left = limit;
    if (left <= 0) return;
    const size = (): number => Math.min(PAGE, left * FILTERED);
    for await (const page of this.pages({ after: isBeyondEnd ? undefined : after, direction, size })) {
      for (const event of this.#decodedOf(page, filter)) {
        yield event;
        left -= 1;
        if (left === 0) return;
      }
    }
  }

  /** Records of every kind, the server's own too, page by page. `size`: of the next page, at most. */
  async *pages({
    after,
    direction,
    size,
  }: PagesOptions): AsyncGenerator<readonly EventRecord[], void, undefined> {
    for (let edge = after; ; ) {
      const count = size();
      // One more, as the server begins with the record at the edge itself.
      const page = await this.page({ from: edge || null, direction, count: count + 1 });
      yield page.filter((record) => edge === undefined || isBeyond(recordPosition(record), edge, direction));
      const last = page.at(-1);
      if (!last || page.length <= count) return;
      edge = recordPosition(last);
    }
  }

  /** Position of the last record of any kind. */
  async head(): Promise<Position> {
    const [last] = await this.page({ from: null, direction: BACKWARDS, count: 1 });
    const position = last ? recordPosition(last) : 0;
    this.observe(position);
    return position;
  }

  /** Records of every kind, the server's own too. */
  async page({ from, direction, count }: AllRange): Promise<readonly EventRecord[]> {
    const beginning = direction === FORWARDS ? START : END;
    const fromPosition = from === null ? beginning : { commit: BigInt(from), prepare: BigInt(from) };
    const records = await this.#read((client) =>
      client.readAll({ fromPosition, direction, maxCount: count, requiresLeader: true }),
    );
    return records ?? [];
  }

  #read(open: (client: EsdbClient) => Read): Promise<readonly EventRecord[] | null> {
    const { timeoutMs } = this.#connection;
    return this.#connection.call((client) => recordsOf(client, open(client), timeoutMs));
  }

  #decoded(records: readonly EventRecord[], stream: string): RecordedEvent[] {
    return records.map((record) => {
      const event = decodeEvent(record);
      if (!event) {
        throw new EsdbFailure('refused', `${stream} holds an event that is not one of Podium`);
      }
      this.observe(event.position);
      return event;
    });
  }

  /** One by one, so that those before a damaged one are delivered. */
  *#decodedOf(
    records: readonly EventRecord[],
    filter: EventFilter,
  ): Generator<RecordedEvent, void, undefined> {
    for (const record of records) {
      const event = passes(record, filter) ? decodeEvent(record) : null;
      if (!event) continue;
      this.observe(event.position);
      yield event;
    }
  }
}

const isBeyond = (position: Position, edge: Position, direction: Direction): boolean =>
  direction === FORWARDS ? position > edge : position < edge;
