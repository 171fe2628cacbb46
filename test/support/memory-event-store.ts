/** An event store in memory for tests of what reads events. It appends whatever it is given, in order. */
import { randomUUID } from 'node:crypto';
import type {
  AppendResult,
  EventBatch,
  EventStore,
  ExpectedRevision,
  NewEvent,
  Position,
  ReadAllOptions,
  RecordedEvent,
  SubscribeOptions,
} from '../../src/eventstore/event-store.js';

export class MemoryEventStore implements EventStore {
  readonly storeId: string;
  readonly #events: RecordedEvent[] = [];
  readonly #waiting = new Set<() => void>();

  constructor(storeId: string = randomUUID()) {
    this.storeId = storeId;
  }

  async append(
    stream: string,
    _expected: ExpectedRevision,
    events: readonly NewEvent[],
  ): Promise<AppendResult> {
    for (const event of events) {
      const revision = this.#events.filter((earlier) => earlier.stream === stream).length;
      const position = this.#events.length + 1;
      this.#events.push({ ...event, stream, revision, position, recordedAt: position });
    }
    for (const wake of this.#waiting) wake();
    this.#waiting.clear();
    const last = this.#events.at(-1);
    return { ok: true, revision: last?.revision ?? 0, position: last?.position ?? 0, duplicate: false };
  }

  /** Appends one event and gives its position. */
  async add(stream: string, type: string, data: object): Promise<Position> {
    const metadata = { actor: 'system', correlationId: 'test', schema: 1 };
    await this.append(stream, 'any', [{ id: randomUUID(), type, data, metadata }]);
    return this.#events.length;
  }

  async readStream(stream: string): Promise<readonly RecordedEvent[] | null> {
    const events = this.#events.filter((event) => event.stream === stream);
    return events.length === 0 ? null : events;
  }

  async *readAll({ after = 0 }: ReadAllOptions = {}): AsyncGenerator<RecordedEvent, void, undefined> {
    yield* this.#events.slice(after);
  }

  async head(): Promise<Position> {
    return this.#events.length;
  }

  async *subscribe({
    after,
    batchSize = 1_000,
    signal,
  }: SubscribeOptions): AsyncGenerator<EventBatch, void, undefined> {
    let position = after;
    let said = false;
    while (!signal.aborted) {
      const events = this.#events.slice(position, position + batchSize);
      position += events.length;
      const caughtUp = position >= this.#events.length;
      if (events.length > 0 || !said) yield { events, position: Math.max(position, after), caughtUp };
      said ||= caughtUp;
      if (caughtUp && position >= this.#events.length) await this.#more(signal);
      else await new Promise((resolve) => setImmediate(resolve));
    }
  }

  async close(): Promise<void> {}

  #more(signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      if (signal.aborted) resolve();
      signal.addEventListener('abort', () => resolve(), { once: true });
      this.#waiting.add(resolve);
    });
  }
}
