/**
 * The event store of a process, behind its LossGuard: while events are missing, no stream is read and nothing is
 * appended. A stream that is not there is confirmed first: after a loss a device must not hear that its key is unknown.
 */
import type {
  EventBatch,
  EventStore,
  Position,
  ReadAllOptions,
  ReadStreamOptions,
  RecordedEvent,
  SubscribeOptions,
} from '../event-store/event-store.js';
import type { Installation, StoreIdentity } from '../event-store/installation.js';
import type { LossGuard, LossLevel } from './loss-guard.js';

export class GuardedEventStore implements EventStore {
  readonly #store: EventStore;
  readonly #guard: LossGuard;
  /** The store's own while nothing is missing, so that no attempt pays for the guard. */
  append: EventStore['append'];

  constructor(store: EventStore, guard: LossGuard) {
    this.#store = store;
    this.#guard = guard;
    const append = store.append.bind(store);
    const appendUnlessRefused: EventStore['append'] = async (...given) => {
      guard.refuse();
      return append(...given);
    };
    const appendAt = (level: LossLevel) => (level === 'none' ? append : appendUnlessRefused);
    this.append = appendAt(guard.level);
    guard.onChange((level) => {
      this.append = appendAt(level);
    });
  }

  get storeId(): string {
    return this.#store.storeId;
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

  chainAt(position: Position): Promise<number | null> {
    return this.#store.chainAt(position);
  }

  subscribe(options: SubscribeOptions): AsyncIterable<EventBatch> {
    return this.#store.subscribe(options);
  }

  close(): Promise<void> {
    return this.#store.close();
  }
}
