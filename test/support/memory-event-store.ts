/**
 * An event store in memory, held to the contract like the real ones, whose failures and rivals a test arranges, and
 * the gaps between its positions.
 */
import { randomUUID } from 'node:crypto';
import { EventEmitter, once } from 'node:events';
import { v7 as newEventId } from 'uuid';
import { joinSignals } from '../../src/foundation/basics/joined-signal.js';
import { AppendSize, checkAppend } from '../../src/foundation/event-store/append-checks.js';
import {
  type AppendResult,
  type EventBatch,
  type EventFilter,
  type EventStore,
  EventStoreUnavailableError,
  type NewEvent,
  NO_STREAM,
  type Position,
  type ReadAllOptions,
  type ReadStreamOptions,
  type RecordedEvent,
  type SubscribeOptions,
} from '../../src/foundation/event-store/event-store.js';
import type { Installation, StoreIdentity } from '../../src/foundation/event-store/installation.js';

export class MemoryEventStore implements EventStore {
  readonly storeId: string;
  readonly log: RecordedEvent[];
  installation: Installation | null = null;
  /** From one event's position to the next one's. */
  spacing = 1;
  /** Bytes that an append may have. */
  maxAppendBytes = Number.POSITIVE_INFINITY;
  /** Number of appends asked for. */
  appends = 0;
  /** Called before each append, which waits for it; what it throws is the append's failure. */
  beforeAppend: (stream: string, events: readonly NewEvent[]) => Promise<void> | void = () => undefined;
  /** Called after each append was written; what it throws hides that it was. */
  afterAppend: (stream: string) => void = () => undefined;
  /** Called before each read of a stream or of a subscription. */
  beforeRead: () => void = () => undefined;
  readonly #changes: EventEmitter;
  readonly #closing = new AbortController();

  /** `of`: the store to be another connection to. */
  constructor(storeId: string = randomUUID(), of?: MemoryEventStore) {
    this.storeId = of?.storeId ?? storeId;
    this.log = of?.log ?? [];
    this.#changes = of ? of.#changes : new EventEmitter().setMaxListeners(0);
  }

  connect({ maxAppendBytes = this.maxAppendBytes } = {}): MemoryEventStore {
    const connection = new MemoryEventStore(this.storeId, this);
    connection.maxAppendBytes = maxAppendBytes;
    connection.spacing = this.spacing;
    return connection;
  }

  /** Appends one event, whatever is there, and gives its position. */
  async add(stream: string, type: string, data: object): Promise<Position> {
    const metadata = { actor: 'system', correlationId: 'test', schema: 1 };
    const expected = this.#revisionOf(stream);
    const result = await this.append(stream, expected, [{ id: newEventId(), type, data, metadata }]);
    return result.ok ? result.position : 0;
  }

  async identity(): Promise<StoreIdentity> {
    return { storeId: this.storeId, installation: this.installation };
  }

  async assign(installation: Installation): Promise<void> {
    this.installation = installation;
  }

  async append(stream: string, expected: number, events: readonly NewEvent[]): Promise<AppendResult> {
    if (this.#closing.signal.aborted) throw new EventStoreUnavailableError('the event store is closed');
    checkAppend(stream, events);
    const size = new AppendSize(this.maxAppendBytes);
    for (const event of events) size.add(event, JSON.stringify(event.data));
    size.check();
    this.appends += 1;
    await this.beforeAppend(stream, events);
    const result = this.#append(stream, expected, events);
    this.afterAppend(stream);
    return result;
  }

  /** Appends at once, as another process would. */
  write(stream: string, events: readonly NewEvent[]): AppendResult {
    return this.#append(stream, this.#revisionOf(stream), events);
  }

  #append(stream: string, expected: number, events: readonly NewEvent[]): AppendResult {
    const own = this.#of(stream);
    const places = events.map(({ id }) => own.findIndex((event) => event.id === id));
    const first = places[0] ?? -1;
    const last = own[first + events.length - 1];
    if (last && first >= 0 && places.every((place, index) => place === first + index)) {
      return { ok: true, revision: last.revision, position: last.position, duplicate: true };
    }
    const actual = this.#revisionOf(stream);
    if (expected !== actual || places.some((place) => place >= 0)) return { ok: false, actual };
    for (const [index, event] of events.entries()) this.#record(stream, own.length + index, event);
    this.#changes.emit('change');
    const { revision = 0, position = 0 } = this.log.at(-1) ?? {};
    return { ok: true, revision, position, duplicate: false };
  }

  async readStream(
    stream: string,
    { from, direction = 'forwards', limit = Number.POSITIVE_INFINITY }: ReadStreamOptions = {},
  ): Promise<readonly RecordedEvent[] | null> {
    this.beforeRead();
    const own = this.#of(stream);
    if (own.length === 0) return null;
    return direction === 'forwards'
      ? own.filter(({ revision }) => revision >= (from ?? 0)).slice(0, limit)
      : own
          .filter(({ revision }) => revision <= (from ?? own.length))
          .reverse()
          .slice(0, limit);
  }

  async *readAll(options: ReadAllOptions = {}): AsyncGenerator<RecordedEvent> {
    const { after, filter, direction = 'forwards', limit = Number.POSITIVE_INFINITY } = options;
    const wanted = this.log.filter((event) => passes(event, filter));
    yield* direction === 'forwards'
      ? wanted.filter(({ position }) => position > (after ?? 0)).slice(0, limit)
      : wanted
          .filter(({ position }) => position < (after ?? Number.POSITIVE_INFINITY))
          .reverse()
          .slice(0, limit);
  }

  async head(): Promise<number> {
    return this.log.at(-1)?.position ?? 0;
  }

  async chainAt(): Promise<null> {
    return null;
  }

  async takesAppends(): Promise<boolean> {
    return !this.#closing.signal.aborted;
  }

  async *subscribe(options: SubscribeOptions): AsyncGenerator<EventBatch> {
    const { signal, release } = joinSignals(options.signal, this.#closing.signal);
    try {
      yield* this.#batches({ ...options, signal });
    } finally {
      release();
    }
  }

  async *#batches({
    after,
    filter,
    batchSize = 1_000,
    signal,
  }: SubscribeOptions): AsyncGenerator<EventBatch> {
    let position = after;
    let told = false;
    while (!signal.aborted) {
      this.beforeRead();
      const beyond = this.log.filter((event) => event.position > position);
      const events = beyond.filter((event) => passes(event, filter)).slice(0, batchSize);
      const caughtUp = events.length < batchSize;
      const reached = (caughtUp ? beyond : events).at(-1)?.position ?? position;
      if (reached > position || (caughtUp && !told)) {
        position = reached;
        told ||= caughtUp;
        yield { events, position, caughtUp };
      } else {
        await once(this.#changes, 'change', { signal }).catch(() => undefined);
      }
    }
  }

  async close(): Promise<void> {
    this.#closing.abort();
  }

  #of(stream: string): RecordedEvent[] {
    return this.log.filter((event) => event.stream === stream);
  }

  #revisionOf(stream: string): number {
    return this.#of(stream).at(-1)?.revision ?? NO_STREAM;
  }

  #record(stream: string, revision: number, event: NewEvent): void {
    const position = (this.log.at(-1)?.position ?? 0) + this.spacing;
    const data: object = JSON.parse(JSON.stringify(event.data));
    this.log.push({ ...event, data, stream, revision, position, recordedAt: event.recordedAt ?? Date.now() });
  }
}

const passes = ({ stream, type }: RecordedEvent, { streamPrefix = '', types }: EventFilter = {}): boolean =>
  stream.startsWith(streamPrefix) && (types?.includes(type) ?? true);
