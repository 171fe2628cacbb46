/**
 * The folded state of one stream, as the store has confirmed it. It only ever moves forward. The feed tells of newer
 * revisions of other processes; the state then counts as behind until the stream's tail has been read.
 */
import type { Decider, DomainEvent } from '../../domain/decider.js';
import type { EventStore, Position } from '../event-store/event-store.js';
import type { Upcasters } from '../event-store/upcasters.js';
import type { Loaded } from './aggregate.js';
import type { AggregateMetrics } from './command-metrics.js';

/** Revision of a stream that is not there. */
export const NO_STREAM = -1;

export interface Folded<S> {
  readonly state: S;
  readonly revision: number;
  readonly position: Position;
}

export interface FoldedStreamServices {
  readonly store: EventStore;
  readonly upcasters: Upcasters;
  readonly metrics: AggregateMetrics;
  /** Counts the times at which the feed has begun to tell of other processes' appends. */
  readonly feedStarts: () => number;
}

export class FoldedStream<S, C, E extends DomainEvent> {
  #confirmed: Folded<S> | null = null;
  /** The feed count when `#confirmed` was last known to be the end of the stream. */
  #confirmedAt = -1;
  /** The newest revision that the feed has told of. */
  #observed = NO_STREAM;
  #catchingUp: Promise<void> | null = null;

  constructor(
    readonly name: string,
    private readonly decider: Decider<S, C, E>,
    private readonly services: FoldedStreamServices,
  ) {}

  /** Events folded into the state. */
  get length(): number {
    return (this.#confirmed?.revision ?? NO_STREAM) + 1;
  }

  /** Whether the state is the stream's end as far as the feed, since it began, could tell. */
  get isCurrent(): boolean {
    return this.#confirmedAt === this.services.feedStarts() && !this.isBehind;
  }

  /** Whether the feed has told of a later event. */
  get isBehind(): boolean {
    return this.#observed > this.known.revision;
  }

  /** Null before the first read or append. */
  get confirmed(): Folded<S> | null {
    return this.#confirmed;
  }

  get known(): Folded<S> {
    return this.#confirmed ?? { state: this.decider.initialState, revision: NO_STREAM, position: 0 };
  }

  loaded(): Loaded<S> {
    const { state, revision, position } = this.known;
    return { state, revision: revision === NO_STREAM ? 'no_stream' : revision, position };
  }

  /** The feed has told of an event of this stream. */
  observeRevision(revision: number): void {
    if (revision > this.#observed) this.#observed = revision;
  }

  /** Reads what the stream has beyond the state. */
  async refresh(): Promise<void> {
    const { store, upcasters, metrics, feedStarts } = this.services;
    const at = feedStarts();
    const events = (await store.readStream(this.name, { from: this.length })) ?? [];
    const begun = performance.now();
    let { state, revision, position } = this.known;
    for (const event of events) {
      // Another read or an append may have come further meanwhile.
      if (event.revision <= revision) continue;
      state = this.decider.evolve(state, upcasters.domainEvent<E>(event));
      ({ revision, position } = event);
    }
    if (events.length > 0) metrics.fold.add((performance.now() - begun) / 1_000);
    this.confirm({ state, revision, position }, at);
  }

  /** The same, once for all callers meanwhile: what was appended after the first call may not be in it. */
  catchUp(): Promise<void> {
    this.#catchingUp ??= this.refresh().finally(() => {
      this.#catchingUp = null;
    });
    return this.#catchingUp;
  }

  /** `at`: the feed count when the read or append began that shows the state. */
  confirm(folded: Folded<S>, at: number): void {
    this.#confirmedAt = at;
    if (!this.#confirmed || folded.revision > this.#confirmed.revision) this.#confirmed = folded;
  }
}
