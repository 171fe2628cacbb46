/**
 * The event store of a process, behind its LossGuard: while events are missing, no stream is read and nothing is
 * appended. A stream that is not there, and a conflict, are confirmed first: after a loss a device must not hear that
 * its key is unknown.
 */
import type {
  AppendResult,
  EventBatch,
  EventStore,
  ExpectedRevision,
  NewEvent,
  Position,
  ReadAllOptions,
  ReadStreamOptions,
  RecordedEvent,
  SubscribeOptions,
} from '../event-store/event-store.js';
import type { Installation, StoreIdentity } from '../event-store/installation.js';
import type { LossGuard } from './loss-guard.js';

export class GuardedEventStore implements EventStore {
  readonly #store: EventStore;
  readonly #guard: LossGuard;

  constructor(store: EventStore, guard: LossGuard) {
    this.#store = store;
    this.#guard = guard;
  }

  get storeId(): string {
    return this.#store.storeId;
  }

  async append(
    stream: string,
    expected: ExpectedRevision,
    events: readonly NewEvent[],
  ): Promise<AppendResult> {
    this.#guard.refuse();
    const result = await this.#store.append(stream, expected, events);
    const last = events.at(-1);
    if (result.ok && last) this.#guard.observe(stream, result.revision, result.position, last);
    if (!result.ok) await this.#guard.confirm();
    return result;
  }

  async readStream(stream: string, options?: ReadStreamOptions): Promise<readonly RecordedEvent[] | null> {
    this.#guard.refuse();
    const events = await this.#store.readStream(stream, options);
    if (events === null) await this.#guard.confirm();
    return events;
  }

  /** False while events are missing. */
  async takesAppends(): Promise<boolean> {
    return this.#guard.reason === null && this.#store.takesAppends();
  }

  identity(): Promise<StoreIdentity> {
    return this.#store.identity();
  }

  assign(installation: Installation): Promise<void> {
    return this.#store.assign(installation);
  }

  readAll(options?: ReadAllOptions): AsyncIterable<RecordedEvent> {
    return this.#store.readAll(options);
  }

  head(): Promise<Position> {
    return this.#store.head();
  }

  subscribe(options: SubscribeOptions): AsyncIterable<EventBatch> {
    return this.#store.subscribe(options);
  }

  close(): Promise<void> {
    return this.#store.close();
  }
}
