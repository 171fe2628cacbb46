/**
 * Reads and subscribes to the event file on the caller's thread, in chunks. Positions are given in the order of commit and
 * a commit is seen whole, so a reader that has read up to a position has missed nothing before it.
 */
import type Database from 'better-sqlite3';
import { messageOf } from '../../../foundation/basics/error-message.js';
import {
  type EventBatch,
  EventDamagedError,
  type EventFilter,
  EventStoreUnavailableError,
  type Position,
  type ReadAllOptions,
  type ReadStreamOptions,
  type RecordedEvent,
  type SubscribeOptions,
} from '../../../foundation/event-store/event-store.js';
import type { StoreIdentity } from '../../../foundation/event-store/installation.js';
import { type Damage, type ScrubStep, StoreDamagedError } from '../../../foundation/integrity/damage.js';
import type { DamageListener } from '../../../foundation/integrity/damage-log.js';
import { isDamage } from '../replaceable-file.js';
import { decodeEvent, EventRows } from './event-rows.js';
import { EventScrub } from './event-scrub.js';
import { fileDamage } from './file-damage.js';
import { readUncompared } from './old-events.js';
import { openForReading, readIdentity } from './schema.js';
import {
  type Direction,
  type EventRow,
  prepareReads,
  prepareUnstamped,
  type Range,
  restBehind,
} from './statements.js';

/** Events of a subscription's batch, and of a chunk of `readAll`. */
const BATCH = 1_000;
const CHUNK = 500;
/** A waiting subscription looks this often for commits of other processes, which announce none. */
const POLL_MS = 50;
/** Known stream names; forgotten all at once when there are more, which costs one lookup each. */
const MAX_STREAM_NAMES = 100_000;

export class EventReader {
  readonly #database: Database.Database;
  readonly #statements: ReturnType<typeof prepareReads>;
  readonly #rows: EventRows;
  readonly #streamNames = new Map<number, string>();
  /** Wakes each subscription that waits. */
  readonly #waiting = new Set<() => void>();
  readonly #onDamage: DamageListener;
  readonly #readUnstamped: () => Range;
  /** The events that have no checksum yet: a range that becomes smaller. */
  #unstamped: Range;
  #announced = 0;
  /** Why no stream is read. */
  #untrusted: Damage | null = null;

  /** `onDamage`: called before damage is thrown. */
  constructor(path: string, onDamage: DamageListener) {
    this.#onDamage = onDamage;
    this.#database = openForReading(path);
    this.#statements = prepareReads(this.#database);
    this.#rows = new EventRows(this.#database, this.#statements);
    this.#readUnstamped = prepareUnstamped(this.#database);
    this.#unstamped = this.#readUnstamped();
  }

  identity(): StoreIdentity {
    return this.#reading('the identity of the store', () => readIdentity(this.#database));
  }

  head(): Position {
    return this.#reading('the last event', () => this.#statements.head.get() ?? 0);
  }

  uncomparedUpTo(): Position | null {
    return this.#reading('the identity of the store', () => readUncompared(this.#database));
  }

  chainAt(position: Position): number | null {
    return this.#reading(`position ${position}`, () => this.#statements.chain.get(position) ?? null);
  }

  readStream(stream: string, options: ReadStreamOptions = {}): readonly RecordedEvent[] | null {
    return this.#reading(`stream ${stream}`, () => {
      if (this.#untrusted) throw new StoreDamagedError(this.#untrusted);
      const streamId = this.#statements.streamId.get(stream);
      if (streamId === undefined) return null;
      const { from, direction = 'forwards', limit = -1 } = options;
      const rows =
        direction === 'forwards'
          ? this.#statements.streamForwards.all(streamId, from ?? 0, limit)
          : this.#statements.streamBackwards.all(streamId, from ?? Number.MAX_SAFE_INTEGER, limit);
      refuseGap(rows, stream, options);
      return rows.map((row) => this.#decode(row, stream));
    });
  }

  async *readAll(options: ReadAllOptions = {}): AsyncGenerator<RecordedEvent, void, undefined> {
    const { after, direction = 'forwards', filter, limit = Number.POSITIVE_INFINITY } = options;
    const head = this.head();
    let left = limit;
    let rest: Range | null =
      direction === 'forwards'
        ? { above: after ?? 0, upTo: head }
        : { above: 0, upTo: Math.min(after === undefined ? head : after - 1, head) };
    while (rest && rest.above < rest.upTo && left > 0) {
      const { events, rest: further } = this.#read(rest, direction, Math.min(left, CHUNK), filter);
      yield* events;
      left -= events.length;
      rest = further;
      if (rest) await nextTurn();
    }
  }

  /** The first batch comes at once, empty if there is nothing new; later ones when there is something to tell. */
  async *subscribe(options: SubscribeOptions): AsyncGenerator<EventBatch, void, undefined> {
    const { filter, batchSize = BATCH, signal } = options;
    let position = options.after;
    let saidCaughtUp = false;
    while (!signal.aborted) {
      const seen = this.#announced;
      const batch = this.#batch(position, batchSize, filter);
      const moved = batch.position > position;
      position = batch.position;
      if (moved || (batch.caughtUp && !saidCaughtUp)) yield batch;
      saidCaughtUp ||= batch.caughtUp;
      await (batch.caughtUp ? this.#announcement(seen, signal) : nextTurn());
    }
  }

  /** From now on no stream is read: the indexes that lead to their events are damaged. */
  refuseStreams(damage: Damage): void {
    this.#untrusted = damage;
  }

  /** Wakes the subscriptions: there was a commit. */
  readonly announce = (): void => {
    this.#announced += 1;
    for (const wake of this.#waiting) wake();
  };

  /** Compares all events with their checksums, and the indexes with the events. */
  scrub(): AsyncIterable<ScrubStep> {
    return new EventScrub(this.#database, (id) => this.#rows.typeName(id)).run();
  }

  close(): void {
    this.#database.close();
  }

  #batch(after: Position, batchSize: number, filter: EventFilter | undefined): EventBatch {
    const head = this.head();
    if (head <= after) return { events: [], position: after, caughtUp: true };
    const { events, rest } = this.#read({ above: after, upTo: head }, 'forwards', batchSize, filter);
    return { events, position: rest?.above ?? head, caughtUp: rest === null };
  }

  /** Resolves at the first announcement after the one that was `seen`, at the next look, or when the signal aborts. */
  #announcement(seen: number, signal: AbortSignal): Promise<void> {
    if (this.#announced !== seen || signal.aborted) return Promise.resolve();
    return new Promise((resolve) => {
      const wake = (): void => {
        clearTimeout(timer);
        signal.removeEventListener('abort', wake);
        this.#waiting.delete(wake);
        resolve();
      };
      const timer = setTimeout(wake, POLL_MS).unref();
      signal.addEventListener('abort', wake);
      this.#waiting.add(wake);
    });
  }

  /** The first (or, backwards, the last) events of the range that the filter lets through, `limit` at most. */
  #read(range: Range, direction: Direction, limit: number, { types, streamPrefix }: EventFilter = {}) {
    return this.#reading(`positions ${range.above + 1} to ${range.upTo}`, () => {
      const { rows, rest } = this.#rows.read(range, direction, limit, types);
      const events: RecordedEvent[] = [];
      // Of all types, there is one event at each position.
      const next = types ? null : new NextPosition(range, direction);
      try {
        for (const row of rows) {
          next?.pass(row[0]);
          const stream = this.#streamName(row[1]);
          if (streamPrefix !== undefined && !stream.startsWith(streamPrefix)) continue;
          events.push(this.#decode(row, stream));
        }
        if (rest === null) next?.end();
        return { events, rest };
      } catch (error) {
        // What is before the damaged event is delivered first.
        if (events.length === 0) throw error;
        return { events, rest: restBehind(events.at(-1)?.position ?? 0, range, direction) };
      }
    });
  }

  /** Throws EventDamagedError. */
  #decode(row: EventRow, stream: string): RecordedEvent {
    return decodeEvent(row, stream, this.#rows.typeName(row[4]), this.#unstamped);
  }

  /** `place`: what is read, for a file that is damaged there. Throws EventStoreUnavailableError and StoreDamagedError. */
  #reading<T>(place: string, read: () => T): T {
    try {
      // Before the events: one that is stamped meanwhile must not count as one that has lost its checksum.
      if (this.#unstamped.above < this.#unstamped.upTo) this.#unstamped = this.#readUnstamped();
      return read();
    } catch (error) {
      const damaged = isDamage(error)
        ? new StoreDamagedError(fileDamage(place, error), { cause: error })
        : error;
      if (damaged instanceof StoreDamagedError) {
        this.#onDamage(damaged.damage);
        throw damaged;
      }
      const reason = messageOf(error);
      throw new EventStoreUnavailableError(`the event store cannot be read: ${reason}`, { cause: error });
    }
  }

  #streamName(id: number): string {
    const known = this.#streamNames.get(id);
    if (known !== undefined) return known;
    const name = this.#statements.streamName.get(id) ?? '';
    if (this.#streamNames.size >= MAX_STREAM_NAMES) this.#streamNames.clear();
    this.#streamNames.set(id, name);
    return name;
  }
}

/** Positions have no gaps. Where a damaged page hides its rows, there is one. */
class NextPosition {
  readonly #step: 1 | -1;
  readonly #last: Position;
  #next: Position;

  constructor({ above, upTo }: Range, direction: Direction) {
    this.#step = direction === 'forwards' ? 1 : -1;
    this.#next = direction === 'forwards' ? above + 1 : upTo;
    this.#last = direction === 'forwards' ? upTo : above + 1;
  }

  /** Throws StoreDamagedError when this is another position than the next one. */
  pass(position: Position): void {
    if (position !== this.#next) throw this.#missing(position - this.#step);
    this.#next += this.#step;
  }

  /** Throws StoreDamagedError when the range has not come to its end. */
  end(): void {
    if (this.#next !== this.#last + this.#step) throw this.#missing(this.#last);
  }

  #missing(to: Position): StoreDamagedError {
    const [first, last] = [this.#next, to].toSorted((a, b) => a - b);
    return new StoreDamagedError({
      store: 'events',
      place: `positions ${first} to ${last}`,
      reason: 'no event is there',
    });
  }
}

/** A stream has no gaps. Where its index has lost an entry, its rows have one. */
const refuseGap = (
  rows: readonly EventRow[],
  stream: string,
  { from, direction = 'forwards' }: ReadStreamOptions,
): void => {
  const step = direction === 'forwards' ? 1 : -1;
  const first = direction === 'forwards' ? (from ?? 0) : (rows[0]?.[2] ?? 0);
  for (const [index, row] of rows.entries()) {
    const revision = first + index * step;
    if (row[2] !== revision) throw new EventDamagedError(stream, revision, 'it is missing');
  }
};

/** Lets the thread's other work in between chunks. */
const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
