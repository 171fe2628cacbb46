/**
 * What every event store has to do, whatever it is made of. It assumes neither that positions are gapless nor that
 * it is alone in the store: each test keeps to streams of its own.
 */
import { randomUUID } from 'node:crypto';
import { getEventListeners } from 'node:events';
import { afterAll, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { AppendTooLargeError } from '../../../../src/foundation/event-store/append-checks.js';
import {
  EventDamagedError,
  type EventStore,
  EventStoreUnavailableError,
  type NewEvent,
  NO_STREAM,
  type ReadStreamOptions,
  type RecordedEvent,
} from '../../../../src/foundation/event-store/event-store.js';
import { collect, ids, newEvent, newEvents, Subscriber } from '../../../support/events.js';

export interface EventStoreHarness {
  readonly store: EventStore;
  /** Another connection to the same store, as another process has. */
  readonly connect: (options?: { readonly maxAppendBytes: number }) => Promise<EventStore>;
  /** Changes one digit of the event's data where it is stored. Missing: the store has no checksums, or is out of reach. */
  readonly damage?: (stream: string, revision: number) => Promise<void>;
  readonly dispose: () => Promise<void>;
}

export const eventStoreContract = (name: string, open: () => Promise<EventStoreHarness>): void => {
  describe(`${name} as an event store`, () => {
    let harness: EventStoreHarness;
    let store: EventStore;
    /** Begins the name of every stream of the current test. */
    let prefix: string;
    let stream: string;

    beforeAll(async () => {
      harness = await open();
      store = harness.store;
    });
    afterAll(() => harness.dispose());
    beforeEach(() => {
      prefix = `${randomUUID()}/`;
      stream = `${prefix}stream`;
    });

    const read = async (of = stream): Promise<readonly RecordedEvent[]> => (await store.readStream(of)) ?? [];

    describe('append', () => {
      const cases: { expected: number; existing: number; ok: boolean }[] = [
        { expected: NO_STREAM, existing: 0, ok: true },
        { expected: NO_STREAM, existing: 3, ok: false },
        { expected: 0, existing: 0, ok: false },
        { expected: 1, existing: 3, ok: false },
        { expected: 2, existing: 3, ok: true },
        { expected: 3, existing: 3, ok: false },
      ];

      it.each(cases)('expecting $expected of a stream of $existing events: $ok', async (row) => {
        const before = newEvents(row.existing);
        if (row.existing > 0) await store.append(stream, NO_STREAM, before);
        const events = newEvents(2);
        const result = await store.append(stream, row.expected, events);
        if (row.ok) {
          const last = (await read()).at(-1);
          expect(result).toEqual({
            ok: true,
            revision: row.existing + 1,
            position: last?.position,
            duplicate: false,
          });
          expect(ids(await read())).toEqual(ids([...before, ...events]));
        } else {
          expect(result).toEqual({ ok: false, actual: row.existing === 0 ? NO_STREAM : row.existing - 1 });
          expect(ids(await read())).toEqual(ids(before));
        }
      });

      it('of more bytes than the limit is refused as too large, counted alike by every store', async () => {
        const { type, metadata } = newEvent();
        const envelope =
          JSON.stringify(metadata).length + '$$,"checksum":"0123abcd"'.length + type.length * 2;
        const data = { text: 'é'.repeat(500) };
        const maxAppendBytes = 2 * (envelope + Buffer.byteLength(JSON.stringify(data)));
        const limited = await harness.connect({ maxAppendBytes });
        const most = [newEvent(type, data), newEvent(type, data)];
        const more = [newEvent(type, data), newEvent(type, { text: `${data.text}x` })];
        const refused = limited.append(stream, NO_STREAM, more);
        await expect(refused).rejects.toEqual(new AppendTooLargeError(maxAppendBytes + 1, maxAppendBytes));
        expect(await store.readStream(stream)).toBeNull();
        expect(await limited.append(stream, NO_STREAM, most)).toMatchObject({ ok: true, revision: 1 });
        await limited.close();
      });

      it('lets just one of those win that expect the same revision', async () => {
        await store.append(stream, NO_STREAM, [newEvent()]);
        const results = await Promise.all(
          Array.from({ length: 20 }, () => store.append(stream, 0, [newEvent()])),
        );
        expect(results.filter(({ ok }) => ok)).toHaveLength(1);
        expect(await read()).toHaveLength(2);
      });

      it('gives appends that come together each its own fate', async () => {
        await store.append(`${prefix}taken`, NO_STREAM, [newEvent()]);
        const results = await Promise.all([
          store.append(`${prefix}a`, NO_STREAM, newEvents(2)),
          store.append(`${prefix}taken`, NO_STREAM, newEvents(2)),
          store.append(`${prefix}b`, NO_STREAM, newEvents(2)),
        ]);
        expect(results.map(({ ok }) => ok)).toEqual([true, false, true]);
        expect(await read(`${prefix}taken`)).toHaveLength(1);
        expect(await read(`${prefix}b`)).toHaveLength(2);
      });

      it('refuses an empty list, ids that are no UUID or stand twice, and types that are none, and goes on', async () => {
        const event = newEvent();
        const refused = [
          [],
          [{ ...event, id: 'x' }],
          [{ ...event, id: event.id.toUpperCase() }],
          [event, newEvent(), event],
          [{ ...event, type: '' }],
          [{ ...event, type: '$settings' }],
        ];
        for (const events of refused) {
          await expect(store.append(stream, NO_STREAM, events)).rejects.toThrow(TypeError);
        }
        expect(await store.append(stream, NO_STREAM, [event])).toMatchObject({ ok: true, revision: 0 });
      });
    });

    describe('appending the same ids again, expecting the same', () => {
      it('writes nothing and answers as the first time', async () => {
        const events = newEvents(3);
        const first = await store.append(stream, NO_STREAM, events);
        const again = await store.append(stream, NO_STREAM, events);
        expect(again).toEqual({ ...first, duplicate: true });
        expect(ids(await read())).toEqual(ids(events));
      });

      it('does so after others have appended', async () => {
        await store.append(stream, NO_STREAM, newEvents(2));
        const events = newEvents(2);
        const first = await store.append(stream, 1, events);
        await store.append(stream, 3, newEvents(5));
        expect(await store.append(stream, 1, events)).toEqual({ ...first, duplicate: true });
        expect(await read()).toHaveLength(9);
      });

      it('does so when both come at once', async () => {
        const events = newEvents(2);
        const results = await Promise.all([
          store.append(stream, NO_STREAM, events),
          store.append(stream, NO_STREAM, events),
        ]);
        expect(results.every(({ ok }) => ok)).toBe(true);
        expect(await read()).toHaveLength(2);
      });

      it('is a conflict when only some of them are there, or in another order', async () => {
        const events = newEvents(3);
        await store.append(stream, NO_STREAM, events);
        const [first, second] = events;
        if (!first || !second) throw new Error('three events were made');
        for (const others of [
          [first, newEvent()],
          [newEvent(), first],
          [second, first],
        ]) {
          expect(await store.append(stream, NO_STREAM, others)).toEqual({ ok: false, actual: 2 });
        }
        expect(ids(await read())).toEqual(ids(events));
      });

      it('is such a conflict behind a revision, too', async () => {
        const before = newEvents(2);
        const [first, second] = before;
        const [third, fourth] = newEvents(2);
        if (!first || !second || !third || !fourth) throw new Error('four events were made');
        await store.append(stream, NO_STREAM, before);
        await store.append(stream, 1, [third, fourth]);
        for (const others of [
          [third, newEvent()],
          [newEvent(), third],
          [fourth, third],
          [third, fourth, newEvent()],
          [newEvent()],
        ]) {
          expect(await store.append(stream, 1, others)).toEqual({ ok: false, actual: 3 });
        }
        expect(ids(await read())).toEqual(ids([first, second, third, fourth]));
      });

      it('to another stream writes another event', async () => {
        const event = newEvent();
        await store.append(stream, NO_STREAM, [event]);
        const other = await store.append(`${prefix}other`, NO_STREAM, [event]);
        expect(other).toMatchObject({ ok: true, duplicate: false });
      });
    });

    describe('an event', () => {
      it('is read as it was written', async () => {
        const plain = newEvent('Größe geändert', {
          name: 'Łukasz 🧊 \u0000 \ud800',
          list: [1, null, { deep: true }],
        });
        const full = {
          ...newEvent(),
          metadata: {
            actor: 'device',
            keyId: 'k',
            accountId: 'a',
            correlationId: 'c',
            causationId: 'e',
            schema: 3,
          },
        };
        const byCausation = {
          ...newEvent(),
          metadata: { actor: 'cli', correlationId: 'c', causationId: 'e', schema: 1 },
        };
        const name = `${prefix}straße/日本/🧊`;
        const before = Date.now();
        await store.append(name, NO_STREAM, [plain, full, byCausation]);
        const events = await read(name);
        expect(events).toMatchObject([plain, full, byCausation]);
        expect(events.map(({ metadata }) => metadata)).toEqual(
          [plain, full, byCausation].map(({ metadata }) => metadata),
        );
        for (const [revision, event] of events.entries()) {
          expect(event).toMatchObject({ stream: name, revision });
          expect(Math.abs(event.recordedAt - before)).toBeLessThan(60_000);
        }
      });

      it('keeps the time at which another store recorded it', async () => {
        const recordedAt = Date.UTC(2019, 6, 13, 9, 30, 0, 123);
        await store.append(stream, NO_STREAM, [{ ...newEvent(), recordedAt }, newEvent()]);
        const [copied, own] = await read();
        expect(copied?.recordedAt).toBe(recordedAt);
        expect(own?.recordedAt).toBeGreaterThan(recordedAt);
        expect(Object.keys(copied?.metadata ?? {})).toEqual(Object.keys(own?.metadata ?? {}));
      });

      it('may be large, and there may be many in an append', async () => {
        const large = newEvent('Large', { text: 'ü'.repeat(200_000) });
        await store.append(`${prefix}large`, NO_STREAM, [large]);
        expect((await read(`${prefix}large`))[0]?.data).toEqual(large.data);
        const many = newEvents(3_000);
        await store.append(stream, NO_STREAM, many);
        expect(ids(await read())).toEqual(ids(many));
      });
    });

    describe('readStream', () => {
      it('gives null where there is no stream', async () => {
        expect(await store.readStream(stream)).toBeNull();
      });

      it('reads in both directions, from a revision, up to a limit', async () => {
        await store.append(stream, NO_STREAM, newEvents(6));
        const revisions = async (options: Parameters<EventStore['readStream']>[1]): Promise<number[]> =>
          ((await store.readStream(stream, options)) ?? []).map(({ revision }) => revision);
        expect(await revisions({})).toEqual([0, 1, 2, 3, 4, 5]);
        expect(await revisions({ from: 4 })).toEqual([4, 5]);
        expect(await revisions({ from: 2, limit: 2 })).toEqual([2, 3]);
        expect(await revisions({ from: 6 })).toEqual([]);
        expect(await revisions({ direction: 'backwards' })).toEqual([5, 4, 3, 2, 1, 0]);
        expect(await revisions({ direction: 'backwards', limit: 1 })).toEqual([5]);
        expect(await revisions({ direction: 'backwards', from: 2, limit: 2 })).toEqual([2, 1]);
      });
    });

    describe('readAll', () => {
      const arrange = async (): Promise<RecordedEvent[]> => {
        await store.append(`${prefix}a/1`, NO_STREAM, [newEvent('Red'), newEvent('Blue')]);
        await store.append(`${prefix}b/1`, NO_STREAM, [newEvent('Red')]);
        await store.append(`${prefix}a/1`, 1, [newEvent('Green')]);
        await store.append(`${prefix}a/2`, NO_STREAM, [newEvent('Blue')]);
        return collect(store.readAll({ filter: { streamPrefix: prefix } }));
      };

      it('reads in the order of the appends, positions ascending', async () => {
        const all = await arrange();
        expect(all.map(({ type }) => type)).toEqual(['Red', 'Blue', 'Red', 'Green', 'Blue']);
        const positions = all.map(({ position }) => position);
        expect(positions).toEqual([...new Set(positions)].sort((a, b) => a - b));
        expect(positions[0]).toBeGreaterThan(0);
      });

      it('reads after a position, which is not itself read, in both directions', async () => {
        const all = await arrange();
        const after = all[2]?.position ?? 0;
        const filter = { streamPrefix: prefix };
        expect(await collect(store.readAll({ after, filter }))).toEqual(all.slice(3));
        expect(await collect(store.readAll({ after, filter, direction: 'backwards' }))).toEqual(
          all.slice(0, 2).reverse(),
        );
        expect(await collect(store.readAll({ filter, direction: 'backwards', limit: 2 }))).toEqual(
          all.slice(-2).reverse(),
        );
        expect(await collect(store.readAll({ filter, limit: 2 }))).toEqual(all.slice(0, 2));
      });

      it('reads nothing after the end or before the start', async () => {
        const last = (await arrange()).at(-1)?.position ?? 0;
        for (const beyond of [0, 1, 1_000]) {
          const after = Math.max(last, await store.head()) + beyond;
          expect(await collect(store.readAll({ after }))).toEqual([]);
          expect(await collect(store.readAll({ after, filter: { streamPrefix: prefix } }))).toEqual([]);
        }
        expect(await collect(store.readAll({ after: 0, direction: 'backwards' }))).toEqual([]);
      });

      it('filters by the beginning of the stream, by type, and by both', async () => {
        const all = await arrange();
        const filtered = async (streamPrefix: string, types?: string[]): Promise<RecordedEvent[]> =>
          collect(store.readAll({ filter: { streamPrefix, ...(types && { types }) } }));
        expect(await filtered(`${prefix}a/`)).toEqual(all.filter(({ stream: of }) => of !== `${prefix}b/1`));
        expect(await filtered(prefix, ['Red', 'Green'])).toEqual(all.filter(({ type }) => type !== 'Blue'));
        expect(ids(await filtered(`${prefix}a/1`, ['Red']))).toEqual(ids(all.slice(0, 1)));
        expect(await filtered(prefix, [randomUUID()])).toEqual([]);
        expect(await filtered(prefix, [])).toEqual([]);
      });
    });

    it('has its head at or after the last event', async () => {
      const before = await store.head();
      const result = await store.append(stream, NO_STREAM, newEvents(2));
      const position = result.ok ? result.position : Number.NaN;
      expect(position).toBeGreaterThan(before);
      expect(await store.head()).toBeGreaterThanOrEqual(position);
    });

    describe('subscribe', () => {
      let stop: AbortController;
      let after: number;
      beforeEach(async () => {
        stop = new AbortController();
        after = await store.head();
      });

      const subscribe = (
        options: { types?: string[]; batchSize?: number; after?: number } = {},
      ): Subscriber => {
        const { types, ...rest } = options;
        const filter = { streamPrefix: prefix, ...(types && { types }) };
        return new Subscriber(store.subscribe({ after, signal: stop.signal, filter, ...rest }));
      };

      it('says at once that it has caught up where there is nothing', async () => {
        const subscriber = subscribe({ after: await store.head() });
        await subscriber.untilCaughtUp();
        expect(subscriber.events).toEqual([]);
      });

      it('catches up in batches, says so, and goes on live', async () => {
        const past = newEvents(25);
        await store.append(stream, NO_STREAM, past);
        const subscriber = subscribe({ batchSize: 10 });
        await subscriber.untilCaughtUp();
        expect(ids(subscriber.events)).toEqual(ids(past));
        for (const batch of subscriber.batches) expect(batch.events.length).toBeLessThanOrEqual(10);

        const next = subscriber.until(({ events }) => events.length === 30);
        const live = newEvents(5);
        await store.append(stream, 24, live.slice(0, 2));
        await store.append(stream, 26, live.slice(2));
        await next;
        expect(ids(subscriber.events)).toEqual(ids([...past, ...live]));
        expect(subscriber.events).toEqual(await read());
      });

      it('goes on from any position it has given, missing nothing and repeating nothing', async () => {
        await store.append(stream, NO_STREAM, newEvents(30));
        const first = subscribe({ batchSize: 7 });
        await first.untilCaughtUp();
        let before = 0;
        for (const batch of first.batches) {
          before += batch.events.length;
          const second = subscribe({ after: batch.position });
          await second.until(({ events }) => events.length >= 30 - before);
          if (before === 30) await second.untilCaughtUp();
          expect(second.events).toEqual(first.events.slice(before));
        }
      });

      it('moves its position past events that do not pass the filter', async () => {
        const subscriber = subscribe({ types: ['Wanted'] });
        await subscriber.untilCaughtUp();
        const result = await store.append(stream, NO_STREAM, newEvents(3, 'Unwanted'));
        const position = result.ok ? result.position : Number.NaN;
        await subscriber.until(({ batches }) => (batches.at(-1)?.position ?? 0) >= position);
        expect(subscriber.events).toEqual([]);
        await store.append(stream, 2, newEvents(1, 'Wanted'));
        await subscriber.until(({ events }) => events.length === 1);
      });

      it('waits for a slow consumer and drops nothing', async () => {
        const subscriber = subscribe({ batchSize: 5 });
        await subscriber.next();
        const events = newEvents(200);
        for (const [index, event] of events.entries()) {
          await store.append(stream, index === 0 ? NO_STREAM : index - 1, [event]);
          if (index % 50 === 0) await subscriber.next();
        }
        await subscriber.until((so) => so.events.length === 200);
        expect(ids(subscriber.events)).toEqual(ids(events));
      });

      it('tells of what another connection appends', async () => {
        const other = await harness.connect();
        const subscriber = subscribe();
        await subscriber.untilCaughtUp();
        const next = subscriber.until(({ events }) => events.length === 3);
        const events = newEvents(3);
        await other.append(stream, NO_STREAM, events);
        await next;
        expect(ids(subscriber.events)).toEqual(ids(events));
        await other.close();
      });

      it('ends without an error when it is aborted while it waits, and before it begins', async () => {
        const waiting = subscribe();
        await waiting.untilCaughtUp();
        const end = waiting.next();
        stop.abort();
        expect(await end).toBeNull();
        expect(await subscribe().next()).toBeNull();
      });

      it('leaves nothing on its signal when its reader stops', async () => {
        const any = jest.spyOn(AbortSignal, 'any');
        const batches = store.subscribe({ after, signal: stop.signal, filter: { streamPrefix: prefix } });
        for await (const { caughtUp } of batches) if (caughtUp) break;
        const joined = any.mock.calls.length;
        any.mockRestore();
        expect(getEventListeners(stop.signal, 'abort')).toHaveLength(0);
        // What AbortSignal.any leaves in Node 20 is no listener.
        expect(joined).toBe(0);
      });

      it('ends between batches when it is aborted', async () => {
        await store.append(stream, NO_STREAM, newEvents(20));
        const subscriber = subscribe({ batchSize: 5 });
        await subscriber.until(({ events }) => events.length > 0);
        stop.abort();
        expect(await subscriber.next()).toBeNull();
      });
    });

    describe('a damaged event', () => {
      const RESULT = { attempt: 1_234 };
      const damaged = async (): Promise<readonly NewEvent[]> => {
        const events = Array.from({ length: 3 }, () => newEvent('Entered', RESULT));
        await store.append(stream, NO_STREAM, events.slice(0, 1));
        await store.append(stream, 0, events.slice(1));
        await harness.damage?.(stream, 1);
        return events;
      };
      const refused = () => ({ damage: { store: 'events', place: `stream ${stream}, revision 1` } });
      const filter = () => ({ streamPrefix: prefix });

      it('is refused by every read of its stream', async () => {
        if (!harness.damage) return;
        await damaged();
        const reads: readonly ReadStreamOptions[] = [
          {},
          { direction: 'backwards' },
          { from: 1, limit: 1 },
          { from: 1, direction: 'backwards', limit: 1 },
        ];
        for (const options of reads) {
          const read = store.readStream(stream, options);
          await expect(read).rejects.toBeInstanceOf(EventDamagedError);
          await expect(read).rejects.toMatchObject(refused());
        }
        expect(await store.readStream(stream, { limit: 1 })).toHaveLength(1);
        expect(await store.readStream(stream, { from: 2 })).toHaveLength(1);
      });

      it('is refused by reads of all events, which give those before it', async () => {
        if (!harness.damage) return;
        const [first, , last] = await damaged();
        for (const direction of ['forwards', 'backwards'] as const) {
          const seen: string[] = [];
          const reading = (async () => {
            for await (const { id } of store.readAll({ filter: filter(), direction })) seen.push(id);
          })();
          await expect(reading).rejects.toMatchObject(refused());
          expect(seen).toEqual([(direction === 'forwards' ? first : last)?.id]);
        }
      });

      it('is refused by subscriptions, which give those before it', async () => {
        if (!harness.damage) return;
        const before = await store.head();
        const events = await damaged();
        const stop = new AbortController();
        const subscriber = new Subscriber(
          store.subscribe({ after: before, filter: filter(), signal: stop.signal }),
        );
        await expect(subscriber.untilEnd()).rejects.toMatchObject(refused());
        expect(ids(subscriber.events)).toEqual(ids(events.slice(0, 1)));
        expect(subscriber.batches.at(-1)?.position).toBeLessThan(await store.head());
      });

      it('leaves the other streams and further appends as they are', async () => {
        if (!harness.damage) return;
        await damaged();
        await store.append(`${stream}-2`, NO_STREAM, newEvents(2));
        expect(await read(`${stream}-2`)).toHaveLength(2);
        expect(await store.append(stream, 2, newEvents(1))).toMatchObject({ ok: true, revision: 3 });
      });
    });

    describe('another connection', () => {
      it('is to the same store and sees the same events', async () => {
        const events = newEvents(3);
        await store.append(stream, NO_STREAM, events);
        const other = await harness.connect();
        expect(other.storeId).toBe(store.storeId);
        expect(await other.readStream(stream)).toEqual(await read());
        expect(await other.append(stream, NO_STREAM, events)).toMatchObject({ ok: true, duplicate: true });
        await other.close();
      });

      it('finishes what is under way when it is closed, then answers no more', async () => {
        const other = await harness.connect();
        const subscriber = new Subscriber(
          other.subscribe({ after: await other.head(), signal: new AbortController().signal }),
        );
        await subscriber.untilCaughtUp();
        const end = subscriber.untilEnd();
        const underWay = other.append(stream, NO_STREAM, newEvents(2));
        await other.close();
        expect(await underWay).toMatchObject({ ok: true, revision: 1 });
        await end;
        await expect(other.append(stream, 1, newEvents(1))).rejects.toThrow(EventStoreUnavailableError);
        expect(await read()).toHaveLength(2);
      });
    });
  });
};
