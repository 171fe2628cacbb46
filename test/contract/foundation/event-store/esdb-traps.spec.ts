/**
 * What an EventStoreDB does that would hurt a client which did not know it. These tests ask nothing of the server but what
 * every one does, and run on a real one where PODIUM_TEST_EVENTSTOREDB_URL names it.
 */
import { randomUUID } from 'node:crypto';
import {
  ANY,
  type AppendExpectedRevision,
  EventStoreDBClient,
  jsonEvent,
  NO_STREAM as NO_STREAM_OF_CLIENT,
  STREAM_EXISTS,
  WrongExpectedVersionError,
} from '@eventstore/db-client';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { openEventStore } from '../../../../src/app/stores/open-event-store.js';
import {
  type EventStore,
  EventStoreUnavailableError,
  NO_STREAM,
} from '../../../../src/foundation/event-store/event-store.js';
import { collect, ids, newEvent, newEvents, Subscriber } from '../../../support/events.js';
import { type EsdbEngine, startEsdb } from '../../../support/eventstoredb/engine.js';

const BEYOND = 97 * 1_000_000_000;

describe('on an EventStoreDB', () => {
  let engine: EsdbEngine;
  let store: EventStore;
  /** The client by itself, for what others do in the same store. */
  let others: EventStoreDBClient;
  let prefix: string;
  let stream: string;

  beforeAll(async () => {
    engine = await startEsdb();
    store = await openEventStore(engine.url);
    others = EventStoreDBClient.connectionString(engine.url);
  });
  afterAll(async () => {
    await others.dispose();
    await store.close();
    await engine.stop();
  });
  beforeEach(() => {
    prefix = `${randomUUID()}/`;
    stream = `${prefix}stream`;
  });

  const read = async (of = stream) => (await store.readStream(of)) ?? [];
  const subscribe = (after: number, signal: AbortSignal): Subscriber =>
    new Subscriber(store.subscribe({ after, filter: { streamPrefix: prefix }, signal }));

  describe('appending', () => {
    it('the same ids with another body writes nothing and is a duplicate', async () => {
      const [event] = newEvents(1);
      const first = await store.append(stream, NO_STREAM, [{ ...newEvent(), ...event }]);
      const changed = { ...newEvent('Other', { changed: true }), id: event?.id ?? '' };
      expect(await store.append(stream, NO_STREAM, [changed])).toEqual({ ...first, duplicate: true });
      expect(await read()).toMatchObject([{ type: 'Happened' }]);
    });

    it('the same ids answers as the first time, however much came after', async () => {
      const events = newEvents(2);
      const first = await store.append(stream, NO_STREAM, events);
      for (let index = 0; index < 5; index += 1) await store.append(stream, 1 + index * 100, newEvents(100));
      expect(await store.append(stream, NO_STREAM, events)).toEqual({ ...first, duplicate: true });
      expect(await read()).toHaveLength(502);
    });

    describe('the same ids again to a stream that holds a and b', () => {
      /** An answer as to an earlier append with its revision, a conflict, or `stored`. `n` is new. */
      type Answer = number | 'conflict' | 'stored';
      const OF_ANY: readonly Answer[] = [1, 0, 'conflict', 'stored', 'conflict', 0, 1, 'conflict'];
      const COLUMNS = ['ab', 'ba', 'bn', 'nb', 'an', 'a', 'b', 'abn'];
      const ROWS: readonly (readonly [AppendExpectedRevision, readonly Answer[]])[] = [
        [ANY, OF_ANY],
        [STREAM_EXISTS, OF_ANY],
        [NO_STREAM_OF_CLIENT, [1, 'conflict', 'conflict', 'conflict', 'conflict', 0, 'conflict', 'conflict']],
        [0n, ['conflict', 'conflict', 'conflict', 'conflict', 'conflict', 'conflict', 1, 'conflict']],
        [1n, Array(8).fill('stored')],
      ];
      const cases = ROWS.flatMap(([expected, answers]) =>
        COLUMNS.map((letters, index) => ({ expected, letters, answer: answers[index] })),
      );

      const answerTo = async (
        expectedRevision: AppendExpectedRevision,
        letters: string,
        idOf: (letter: string) => string,
      ): Promise<Answer> => {
        const events = [...letters].map((letter) => jsonEvent({ id: idOf(letter), type: 'T', data: {} }));
        const appending = others.appendToStream(stream, events, { expectedRevision });
        const result = await appending.catch((error: unknown) => {
          if (error instanceof WrongExpectedVersionError) return null;
          throw error;
        });
        return result ? Number(result.nextExpectedRevision) : 'conflict';
      };
      const lettersIn = async (idOf: (letter: string) => string): Promise<string> => {
        let letters = '';
        for await (const { event } of others.readStream(stream))
          letters += [...'abn'].find((letter) => idOf(letter) === event?.id);
        return letters;
      };

      it.each(cases)('$letters expecting $expected: $answer', async ({ expected, letters, answer }) => {
        const made = new Map([...'abn'].map((letter) => [letter, randomUUID()]));
        const idOf = (letter: string): string => made.get(letter) ?? '';
        await answerTo(NO_STREAM_OF_CLIENT, 'a', idOf);
        await answerTo(0n, 'b', idOf);
        const isStored = answer === 'stored';
        const revision = isStored ? 1 + letters.length : answer;
        expect(await answerTo(expected, letters, idOf)).toBe(revision);
        expect(await lettersIn(idOf)).toBe(isStored ? `ab${letters}` : 'ab');
      });

      it('an id that stands twice in one append is stored twice', async () => {
        const idOf = (): string => 'a3f0ad5e-54b5-4b83-a5f1-2f5b37c2a9d0';
        expect(await answerTo(NO_STREAM_OF_CLIENT, 'aa', idOf)).toBe(1);
        expect(await lettersIn(idOf)).toBe('aa');
      });
    });

    it('against another revision tells where the stream is, though the error has no message', async () => {
      expect(await store.append(stream, 5, newEvents(1))).toEqual({ ok: false, actual: NO_STREAM });
      await store.append(stream, NO_STREAM, newEvents(4));
      expect(await store.append(stream, 1, newEvents(1))).toEqual({ ok: false, actual: 3 });
    });

    it('more than the server takes is told apart, and hurts nobody beside it', async () => {
      const beside = Array.from({ length: 20 }, (_, index) =>
        store.append(`${prefix}beside/${index}`, NO_STREAM, newEvents(2)),
      );
      const tooLarge = newEvent('Large', { text: 'x'.repeat(2 * 1024 * 1024) });
      await expect(store.append(stream, NO_STREAM, [tooLarge])).rejects.toThrow(RangeError);
      // One this large would end the call for all that are under way on it.
      const muchTooLarge = newEvent('Large', { text: 'x'.repeat(20 * 1024 * 1024) });
      await expect(store.append(stream, NO_STREAM, [muchTooLarge])).rejects.toThrow(RangeError);
      for (const result of await Promise.all(beside)) expect(result.ok).toBe(true);
      expect(await store.readStream(stream)).toBeNull();
    });
  });

  describe('reading', () => {
    it('leaves 120 reads early and still gets answers', async () => {
      // A shared server may hold much before it.
      const after = await store.head();
      await store.append(stream, NO_STREAM, newEvents(50));
      for (let index = 0; index < 120; index += 1) {
        for await (const event of store.readAll({ after, filter: { streamPrefix: prefix } })) {
          expect(event.stream).toBe(stream);
          break;
        }
      }
      expect(await read()).toHaveLength(50);
    });

    it('reads 120 times a stream that is not there and still gets answers', async () => {
      for (let index = 0; index < 120; index += 1) expect(await read(`${prefix}none`)).toEqual([]);
      expect(await store.head()).toBeGreaterThan(0);
    });

    it('leaves 120 subscriptions early and still gets answers', async () => {
      await store.append(stream, NO_STREAM, newEvents(5));
      const { signal } = new AbortController();
      for (let index = 0; index < 120; index += 1) {
        for await (const batch of store.subscribe({ after: 0, filter: { types: [randomUUID()] }, signal })) {
          expect(batch.events).toEqual([]);
          break;
        }
      }
      expect(await read()).toHaveLength(5);
    });

    it('begins behind the position, though the server begins its reads at it and its subscriptions behind it', async () => {
      await store.append(stream, NO_STREAM, newEvents(3));
      const [first, second, third] = await read();
      if (!first || !second || !third) throw new Error('three events were appended');
      const after = second.position;
      expect(await collect(store.readAll({ after, filter: { streamPrefix: prefix } }))).toEqual([third]);
      const backwards = { after, filter: { streamPrefix: prefix }, direction: 'backwards' as const };
      expect(await collect(store.readAll(backwards))).toEqual([first]);
      const stop = new AbortController();
      const subscriber = subscribe(after, stop.signal);
      await subscriber.untilCaughtUp();
      stop.abort();
      expect(subscriber.events).toEqual([third]);
    });

    it('from a position beyond the end gives nothing, at once', async () => {
      await store.append(stream, NO_STREAM, newEvents(2));
      const after = (await store.head()) + BEYOND;
      expect(await collect(store.readAll({ after }))).toEqual([]);
      const filter = { streamPrefix: prefix };
      expect(await collect(store.readAll({ after, filter, direction: 'backwards' }))).toHaveLength(2);
      const stop = new AbortController();
      const subscriber = subscribe(after, stop.signal);
      await subscriber.untilCaughtUp();
      expect(subscriber.batches).toEqual([{ events: [], position: after, caughtUp: true }]);
      const end = subscriber.next();
      stop.abort();
      expect(await end).toBeNull();
    });

    it('passes over what is no event of Podium, and moves its position past it', async () => {
      await store.append(stream, NO_STREAM, newEvents(1));
      const foreign = jsonEvent({ type: 'Foreign', data: { of: 'others' } });
      const { position } = await others.appendToStream(`${prefix}foreign`, Array(3).fill(foreign));
      await others.appendToStream(`${randomUUID()}`, jsonEvent({ type: 'Foreign', data: {} }));
      expect(await collect(store.readAll({ filter: { streamPrefix: prefix } }))).toHaveLength(1);
      const stop = new AbortController();
      const subscriber = subscribe(0, stop.signal);
      await subscriber.until(({ batches }) => (batches.at(-1)?.position ?? 0) > Number(position?.commit));
      stop.abort();
      expect(subscriber.events).toHaveLength(1);
      const passedOver = subscriber.batches.flatMap(({ foreign = [] }) => foreign);
      expect(passedOver.map(({ stream }) => stream)).toEqual(Array(3).fill(`${prefix}foreign`));
    });

    it('refuses a stream of Podium into which others have written', async () => {
      await store.append(stream, NO_STREAM, newEvents(1));
      await others.appendToStream(stream, jsonEvent({ type: 'Foreign', data: {} }));
      await expect(store.readStream(stream)).rejects.toThrow(/not one of Podium/);
    });

    it('gives ids in lower case, as they were written', async () => {
      const id = randomUUID();
      const metadata = { actor: 'cli', $correlationId: 'c', schema: 1 };
      await others.appendToStream(
        stream,
        jsonEvent({ id: id.toUpperCase(), type: 'Happened', data: {}, metadata }),
      );
      expect(ids(await read())).toEqual([id]);
    });

    it('says that it has caught up where the last records of the store do not pass the filter', async () => {
      const after = await store.head();
      await store.append(stream, NO_STREAM, newEvents(3));
      for (let index = 0; index < 3; index += 1) {
        await store.append(`${randomUUID()}/x`, NO_STREAM, newEvents(25));
      }
      const head = await store.head();
      const stop = new AbortController();
      const subscriber = subscribe(after, stop.signal);
      await subscriber.untilCaughtUp();
      stop.abort();
      expect(subscriber.events).toHaveLength(3);
      expect(subscriber.batches.at(-1)?.position).toBeGreaterThanOrEqual(head);
    });
  });

  describe('a stream that somebody deleted', () => {
    it('is no stream, and goes on from its old revision', async () => {
      await store.append(stream, NO_STREAM, newEvents(3));
      await others.deleteStream(stream);
      expect(await store.readStream(stream)).toBeNull();
      const events = newEvents(2);
      expect(await store.append(stream, NO_STREAM, events)).toMatchObject({ ok: true, revision: 4 });
      expect(await read()).toMatchObject(events.map(({ id }, index) => ({ id, revision: 3 + index })));
    });

    it('for ever is neither read nor appended to', async () => {
      await store.append(stream, NO_STREAM, newEvents(3));
      await others.tombstoneStream(stream);
      const unavailable = expect.objectContaining({
        name: EventStoreUnavailableError.name,
        message: expect.stringContaining('deleted for ever'),
      });
      await expect(store.readStream(stream)).rejects.toEqual(unavailable);
      await expect(store.append(stream, 2, newEvents(1))).rejects.toEqual(unavailable);
    });
  });
});
