/** When a reader says that it has read all there is: the feed relies on it for 200 ms after that. */
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { StreamNames } from '../../../../../src/domain/streams.js';
import type { HandedEvents } from '../../../../../src/foundation/aggregates/event-feed.js';
import type { EventBatch } from '../../../../../src/foundation/event-store/event-store.js';
import { SubscribedEvents } from '../../../../../src/foundation/projections/runner/subscribed-events.js';
import { gate } from '../../../../support/gate.js';
import { MemoryEventStore } from '../../../../support/memory-event-store.js';

const SIGN_EVERY_MS = 50;

let handed: HandedEvents[];
let control: SubscribedEvents;
beforeEach(() => {
  jest.useFakeTimers({ doNotFake: ['nextTick', 'queueMicrotask'] });
  handed = [];
  control = new SubscribedEvents(new StreamNames(), { controlTypes: ['RoundClosed'] });
  control.onHanded = (one) => handed.push(one);
});
afterEach(() => {
  jest.useRealTimers();
});

/** Reads the batches as the live subscription of an event store. */
const live = (batches: AsyncIterable<EventBatch>) => {
  const store = new MemoryEventStore();
  store.subscribe = async function* () {
    yield* batches;
  };
  return control.read(store, [], { after: 0, signal: new AbortController().signal, handsOn: true });
};

const batch = (position: number, caughtUp = true): EventBatch => ({ events: [], position, caughtUp });

/** Reads the batches, each after its milliseconds, and is held up after the last one. */
const readHeldUp = async (
  batches: readonly (readonly [number, EventBatch])[],
): Promise<() => Promise<void>> => {
  const held = gate();
  const source = async function* () {
    for (const [ms, one] of batches) {
      await jest.advanceTimersByTimeAsync(ms);
      yield one;
    }
  };
  const reached = gate();
  const last = batches.at(-1)?.[1];
  const reading = (async () => {
    for await (const one of live(source())) {
      if (one.position !== last?.position) continue;
      reached.open();
      await held.opened;
    }
  })();
  await reached.opened;
  return async () => {
    held.open();
    await reading;
  };
};

describe('the signs of a reader', () => {
  it('come with a batch that reached the end, not while it is applied', async () => {
    const release = await readHeldUp([[0, batch(7)]]);
    expect(handed).toEqual([{ from: 0, events: [], position: 7, caughtUp: true }]);
    await jest.advanceTimersByTimeAsync(10 * SIGN_EVERY_MS);
    expect(handed).toHaveLength(1);
    await release();
  });

  it('come at most 50 ms apart while batches follow each other, and none before the end is reached', async () => {
    const times: number[] = [];
    control.onHanded = (one) => {
      handed.push(one);
      times.push(performance.now());
    };
    const release = await readHeldUp([
      [0, batch(1, false)],
      [60, batch(2, false)],
      ...[3, 4, 5, 6, 7, 8, 9, 10].map((position) => [20, batch(position)] as const),
    ]);
    expect(handed.at(0)).toEqual({ from: 0, events: [], position: 3, caughtUp: true });
    const gaps = times.slice(1).map((time, at) => time - (times[at] ?? 0));
    expect(gaps.length).toBeGreaterThan(1);
    expect(Math.max(...gaps)).toBeLessThanOrEqual(SIGN_EVERY_MS);
    await release();
  });

  it('come again and again while nothing follows, until the reader ends', async () => {
    let end: () => void = () => undefined;
    const source = async function* () {
      yield batch(4);
      await new Promise<void>((resolve) => {
        end = resolve;
      });
    };
    const reading = (async () => {
      for await (const _ of live(source()));
    })();
    await jest.advanceTimersByTimeAsync(3 * SIGN_EVERY_MS + 1);
    expect(handed.map(({ position }) => position)).toEqual([4, 4, 4, 4]);
    end();
    await reading;
    await jest.advanceTimersByTimeAsync(3 * SIGN_EVERY_MS);
    expect(handed).toHaveLength(4);
  });
});
