/** The feed: control events only, from its start on, told to aggregates and listeners; it survives a failing store. */
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { controlEventTypes } from '../../../../src/app/features.js';
import { EventFeed } from '../../../../src/foundation/aggregates/event-feed.js';
import {
  EventStoreUnavailableError,
  type RecordedEvent,
} from '../../../../src/foundation/event-store/event-store.js';
import { MemoryEventStore } from '../../../support/memory-event-store.js';

/** What aggregates are told, in order. */
class Told {
  readonly log: string[] = [];
  observeRevision({ stream, revision }: RecordedEvent): void {
    this.log.push(`${stream} ${revision}`);
  }
  startFollowing(): void {
    this.log.push('following');
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
});
