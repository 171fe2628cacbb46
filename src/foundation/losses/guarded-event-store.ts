/**
 * The event store of a process, behind its LossGuard: while events are missing, no stream is read and nothing is
 * appended. A stream that is not there is confirmed first: after a loss a device must not hear that its key is unknown.
 */
import type { EventStore, ReadStreamOptions, RecordedEvent } from '../event-store/event-store.js';
import type { LossGuard, LossLevel } from './loss-guard.js';

export class GuardedEventStore implements EventStore {
  readonly #store: EventStore;
  readonly #guard: LossGuard;
  /** The store's own while nothing is missing, so that no attempt pays for the guard. */
  append: EventStore['append'];
  readonly identity: EventStore['identity'] = () => this.#store.identity();
  readonly assign: EventStore['assign'] = (installation) => this.#store.assign(installation);
  readonly readAll: EventStore['readAll'] = (options) => this.#store.readAll(options);
  readonly head: EventStore['head'] = () => this.#store.head();
  readonly chainAt: EventStore['chainAt'] = (position) => this.#store.chainAt(position);
  readonly subscribe: EventStore['subscribe'] = (options) => this.#store.subscribe(options);
  readonly close: EventStore['close'] = () => this.#store.close();

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
}
