/** The embedded event store: the contract, and what is its own. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type Database from 'better-sqlite3';
import fc from 'fast-check';
import { openEventStore, openSqliteEventStore } from '../../../../src/app/stores/open-event-store.js';
import type { SqliteEventStore } from '../../../../src/engines/sqlite/event-store/sqlite-event-store.js';
import { SqliteDatabase } from '../../../../src/engines/sqlite/sqlite.js';
import {
  EventStoreUnavailableError,
  NO_STREAM,
  type RecordedEvent,
} from '../../../../src/foundation/event-store/event-store.js';
import { appendNext, collect, ids, newEvent, newEvents, Subscriber } from '../../../support/events.js';
import { eventStoreContract } from './event-store.contract.js';

const inFile = <T>(url: string, work: (database: Database.Database) => T): T => {
  const database = new SqliteDatabase(url.slice('sqlite:'.length));
  try {
    return work(database);
  } finally {
    database.close();
  }
};

/** How long another process holds the lock: the writer thread meets it many times. */
const HELD_MS = 200;

const newFolder = (): string => mkdtempSync(join(tmpdir(), 'podium-events-'));

eventStoreContract('SqliteEventStore', async () => {
  const folder = newFolder();
  const url = `sqlite:${join(folder, 'events.sqlite')}`;
  const store = await openEventStore(url);
  const dispose = async (): Promise<void> => {
    await store.close();
    rmSync(folder, { recursive: true });
  };
  const damage = async (stream: string, revision: number): Promise<void> =>
    inFile(url, (database) => {
      const changed = database
        .prepare(
          "UPDATE events SET data = replace(data, '1234', '1134') WHERE revision = ? AND stream = (SELECT id FROM streams WHERE name = ?)",
        )
        .run(revision, stream);
      if (changed.changes !== 1) throw new Error('nothing was damaged');
    });
  return { store, connect: (options) => openEventStore(url, options), damage, dispose };
});

describe('SqliteEventStore', () => {
  let folder: string;
  let url: string;
  let store: SqliteEventStore;
  beforeEach(async () => {
    folder = newFolder();
    url = `sqlite:${join(folder, 'in', 'a', 'folder', 'events.sqlite')}`;
    store = await openSqliteEventStore(url);
  });
  afterEach(async () => {
    await store.close();
    rmSync(folder, { recursive: true });
  });

  it('keeps its id, its events and their ids when it is opened again', async () => {
    const events = newEvents(3);
    const first = await store.append('s', NO_STREAM, events);
    const { storeId } = store;
    await store.close();
    store = await openSqliteEventStore(url);
    expect(store.storeId).toBe(storeId);
    expect(ids((await store.readStream('s')) ?? [])).toEqual(ids(events));
    expect(await store.append('s', NO_STREAM, events)).toEqual({ ...first, duplicate: true });
  });

  it('makes every commit durable before it is answered', async () => {
    const database = new SqliteDatabase(url.slice('sqlite:'.length));
    expect(database.pragma('journal_mode', { simple: true })).toBe('wal');
    database.close();
  });

  it('lets an append wait while another process holds the lock', async () => {
    await store.append('s', NO_STREAM, newEvents(1));
    const other = new SqliteDatabase(url.slice('sqlite:'.length));
    other.exec('BEGIN IMMEDIATE');
    const appended = store.append('s', 0, newEvents(1));
    const answered = appended.then(
      () => 'appended',
      () => 'failed',
    );
    expect(await Promise.race([answered, pause(HELD_MS, 'waits')])).toBe('waits');
    other.exec('ROLLBACK');
    other.close();
    expect(await appended).toMatchObject({ ok: true, revision: 1 });
  });

  it('says in one line why it cannot be opened', async () => {
    const other = join(folder, 'other.sqlite');
    new SqliteDatabase(other).exec('CREATE TABLE mine (a)').close();
    const text = join(folder, 'text.sqlite');
    writeFileSync(text, 'this is no database, but long enough to be taken for one'.repeat(20));
    const refused = {
      [`sqlite:${other}`]: /not an event store of Podium/,
      [`sqlite:${text}`]: /not a database/,
    };
    for (const [wrong, reason] of Object.entries({
      ...refused,
      [`sqlite:${text}/events.sqlite`]: /cannot open the event store/,
      'redis://localhost': /use sqlite:PATH, esdb:/,
    })) {
      const error = await openEventStore(wrong).catch((thrown: unknown) => thrown);
      expect(error).toBeInstanceOf(EventStoreUnavailableError);
      expect(String(error)).toMatch(reason);
      expect(String(error)).not.toContain('\n');
    }
  });

  it('refuses ids that are no UUID, and data that has no JSON, and goes on', async () => {
    const append = (change: object): Promise<unknown> =>
      appendNext(store, 's', [{ ...newEvent(), ...change }]);
    const good = append({});
    await expect(append({ id: 'x' })).rejects.toThrow(TypeError);
    await expect(append({ data: { n: 1n } })).rejects.toThrow(TypeError);
    expect(await good).toMatchObject({ ok: true, revision: 0 });
    expect(await append({})).toMatchObject({ ok: true, revision: 1 });
  });

  it('opened read-only, refuses appends and hears of commits', async () => {
    const reader = await openEventStore(url, { readOnly: true });
    await expect(reader.append('s', NO_STREAM, newEvents(1))).rejects.toThrow('read-only');
    const subscriber = new Subscriber(reader.subscribe({ after: 0, signal: new AbortController().signal }));
    await subscriber.untilCaughtUp();
    const next = subscriber.until(({ events }) => events.length === 2);
    await store.append('s', NO_STREAM, newEvents(2));
    await next;
    await reader.close();
  });

  it('backs up what had been appended at one moment, while appends go on', async () => {
    await store.append('filler', NO_STREAM, newEvents(20_000));
    const before = await store.head();
    const copy = join(folder, 'copy.sqlite');
    let done = false;
    const backup = store.backup(copy).finally(() => {
      done = true;
    });
    let appended = 0;
    while (!done) {
      await store.append('s', appended === 0 ? NO_STREAM : appended - 1, newEvents(1));
      appended += 1;
    }
    await backup;
    const restored = await openEventStore(`sqlite:${copy}`);
    expect(restored.storeId).toBe(store.storeId);
    const head = await restored.head();
    expect(head).toBeGreaterThanOrEqual(before);
    const events = await collect(restored.readAll());
    expect(events).toEqual(await collect(store.readAll({ limit: events.length })));
    expect(head).toBe(events.at(-1)?.position);
    await restored.close();
  });
});

describe('filtered reads of a long log', () => {
  const folder = newFolder();
  let store: SqliteEventStore;
  let all: RecordedEvent[];
  const TYPES = ['Common', 'Seldom', 'Rare', 'Clustered'];

  /** 30,000 events: longer than what is looked through before the index is asked. */
  beforeAll(async () => {
    store = await openSqliteEventStore(`sqlite:${join(folder, 'events.sqlite')}`);
    const typeOf = (index: number): string => {
      if (index % 9_001 === 500) return 'Rare';
      if (index > 15_000 && index < 16_500) return 'Clustered';
      return index % 97 === 0 ? 'Seldom' : 'Common';
    };
    for (let start = 0; start < 30_000; start += 1_000) {
      const events = Array.from({ length: 1_000 }, (_, index) => newEvent(typeOf(start + index)));
      await store.append(`stream-${start % 7}/${start}`, NO_STREAM, events);
    }
    all = await collect(store.readAll());
  });
  afterAll(async () => {
    await store.close();
    rmSync(folder, { recursive: true });
  });

  const filters = fc.record(
    {
      types: fc.uniqueArray(fc.constantFrom(...TYPES, 'Unknown'), { maxLength: 5 }),
      streamPrefix: fc.constantFrom('stream-', 'stream-1/', 'stream-3/', 'none'),
    },
    { requiredKeys: [] },
  );
  const directions = fc.constantFrom('forwards' as const, 'backwards' as const);
  const positions = fc.integer({ min: 0, max: 30_010 });
  const limits = fc.oneof(fc.integer({ min: 1, max: 2_000 }), fc.constant(100_000));

  const naive = (after: number, filter: { types?: string[]; streamPrefix?: string }): RecordedEvent[] =>
    all.filter(
      ({ position, type, stream }) =>
        position > after &&
        (filter.types?.includes(type) ?? true) &&
        stream.startsWith(filter.streamPrefix ?? ''),
    );

  it('give what looking at every event gives', async () => {
    await fc.assert(
      fc.asyncProperty(filters, directions, positions, limits, async (filter, direction, from, limit) => {
        const read = await collect(store.readAll({ filter, direction, after: from, limit }));
        const expected =
          direction === 'forwards'
            ? naive(from, filter)
            : naive(0, filter)
                .filter(({ position }) => position < from)
                .reverse();
        expect(ids(read)).toEqual(ids(expected.slice(0, limit)));
      }),
      { numRuns: 40 },
    );
  });

  it('subscribe to the same', async () => {
    await fc.assert(
      fc.asyncProperty(
        filters,
        positions,
        fc.integer({ min: 50, max: 3_000 }),
        async (filter, after, batchSize) => {
          const stop = new AbortController();
          const subscriber = new Subscriber(
            store.subscribe({ after, filter, batchSize, signal: stop.signal }),
          );
          await subscriber.untilCaughtUp();
          stop.abort();
          expect(ids(subscriber.events)).toEqual(ids(naive(after, filter)));
          const reached = subscriber.batches.map(({ position }) => position);
          expect(reached).toEqual([...reached].sort((a, b) => a - b));
        },
      ),
      { numRuns: 20 },
    );
  });
});
