/** What a node notices of its event store, also when other nodes wrote all that is in it. */
import { describe, expect, it } from '@jest/globals';
import { EventsLostError, NO_STREAM } from '../../../../src/foundation/event-store/event-store.js';
import { GuardedEventStore } from '../../../../src/foundation/losses/guarded-event-store.js';
import { LossGuard } from '../../../../src/foundation/losses/loss-guard.js';
import type { Witness } from '../../../../src/foundation/operational/witness-store.js';
import { newEvent } from '../../../support/events.js';
import { MemoryEventStore } from '../../../support/memory-event-store.js';

const opened = async () => {
  const eventStore = new MemoryEventStore();
  for (const stream of ['a', 'b', 'c']) await eventStore.add(stream, 'Happened', {});
  const raised: Witness[] = [];
  const guard = new LossGuard({
    eventStore,
    operational: {
      witnesses: {
        read: async () => ({ installation: null, witnesses: [], backup: null }),
        claim: async (installation) => installation,
        raise: async (witness) => void raised.push(witness),
        begin: async () => undefined,
        noteBackup: async () => undefined,
      },
    },
    readModelStore: { progressOf: async () => [] },
    projections: [],
    manifest: null,
    onError: (error) => {
      throw error;
    },
  });
  await guard.start();
  return { eventStore, guard, guarded: new GuardedEventStore(eventStore, guard), raised };
};

describe('a node that has appended nothing', () => {
  it('leaves a witness that names the last event of the store', async () => {
    const { eventStore, guard, raised } = await opened();
    const last = eventStore.log.at(-1);
    await guard.stop();
    expect(raised).toEqual([
      { storeId: eventStore.storeId, position: 3, event: { stream: 'c', revision: 0, id: last?.id } },
    ]);
  });

  it('notices a store that was put back and has grown past the witness since, and refuses', async () => {
    const { eventStore, guard, guarded } = await opened();
    const [first] = eventStore.log.splice(1);
    for (const stream of ['x', 'y', 'z']) await eventStore.add(stream, 'Happened', {});
    expect(first?.stream).toBe('b');
    await expect(guarded.readStream('c')).rejects.toBeInstanceOf(EventsLostError);
    await expect(guarded.append('c', NO_STREAM, [newEvent()])).rejects.toBeInstanceOf(EventsLostError);
    expect(guard.reason).toMatch(/does not hold the event that it had at position 3/);
    await guard.stop();
  });

  it('takes no end of another store that answered between two reads', async () => {
    const { eventStore, guard, guarded } = await opened();
    const own = [...eventStore.log];
    const other = new MemoryEventStore();
    for (const stream of ['x', 'y', 'z', 'z']) await other.add(stream, 'Happened', {});
    const exchange = (log: typeof own): void =>
      void eventStore.log.splice(0, Number.POSITIVE_INFINITY, ...log);
    await eventStore.add('d', 'Happened', {});
    own.push(...eventStore.log.slice(3));
    const readAll = eventStore.readAll.bind(eventStore);
    eventStore.readAll = (options) => {
      exchange(other.log);
      return readAll(options);
    };
    await expect(guard.confirm()).rejects.toBeInstanceOf(EventsLostError);
    eventStore.readAll = readAll;
    exchange(own);
    await guard.confirm();
    await expect(guarded.append('e', NO_STREAM, [newEvent()])).resolves.toMatchObject({ ok: true });
    await guard.stop();
  });

  it('appends again once the store is whole', async () => {
    const { eventStore, guard, guarded } = await opened();
    const cut = eventStore.log.splice(1);
    await expect(guarded.readStream('c')).rejects.toBeInstanceOf(EventsLostError);
    eventStore.log.push(...cut);
    await guard.confirm();
    await expect(guarded.append('d', NO_STREAM, [newEvent()])).resolves.toMatchObject({ ok: true });
    await guard.stop();
  });
});
