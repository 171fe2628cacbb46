/** The feed: control events only, from its start on, told to aggregates and listeners; it survives a failing store. */
import { once } from 'node:events';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { controlEventTypes } from '../../../../src/app/features.js';
import { StreamNames } from '../../../../src/domain/streams.js';
import { EventFeed, type HandedEvents } from '../../../../src/foundation/aggregates/event-feed.js';
import {
  EventStoreUnavailableError,
  type RecordedEvent,
} from '../../../../src/foundation/event-store/event-store.js';
import { Upcasters } from '../../../../src/foundation/event-store/upcasters.js';
import { SubscribedEvents } from '../../../../src/foundation/projections/runner/subscribed-events.js';
import { gate } from '../../../support/gate.js';
import { MemoryEventStore } from '../../../support/memory-event-store.js';
import { until } from '../../../support/until.js';

/** What aggregates are told, in order. */
class Told {
  readonly log: string[] = [];
  observeRevision({ stream, revision }: RecordedEvent): void {
    this.log.push(`${stream} ${revision}`);
  }
  startFollowing({ isContinued = false } = {}): void {
    this.log.push(isContinued ? 'continued' : 'following');
  }
  stopFollowing(): void {
    this.log.push('stopped');
  }
}

let store: MemoryEventStore;
let aggregates: Told;
let errors: unknown[];
let feed: EventFeed;
beforeEach(() => {
  store = new MemoryEventStore();
  aggregates = new Told();
  errors = [];
  feed = new EventFeed({
    store,
    names: { prefix: 'ours/' },
    types: controlEventTypes,
    aggregates,
    onError: (error) => errors.push(error),
  });
});
afterEach(() => feed.stop());

/** Resolves with the events listened to, when there are so many. */
const heard = (count: number): Promise<RecordedEvent[]> =>
  new Promise((resolve) => {
    const events: RecordedEvent[] = [];
    feed.listen((event) => {
      events.push(event);
      if (events.length === count) resolve(events);
    });
  });

describe('the feed', () => {
  it('tells of control events appended after its start, and of no others', async () => {
    await store.add('ours/contest', 'ContestCreated', {});
    await feed.start();
    const events = heard(2);
    await store.add('ours/round', 'AttemptEntered', {});
    await store.add('ours/round', 'RoundClosed', {});
    await store.add('ours/round', 'EntryRepeated', {});
    await store.add('theirs/round', 'RoundClosed', {});
    await store.add('ours/key', 'ApiKeyEnded', {});
    expect((await events).map(({ type }) => type)).toEqual(['RoundClosed', 'ApiKeyEnded']);
    expect(aggregates.log).toEqual(['following', 'ours/round 1', 'ours/key 0']);
  });

  it('goes on when a listener throws', async () => {
    await feed.start();
    feed.listen(() => {
      throw new Error('a bad listener');
    });
    const events = heard(2);
    await store.add('ours/round', 'RoundClosed', {});
    await store.add('ours/round', 'RoundReopened', {});
    expect(await events).toHaveLength(2);
    expect(errors).toHaveLength(2);
  });

  it('no longer tells a listener that has ended listening', async () => {
    await feed.start();
    const types: string[] = [];
    const end = feed.listen(({ type }) => types.push(type));
    end();
    const events = heard(1);
    await store.add('ours/round', 'RoundClosed', {});
    await events;
    expect(types).toEqual([]);
  });

  it('when the store fails, is not relied on, and goes on where it was once it is back', async () => {
    await feed.start();
    const events = heard(2);
    let failures = 2;
    store.beforeRead = () => {
      if (failures-- > 0) throw new EventStoreUnavailableError('gone');
    };
    await store.add('ours/round', 'RoundClosed', {});
    await store.add('ours/round', 'RoundReopened', {});
    expect((await events).map(({ revision }) => revision)).toEqual([0, 1]);
    expect(errors).toHaveLength(2);
    expect(aggregates.log.filter((entry) => entry === 'stopped')).toHaveLength(2);
    expect(aggregates.log.at(0)).toBe('following');
    expect(aggregates.log).toContain('ours/round 1');
  });

  it('starts although the store is down, and stops when told to', async () => {
    store.beforeRead = () => {
      throw new EventStoreUnavailableError('gone');
    };
    await feed.start();
    expect(errors.length).toBeGreaterThan(0);
    await feed.stop();
    expect(aggregates.log).not.toContain('following');
  });

  it('does not start where the store does not tell its end: what comes until it does would be missed', async () => {
    store.head = async () => {
      throw new EventStoreUnavailableError('gone');
    };
    await expect(feed.start()).rejects.toThrow('gone');
  });

  it('has started when it is stopped before it knows where the store ends', async () => {
    const told = gate();
    store.head = async () => {
      await told.opened;
      return 0;
    };
    const started = feed.start();
    await feed.stop();
    told.open();
    await started;
    expect(aggregates.log).toEqual([]);
  });

  it('has started when it is stopped before it has read to the end', async () => {
    const opened = gate();
    store.subscribe = async function* ({ signal }) {
      yield { events: [], position: 0, caughtUp: false };
      opened.open();
      if (!signal.aborted) await once(signal, 'abort');
    };
    const started = feed.start();
    await opened.opened;
    await feed.stop();
    await started;
    expect(aggregates.log).not.toContain('following');
  });
});

describe('the feed, beside a reader that hands events on', () => {
  /** The live subscription of read models, until it is stopped. It is held up after each batch as long as a test wants. */
  class Reader {
    readonly #stop = new AbortController();
    readonly ended: Promise<void>;
    held: Promise<void> = Promise.resolve();

    constructor(after: number, hand: (handed: HandedEvents) => void = (handed) => feed.hand(handed)) {
      const events = new SubscribedEvents(new StreamNames('ours'), { controlTypes: controlEventTypes });
      events.onHanded = hand;
      const options = { after, signal: this.#stop.signal, handsOn: true };
      const batches = events.read(readers, [], options);
      this.ended = (async () => {
        for await (const _ of batches) await this.held;
      })();
    }

    stop(): Promise<void> {
      this.#stop.abort();
      return this.ended;
    }
  }

  let readers: MemoryEventStore;
  let reader: Reader | null;
  /** How many subscriptions of the feed have begun, and how many are open. */
  let begun: number;
  let open: number;
  beforeEach(() => {
    readers = store.connect();
    reader = null;
    begun = 0;
    open = 0;
    const subscribe = store.subscribe.bind(store);
    store.subscribe = async function* (options) {
      begun += 1;
      open += 1;
      try {
        yield* subscribe(options);
      } finally {
        open -= 1;
      }
    };
  });
  afterEach(() => reader?.stop());

  const ownSubscriptions = (count: number): Promise<number> =>
    until(
      async () => open,
      (now) => now === count,
    );
  const close = (round: number): Promise<number> => store.add(`ours/round-${round}`, 'RoundClosed', {});

  it('has no subscription of its own, and tells of the same events', async () => {
    await store.add('ours/contest', 'ContestCreated', {});
    await feed.start();
    reader = new Reader(0);
    await ownSubscriptions(0);
    const events = heard(2);
    await close(1);
    await store.add('ours/round', 'AttemptEntered', {});
    await close(2);
    expect((await events).map(({ stream }) => stream)).toEqual(['ours/round-1', 'ours/round-2']);
    expect(aggregates.log).toEqual(['following', 'ours/round-1 0', 'ours/round-2 0']);
    expect(begun).toBe(1);
  });

  it('reads by itself where it stopped once the reader has ended, and tells of nothing twice', async () => {
    await feed.start();
    reader = new Reader(0);
    await ownSubscriptions(0);
    const events = heard(3);
    await close(1);
    await until(
      async () => aggregates.log,
      (log) => log.includes('ours/round-1 0'),
    );
    await reader.stop();
    await close(2);
    await ownSubscriptions(1);
    await close(3);
    expect((await events).map(({ stream }) => stream)).toEqual(
      [1, 2, 3].map((round) => `ours/round-${round}`),
    );
    const changes = (): string[] => aggregates.log.filter((entry) => !entry.includes(' '));
    expect(changes()).toEqual(['following', 'stopped', 'continued']);
    store.beforeRead = () => {
      store.beforeRead = () => undefined;
      throw new EventStoreUnavailableError('gone');
    };
    const more = heard(1);
    await close(4);
    await more;
    await until(
      async () => changes().slice(3),
      (later) => later.join() === 'stopped,following',
    );
  });

  it('reads by itself while the reader is held up by what it has read', async () => {
    await feed.start();
    reader = new Reader(0);
    await ownSubscriptions(0);
    const held = gate();
    reader.held = held.opened;
    await close(1);
    await ownSubscriptions(1);
    const events = heard(1);
    await close(2);
    expect((await events).map(({ stream }) => stream)).toEqual(['ours/round-2']);
    held.open();
    await ownSubscriptions(0);
  });

  it('tells of nothing that is handed on after its stop', async () => {
    await feed.start();
    await feed.stop();
    await close(1);
    const types: string[] = [];
    feed.listen(({ type }) => types.push(type));
    feed.hand({ from: 0, events: store.log, position: 1, caughtUp: true });
    expect({ types, told: aggregates.log }).toEqual({ types: [], told: ['following', 'stopped'] });
  });

  it('reports an event that cannot be lifted, and the reader goes on', async () => {
    const lift = (): object => {
      throw new Error('an old shape');
    };
    const upcasters = new Upcasters([{ type: 'RoundClosed', upTo: 9, lift }]);
    const names = { prefix: 'ours/' };
    const onError = (error: unknown) => errors.push(error);
    feed = new EventFeed({ store, names, types: controlEventTypes, aggregates, onError, upcasters });
    await feed.start();
    feed.listen(() => undefined);
    await close(1);
    feed.hand({ from: 0, events: store.log, position: 1, caughtUp: false });
    expect(errors).toEqual([new Error('an old shape')]);
    expect(aggregates.log).toEqual(['following', 'ours/round-1 0']);
  });

  it('keeps its own subscription beside a reader that is behind, or begins beyond what the feed has seen', async () => {
    await feed.start();
    const signs: HandedEvents[] = [];
    feed.hand({ from: 1, events: [], position: 1, caughtUp: true });
    feed.hand({ from: 0, events: [], position: 0, caughtUp: false });
    const events = heard(1);
    await close(1);
    await events;
    expect({ begun, open }).toEqual({ begun: 1, open: 1 });
    reader = new Reader(0, (handed) => {
      signs.push(handed);
      feed.hand(handed);
    });
    await until(
      async () => signs,
      (all) => all.some(({ caughtUp }) => caughtUp),
    );
    expect(signs.at(0)).toMatchObject({ from: 0, position: 1 });
    expect(aggregates.log).toEqual(['following', 'ours/round-1 0']);
  });
});
