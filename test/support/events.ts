/** What tests of event stores share: ready-made events, and ways to take from a subscription. */
import { v7 as newEventId } from 'uuid';
import {
  type AppendResult,
  type EventBatch,
  type EventMetadata,
  type EventStore,
  type NewEvent,
  NO_STREAM,
  type RecordedEvent,
} from '../../src/foundation/event-store/event-store.js';

export const METADATA: EventMetadata = { actor: 'system', correlationId: 'test', schema: 1 };

export const newEvent = (type = 'Happened', data: object = {}): NewEvent => ({
  id: newEventId(),
  type,
  data,
  metadata: METADATA,
});

export const newEvents = (count: number, type = 'Happened'): NewEvent[] =>
  Array.from({ length: count }, (_, index) => newEvent(type, { index }));

/** As read back from a store, written under this schema. */
export const recordedEvent = (type: string, schema: number, data: object): RecordedEvent => ({
  ...newEvent(type, data),
  metadata: { ...METADATA, schema },
  stream: 's',
  revision: 0,
  position: 1,
  recordedAt: 0,
});

/** Appends after what the stream holds, whatever that is. */
export const appendNext = async (
  store: EventStore,
  stream: string,
  events: readonly NewEvent[],
): Promise<AppendResult> => {
  const [last] = (await store.readStream(stream, { direction: 'backwards', limit: 1 })) ?? [];
  return store.append(stream, last?.revision ?? NO_STREAM, events);
};

export const ids = (events: readonly { readonly id: string }[]): string[] => events.map(({ id }) => id);

export const collect = async <T>(items: AsyncIterable<T>): Promise<T[]> => {
  const all: T[] = [];
  for await (const item of items) all.push(item);
  return all;
};

/** Reads a subscription on, batch by batch, for tests that say when to go on. */
export class Subscriber {
  readonly batches: EventBatch[] = [];
  readonly #iterator: AsyncIterator<EventBatch>;

  constructor(subscription: AsyncIterable<EventBatch>) {
    this.#iterator = subscription[Symbol.asyncIterator]();
  }

  get events(): RecordedEvent[] {
    return this.batches.flatMap(({ events }) => events);
  }

  /** Null when the subscription has ended. */
  async next(): Promise<EventBatch | null> {
    const step = await this.#iterator.next();
    if (step.done) return null;
    this.batches.push(step.value);
    return step.value;
  }

  /** Goes on until what has come satisfies the condition. */
  async until(satisfied: (subscriber: this) => boolean): Promise<void> {
    while (!satisfied(this)) {
      if ((await this.next()) === null) throw new Error('the subscription ended early');
    }
  }

  async untilEnd(): Promise<void> {
    while ((await this.next()) !== null);
  }

  async untilCaughtUp(): Promise<void> {
    await this.until(({ batches }) => batches.at(-1)?.caughtUp === true);
  }
}
