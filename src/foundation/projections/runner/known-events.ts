/**
 * Which events this version of Podium projects. Another program may have written a stream under the prefix: its events are
 * passed over and counted. A stream of Podium's own may hold an event type of newer code. Read models that left it out would be
 * wrong for ever, so they stop before it.
 */
import type { StreamNames } from '../../../domain/streams.js';
import type { EventBatch, ForeignRecord, Position, RecordedEvent } from '../../event-store/event-store.js';

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

export class UnknownEventError extends Error {
  readonly position: Position;

  constructor({ type, position, stream, revision }: RecordedEvent) {
    const place = `at position ${position} (stream ${stream}, revision ${revision})`;
    super(`this version of Podium does not know the event type ${type} ${place}`);
    this.name = 'UnknownEventError';
    this.position = position;
  }
}

const MAX_NAMED = 5;

export class KnownEvents {
  /** Called after a batch in which some were passed over. */
  onForeign: (foreign: ForeignEvents) => void = () => undefined;
  readonly #names: StreamNames;
  readonly #registry: EventRegistry;
  #foreign: ForeignEvents | null = null;
  /** A rebuild meets the same events again. */
  #countedUpTo: Position = 0;

  constructor(names: StreamNames, registry: EventRegistry) {
    this.#names = names;
    this.#registry = registry;
  }

  /** Null: nothing was passed over. */
  get foreign(): ForeignEvents | null {
    return this.#foreign;
  }

  /** The batches without foreign events. Throws UnknownEventError after the events before the unknown one. */
  async *in(batches: AsyncIterable<EventBatch>): AsyncGenerator<EventBatch, void, undefined> {
    const { types } = this.#registry;
    for await (const batch of batches) {
      const foreign = batch.events.filter(({ stream }) => !this.#isOwn(stream));
      const events =
        foreign.length === 0 ? batch.events : batch.events.filter(({ stream }) => this.#isOwn(stream));
      this.#count([...(batch.foreign ?? []), ...foreign]);
      const unknown = events.find(({ type }) => !types.has(type));
      if (!unknown) {
        yield events === batch.events ? batch : { ...batch, events };
        continue;
      }
      const before = events.slice(0, events.indexOf(unknown));
      const last = before.at(-1);
      if (last) yield { events: before, position: last.position, caughtUp: false };
      throw new UnknownEventError(unknown);
    }
  }

  #isOwn(stream: string): boolean {
    const category = this.#names.categoryOf(stream);
    return category !== null && this.#registry.streams.has(category);
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
}

/** Example: `3 events in podium/foo-1`. */
export const describeForeign = ({ events, streams }: ForeignEvents): string =>
  `${events} event${events === 1 ? '' : 's'} in ${streams.join(', ')}`;
