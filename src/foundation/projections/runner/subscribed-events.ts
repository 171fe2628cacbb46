/**
 * What projections read of the event store: one subscription, its events lifted to their newest shape, with their streams'
 * names parsed. Another program may have written a stream under the prefix: its events are passed over and counted. A stream
 * of Podium's own may hold an event type of newer code. Read models that left it out would be wrong for ever, so the
 * subscription ends before it. The live subscription also hands the control events to the process's event feed.
 */
import { LRUCache } from 'lru-cache';
import type { StreamNames, StreamSubject } from '../../../domain/streams.js';
import type { HandedEvents } from '../../aggregates/event-feed.js';
import type {
  EventBatch,
  EventStore,
  ForeignRecord,
  Position,
  RecordedEvent,
  SubscribeOptions,
} from '../../event-store/event-store.js';
import { UPCASTERS } from '../../event-store/upcasters.js';
import type { ProjectedEvent, Projection } from '../projection.js';

/** What the features declare: the categories of their streams, and their event types. */
export interface EventRegistry {
  readonly streams: ReadonlySet<string>;
  readonly types: ReadonlySet<string>;
}

/** What was passed over since this process began. */
export interface ForeignEvents {
  readonly events: number;
  /** The first of the streams. */
  readonly streams: readonly string[];
}

/** Example: `3 events in podium/foo-1`. */
export const describeForeign = ({ events, streams }: ForeignEvents): string =>
  `${events} event${events === 1 ? '' : 's'} in ${streams.join(', ')}`;

export class UnknownEventError extends Error {
  readonly position: Position;

  constructor({ type, position, stream, revision }: RecordedEvent) {
    const place = `at position ${position} (stream ${stream}, revision ${revision})`;
    super(`this version of Podium does not know the event type ${type} ${place}`);
    this.name = 'UnknownEventError';
    this.position = position;
  }
}

/** A batch of the subscription, as the projections apply it. */
export interface ProjectedBatch extends Pick<EventBatch, 'position' | 'caughtUp'> {
  /** The events that each projection handles, in order. Projections without any are left out. */
  readonly events: ReadonlyMap<Projection, readonly ProjectedEvent[]>;
  /** How many events of Podium's own streams it has, handled or not. */
  readonly count: number;
}

export interface SubscribedEventsOptions {
  /** Default: every event is known. */
  readonly registry?: EventRegistry;
  /** Types of the events that the live subscription hands on. Default: none, and no signs. */
  readonly controlTypes?: readonly string[];
}

export interface ReadOptions extends Omit<SubscribeOptions, 'filter'> {
  /** Whether control events are handed on. Default: no. */
  readonly handsOn?: boolean;
}

const MAX_NAMED = 5;
/** Events of one stream often follow each other, so the parsed names of these many are cached. */
const MAX_SUBJECTS = 10_000;
const SIGN_EVERY_MS = 50;

export class SubscribedEvents {
  /** Called after a batch in which some were passed over. */
  onForeign: (foreign: ForeignEvents) => void = () => undefined;
  /** Called with what is handed on, before it is applied. */
  onHanded: (handed: HandedEvents) => void = () => undefined;
  readonly #names: StreamNames;
  readonly #registry: EventRegistry | null;
  readonly #controlTypes: ReadonlySet<string> | null;
  /** Of the streams read last: what they are named for. Null: another program's. */
  readonly #subjects = new LRUCache<string, { readonly subject: StreamSubject | null }>({
    max: MAX_SUBJECTS,
  });
  #foreign: ForeignEvents | null = null;
  /** A rebuild meets the same events again. */
  #countedUpTo: Position = 0;

  constructor(names: StreamNames, { registry, controlTypes }: SubscribedEventsOptions = {}) {
    this.#names = names;
    this.#registry = registry ?? null;
    this.#controlTypes = controlTypes ? new Set(controlTypes) : null;
  }

  /** Null: nothing was passed over. */
  get foreign(): ForeignEvents | null {
    return this.#foreign;
  }

  /** Subscribes. Throws UnknownEventError after the events before the unknown one. */
  async *read(
    store: EventStore,
    projections: readonly Projection[],
    { handsOn = false, ...options }: ReadOptions,
  ): AsyncGenerator<ProjectedBatch, void, undefined> {
    const subscription = store.subscribe({ ...options, filter: { streamPrefix: this.#names.prefix } });
    const batches = handsOn ? this.#handedOn(subscription, options.after) : subscription;
    const handlers = handlersOf(projections);
    for await (const { events, foreign = [], position, caughtUp } of batches) {
      const projected = new Map<Projection, ProjectedEvent[]>();
      const passedOver = [...foreign];
      let unknown: RecordedEvent | null = null;
      let last: Position = 0;
      let count = 0;
      for (const event of events) {
        const subject = this.#subjectOf(event.stream);
        if (!subject) {
          passedOver.push(event);
          continue;
        }
        if (this.#registry?.types.has(event.type) === false) {
          unknown = event;
          break;
        }
        last = event.position;
        count += 1;
        add(projected, handlers.get(event.type), event, subject);
      }
      this.#count(passedOver);
      if (!unknown) yield { events: projected, count, position, caughtUp };
      else if (count > 0) yield { events: projected, count, position: last, caughtUp: false };
      if (unknown) throw new UnknownEventError(unknown);
    }
  }

  /** Null: no stream of Podium's own. */
  #subjectOf(stream: string): StreamSubject | null {
    let known = this.#subjects.get(stream);
    if (!known) {
      const subject = this.#names.subjectOf(stream);
      const { category, parts } = subject;
      const isOwn = !this.#registry || (parts.length > 0 && this.#registry.streams.has(category));
      known = { subject: isOwn ? subject : null };
      this.#subjects.set(stream, known);
    }
    return known.subject;
  }

  #count(passedOver: readonly ForeignRecord[]): void {
    const fresh = passedOver.filter(({ position }) => position > this.#countedUpTo);
    for (const { stream, position } of fresh) {
      const { events: count, streams } = this.#foreign ?? { events: 0, streams: [] };
      const isNamed = streams.includes(stream) || streams.length === MAX_NAMED;
      this.#foreign = { events: count + 1, streams: isNamed ? streams : [...streams, stream] };
      this.#countedUpTo = Math.max(this.#countedUpTo, position);
    }
    if (this.#foreign && fresh.length > 0) this.onForeign(this.#foreign);
  }

  // --- control events --------------------------------------------------------------------------------------------------

  /**
   * Hands on the control events, and while all that there is has been read, a sign of that again and again. A subscription
   * that is behind gives no sign, nor does one whose last batch is still being applied.
   */
  async *#handedOn(
    batches: AsyncIterable<EventBatch>,
    after: Position,
  ): AsyncGenerator<EventBatch, void, undefined> {
    const types = this.#controlTypes;
    if (!types) return yield* batches;
    let from = after;
    let read = after;
    let caughtUp = false;
    let isWaiting = false;
    let signedAt = Number.NEGATIVE_INFINITY;
    const hand = (events: EventBatch['events']): void => {
      this.onHanded({ from, events, position: read, caughtUp });
      from = read;
      if (caughtUp) signedAt = performance.now();
    };
    const signIfWaiting = (): void => {
      if (caughtUp && isWaiting) hand([]);
    };
    // A turn later: after a long one, what has come meanwhile is read first.
    const signs = setInterval(() => setImmediate(signIfWaiting), SIGN_EVERY_MS).unref();
    try {
      for await (const batch of batches) {
        isWaiting = false;
        const events = batch.events.filter(({ type }) => types.has(type));
        ({ position: read, caughtUp } = batch);
        const isSignDue = caughtUp && performance.now() - signedAt >= SIGN_EVERY_MS;
        if (events.length > 0 || isSignDue) hand(events);
        yield batch;
        isWaiting = true;
      }
    } finally {
      clearInterval(signs);
      isWaiting = false;
    }
  }
}

/** The projections that handle each event type. */
const handlersOf = (projections: readonly Projection[]): ReadonlyMap<string, readonly Projection[]> => {
  const handlers = new Map<string, Projection[]>();
  for (const projection of projections)
    for (const type of projection.eventTypes) handlers.set(type, [...(handlers.get(type) ?? []), projection]);
  return handlers;
};

const add = (
  projected: Map<Projection, ProjectedEvent[]>,
  handlers: readonly Projection[] | undefined,
  recorded: RecordedEvent,
  subject: StreamSubject,
): void => {
  if (!handlers) return;
  const newest = UPCASTERS.changes.has(recorded.type) ? UPCASTERS.lift(recorded) : recorded;
  const event = { ...newest, subject };
  for (const projection of handlers) {
    const own = projected.get(projection);
    if (own) own.push(event);
    else projected.set(projection, [event]);
  }
};
