/**
 * Reads that come to an end by themselves: a stream, a page of $all, its last record. Each fails when nothing comes for
 * too long, as the client knows no deadline for them, and each is read to its end before anything is done with it: a
 * read that is left early would keep its HTTP/2 stream, and after a hundred of those nothing is answered any more.
 * Longer reads are pages one after the other.
 */
import type {
  EventFilter,
  Position,
  ReadAllOptions,
  ReadStreamOptions,
  RecordedEvent,
} from '../../foundation/event-store/event-store.js';
import { decodeEvent, type EventRecord, positionOf } from './codec.js';
import type { Connection } from './connection.js';
import type { ReadCall } from './esdb-client.js';
import { EsdbFailure, failureOf } from './failures.js';
import { passes } from './filters.js';
import type { ReadRequest } from './protocol.js';
import { type ReadAllRange, readAllRequest, readStreamRequest } from './requests.js';

const PAGE = 500;
/** The server may have to look through a long log for the few events of a page. */
const SCAN_TIMEOUTS = 12;

export class EsdbReads {
  readonly #connection: Connection;
  /** The furthest position that anything read so far has shown. */
  #furthest: Position = 0;

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  get furthest(): Position {
    return this.#furthest;
  }

  saw(position: Position): void {
    if (position > this.#furthest) this.#furthest = position;
  }

  /** Null when there is no such stream, or when it was deleted and may be begun again. */
  async stream(stream: string, options: ReadStreamOptions): Promise<readonly RecordedEvent[] | null> {
    const records = await this.#read(readStreamRequest(stream, options), this.#connection.timeoutMs);
    return records && this.#decoded(records, stream);
  }

  async *all({
    after,
    filter = {},
    direction = 'forwards',
    limit = Number.POSITIVE_INFINITY,
  }: ReadAllOptions) {
    // From beyond its end the server would answer nothing, or that it does not know.
    const isBeyondEnd = after !== undefined && after > 0 && after > (await this.head());
    if (isBeyondEnd && direction === 'forwards') return;
    let edge = isBeyondEnd ? undefined : after;
    let left = limit;
    while (left > 0) {
      // One more than wanted: the server begins with the event at the edge itself.
      const count = Math.min(left, PAGE) + 1;
      const page = await this.page({ from: edge || null, direction, count, filter });
      for (const event of this.#decodedOf(page, filter)) {
        const isBeyond =
          edge === undefined || (direction === 'forwards' ? event.position > edge : event.position < edge);
        if (!isBeyond || left === 0) continue;
        yield event;
        left -= 1;
      }
      const last = page.at(-1);
      if (!last || page.length < count) return;
      edge = positionOf(last.getCommitPosition());
    }
  }

  /** Position of the last record of any kind. */
  async head(): Promise<Position> {
    const [last] = await this.page({ from: null, direction: 'backwards', count: 1, filter: null });
    const position = last ? positionOf(last.getCommitPosition()) : 0;
    this.saw(position);
    return position;
  }

  async page(range: ReadAllRange): Promise<readonly EventRecord[]> {
    const { timeoutMs } = this.#connection;
    const records = await this.#read(
      readAllRequest(range),
      range.filter ? timeoutMs * SCAN_TIMEOUTS : timeoutMs,
    );
    return records ?? [];
  }

  #read(request: ReadRequest, quietMs: number): Promise<readonly EventRecord[] | null> {
    return this.#connection.call(async (client) => recordsOf(await client.read(request), quietMs));
  }

  #decoded(records: readonly EventRecord[], stream: string): RecordedEvent[] {
    return records.map((record) => {
      const event = decodeEvent(record);
      if (!event) {
        throw new EsdbFailure('refused', `${stream} holds an event that is not one of Podium`);
      }
      this.saw(event.position);
      return event;
    });
  }

  #decodedOf(records: readonly EventRecord[], filter: EventFilter): RecordedEvent[] {
    const events = records
      .filter((record) => passes(record, filter))
      .flatMap((record) => decodeEvent(record) ?? []);
    for (const { position } of events) this.saw(position);
    return events;
  }
}

/** Null: no such stream. Fails when nothing comes for so long: the client has no deadline for it. */
const recordsOf = (call: ReadCall, quietMs: number): Promise<readonly EventRecord[] | null> =>
  new Promise((resolve, reject) => {
    const records: EventRecord[] = [];
    let found = true;
    const timer = setTimeout(() => {
      reject(new EsdbFailure('silent', 'it did not answer in time'));
      call.cancel();
    }, quietMs);
    call.on('data', (response) => {
      timer.refresh();
      if (response.hasStreamNotFound()) found = false;
      const record = response.getEvent()?.getEvent();
      if (record) records.push(record);
    });
    call.on('error', (error) => {
      clearTimeout(timer);
      reject(failureOf(error));
    });
    call.on('end', () => {
      clearTimeout(timer);
      resolve(found ? records : null);
    });
  });
