/**
 * Reads and subscribes to the event file on the caller's thread, in chunks. Positions are given in the order of commit and
 * a commit is seen whole, so a reader that has read up to a position has missed nothing before it.
 */
import type Database from 'better-sqlite3';
import { messageOf } from '../../../foundation/basics/error-message.js';
import {
  type EventBatch,
  type EventFilter,
  type EventMetadata,
  EventStoreUnavailableError,
  type Position,
  type ReadAllOptions,
  type ReadStreamOptions,
  type RecordedEvent,
  type SubscribeOptions,
} from '../../../foundation/event-store/event-store.js';
import { openForReading, type StoredMetadata } from './schema.js';
import {
  type Direction,
  type EventRow,
  prepare,
  prepareTyped,
  type Range,
  type RangeStatement,
  type TypedStatements,
} from './statements.js';

interface Rows {
  readonly rows: readonly EventRow[];
  /** What is left of the range; null when it has been read to its end. */
  readonly rest: Range | null;
}

/** Events of a subscription's batch, and of a chunk of `readAll`. */
const BATCH = 1_000;
const CHUNK = 500;
/** A waiting subscription looks this often for commits of other processes, which announce none. */
const POLL_MS = 50;
/** So many positions are looked through for the wanted types before the index of types is asked where they are. */
const WINDOW = 4_096;
/** Below one wanted event in so many, the index is the shorter way. */
const SPARSE = 8;
/** Known stream names; forgotten all at once when there are more, which costs one lookup each. */
const MAX_STREAM_NAMES = 100_000;

export class EventReader {
  readonly #database: Database.Database;
  readonly #statements: ReturnType<typeof prepare>;
  readonly #streamNames = new Map<number, string>();
  readonly #types = new Map<string, number>();
  readonly #typeNames = new Map<number, string>();
  /** Statements for the lists of types asked for, by direction and type ids: a handful for the life of a process. */
  readonly #typed = new Map<string, TypedStatements>();
  /** Wakes each subscription that waits. */
  readonly #waiting = new Set<() => void>();
  #announced = 0;

  constructor(path: string) {
    this.#database = openForReading(path);
    this.#statements = prepare(this.#database);
  }

  head(): Position {
    return reading(() => this.#statements.head.get() ?? 0);
  }

  readStream(stream: string, options: ReadStreamOptions = {}): readonly RecordedEvent[] | null {
    return reading(() => {
      const streamId = this.#statements.streamId.get(stream);
      if (streamId === undefined) return null;
      const { from, direction = 'forwards', limit = -1 } = options;
      const rows =
        direction === 'forwards'
          ? this.#statements.streamForwards.all(streamId, from ?? 0, limit)
          : this.#statements.streamBackwards.all(streamId, from ?? Number.MAX_SAFE_INTEGER, limit);
      return rows.map((row) => decodeEvent(row, stream, this.#typeName(row[4])));
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
    while (rest && left > 0) {
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

  /** Wakes the subscriptions: there was a commit. */
  readonly announce = (): void => {
    this.#announced += 1;
    for (const wake of this.#waiting) wake();
  };

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
    return reading(() => {
      const { rows, rest } = types
        ? this.#rowsOfTypes(range, direction, limit, types)
        : this.#run(this.#statements[direction], range, direction, limit);
      const events: RecordedEvent[] = [];
      for (const row of rows) {
        const stream = this.#streamName(row[1]);
        if (streamPrefix !== undefined && !stream.startsWith(streamPrefix)) continue;
        events.push(decodeEvent(row, stream, this.#typeName(row[4])));
      }
      return { events, rest };
    });
  }

  /** Looks through a window; where it shows that the wanted types are rare, lets the index find them. */
  #rowsOfTypes(range: Range, direction: Direction, limit: number, types: readonly string[]): Rows {
    const ids = this.#typeIds(types);
    if (ids.length === 0) return { rows: [], rest: null };
    const typed = this.#typedStatements(ids, direction);
    const { window, beyond } = splitWindow(range, direction);
    const near = this.#run(typed.scan, window, direction, limit);
    if (near.rest) return { rows: near.rows, rest: joined(near.rest, range, direction) };
    if (!beyond || near.rows.length * SPARSE >= WINDOW) return { rows: near.rows, rest: beyond };
    return this.#run(typed.index, range, direction, limit);
  }

  #run(statement: RangeStatement, range: Range, direction: Direction, limit: number): Rows {
    const rows = statement.all({ ...range, limit });
    const last = rows.at(-1);
    if (!last || rows.length < limit) return { rows, rest: null };
    const [position] = last;
    const rest =
      direction === 'forwards'
        ? { above: position, upTo: range.upTo }
        : { above: range.above, upTo: position - 1 };
    return { rows, rest: rest.above < rest.upTo ? rest : null };
  }

  #typedStatements(ids: readonly number[], direction: Direction): TypedStatements {
    const key = `${direction} ${ids}`;
    const known = this.#typed.get(key) ?? prepareTyped(this.#database, ids, direction);
    this.#typed.set(key, known);
    return known;
  }

  #typeIds(types: readonly string[]): number[] {
    if (types.some((type) => !this.#types.has(type))) this.#learnTypes();
    return types.flatMap((type) => this.#types.get(type) ?? []);
  }

  #typeName(id: number): string {
    if (!this.#typeNames.has(id)) this.#learnTypes();
    return this.#typeNames.get(id) ?? '';
  }

  #learnTypes(): void {
    if (this.#statements.typeCount.get() === this.#types.size) return;
    for (const { id, name } of this.#statements.types.all()) {
      this.#types.set(name, id);
      this.#typeNames.set(id, name);
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

/** The first window of the range in reading direction, and what is beyond it. */
const splitWindow = (
  { above, upTo }: Range,
  direction: Direction,
): { window: Range; beyond: Range | null } => {
  if (upTo - above <= WINDOW) return { window: { above, upTo }, beyond: null };
  const low = { above, upTo: above + WINDOW };
  const high = { above: upTo - WINDOW, upTo };
  return direction === 'forwards'
    ? { window: low, beyond: { above: low.upTo, upTo } }
    : { window: high, beyond: { above, upTo: high.above } };
};

/** What is left of a window, with what is beyond it. */
const joined = (rest: Range, range: Range, direction: Direction): Range =>
  direction === 'forwards'
    ? { above: rest.above, upTo: range.upTo }
    : { above: range.above, upTo: rest.upTo };

// --- rows -----------------------------------------------------------------------------------------------------------

const decodeMetadata = (text: string): EventMetadata => {
  const [schema, actor, correlationId, keyId, causationId, accountId] = JSON.parse(text) as StoredMetadata;
  return {
    actor,
    ...(typeof keyId === 'string' && { keyId }),
    ...(typeof accountId === 'string' && { accountId }),
    correlationId,
    ...(typeof causationId === 'string' && { causationId }),
    schema,
  };
};

const uuid = (hex: string): string =>
  `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;

const decodeEvent = (row: EventRow, stream: string, type: string): RecordedEvent => ({
  position: row[0],
  stream,
  revision: row[2],
  id: uuid(row[3]),
  type,
  data: JSON.parse(row[5]) as object,
  metadata: decodeMetadata(row[6]),
  recordedAt: row[7],
});

/** Lets the thread's other work in between chunks. */
const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

const reading = <T>(read: () => T): T => {
  try {
    return read();
  } catch (error) {
    const reason = messageOf(error);
    throw new EventStoreUnavailableError(`the event store cannot be read: ${reason}`, { cause: error });
  }
};
