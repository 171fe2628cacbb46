/**
 * What a read-model store without transactions has to withstand: writers that died, were paused, or come twice. The
 * database is brought by hand into each state that a crash can leave behind.
 */
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { Binary, type Db, FindCursor, MongoClient } from 'mongodb';
import type {
  JournalDocument,
  LogEntry,
  RowDocument,
} from '../../../../src/engines/mongodb/read-models/documents.js';
import { Journal } from '../../../../src/engines/mongodb/read-models/journal.js';
import { DecisionLog } from '../../../../src/engines/mongodb/read-models/log.js';
import { MongoReadModelStore } from '../../../../src/engines/mongodb/read-models/mongo-read-model-store.js';
import { RowWriter } from '../../../../src/engines/mongodb/read-models/rows.js';
import type {
  Collection,
  Generation,
  ProjectionSchema,
  Write,
} from '../../../../src/foundation/read-models/read-model-store.js';
import { gate } from '../../../support/gate.js';
import { promote, startGeneration } from '../../../support/generations.js';
import { mongoServer, someDatabase } from '../../../support/mongodb/mongo-server.js';
import { requireShardKeys, watched } from '../../../support/mongodb/shard-keys.js';

interface Row {
  readonly id: string;
  readonly list: string;
  readonly value: number;
}

const rows: Collection<Row> = { name: 'rows', indexes: { ranking: ['list', 'value'] } };
const schema: ProjectionSchema = { name: 'toy', version: 1, collections: [rows] };
const SIZES = { updatesAtOnce: 10, commandsAtOnce: 1 };
const HOLDER = { name: 'projector', holder: 'here', ttlMs: 60_000 };

const server = await mongoServer(['ReadModelStore'], { what: 'the guards of the read-model store' });

const withServer = (urlFor: (database: string) => string): void => {
  let client: MongoClient;
  let db: Db;
  let url: string;
  let stores: MongoReadModelStore[];

  beforeEach(async () => {
    url = urlFor(someDatabase());
    client = new MongoClient(url);
    db = client.db();
    stores = [];
  });
  afterEach(async () => {
    for (const store of stores) await store.close();
    await db.dropDatabase();
    await client.close();
    requireShardKeys();
  });

  const open = async (retentionMs?: number): Promise<MongoReadModelStore> => {
    const store = new MongoReadModelStore(watched(url), retentionMs === undefined ? {} : { retentionMs });
    stores.push(store);
    await store.prepare([schema]);
    return store;
  };

  const put = (id: string, value: number, at: number): Write => {
    const document: Row = { id, list: 'l', value };
    return { kind: 'put', collection: rows, document, at };
  };
  const remove = (id: string, at: number): Write => ({ kind: 'remove', collection: rows, id, at });

  const liveGeneration = async (store: MongoReadModelStore, ...writes: readonly Write[]) => {
    const generation = await startGeneration(store, schema, 'events');
    await store.commit([{ generation, from: 0, to: 1, writes }]);
    await promote(store, { ...generation, position: 1 });
    return generation;
  };

  const commit = (
    store: MongoReadModelStore,
    generation: Generation,
    from: number,
    ...writes: readonly Write[]
  ) => store.commit([{ generation, from, to: from + 1, writes }]);

  const shown = (store: MongoReadModelStore): Promise<string> =>
    store.snapshot(async (view) => {
      const scanned = await view.scan(rows, { index: 'ranking', equals: { list: 'l' } });
      const count = await view.count(rows, 'ranking', { list: 'l' });
      const got = await view.getMany(
        rows,
        scanned.map(({ id }) => id),
      );
      expect([count, got]).toEqual([scanned.length, scanned]);
      const list = scanned.map(({ id, value }) => `${id}=${value}`).join(' ');
      return `${list} @${await view.position('toy')}`;
    });

  const entries = () => db.collection<LogEntry>('log');
  const lastEntry = async (): Promise<LogEntry> => {
    const [last] = await entries().find().sort({ _id: -1 }).limit(1).toArray();
    if (!last) throw new Error('the log is empty');
    return last;
  };
  const table = (generation: Generation) => db.collection<RowDocument>(`rows__${generation.number}`);

  /** Takes the last commit back to where it was decided: none of its rows is in place. */
  const undoLanding = async (generation: Generation, before: readonly RowDocument[]): Promise<LogEntry> => {
    const entry = await lastEntry();
    await table(generation).deleteMany({});
    if (before.length > 0) await table(generation).insertMany([...before]);
    await entries().updateOne({ _id: entry._id }, { $set: { applied: false } });
    return entry;
  };

  const redoOf = async ({ token, redo, undo }: LogEntry) => {
    if (token === null) throw new Error('the entry writes nothing');
    const writes = await new Journal(db.collection('journal')).redo({ token, redo, undo });
    if (!writes) throw new Error('its journal is gone');
    return writes;
  };

  describe('a commit that was decided and did not land', () => {
    it.each([0, 1, 2])(
      'with %i of its rows in place is not seen, and is finished by the next holder',
      async (landed) => {
        const store = await open();
        const generation = await liveGeneration(store, put('a', 1, 1), put('b', 2, 1));
        const before = await table(generation).find().toArray();
        await commit(store, generation, 1, put('a', 3, 2), remove('b', 2), put('c', 0, 2));
        const entry = await undoLanding(generation, before);
        await new RowWriter(db, SIZES).apply((await redoOf(entry)).slice(0, landed));
        const next = await open();
        expect(await shown(next)).toBe('a=1 b=2 @1');
        expect((await next.progress('toy')).live?.position).toBe(1);
        await next.acquireLease(HOLDER);
        expect(await shown(next)).toBe('c=0 a=3 @2');
        expect((await next.progress('toy')).live?.position).toBe(2);
      },
    );

    it.each([0, 20])(
      'of a generation that is building, so large that its journal is packed, is finished with %i of its rows in place',
      async (landed) => {
        const store = await open();
        const generation = await startGeneration(store, schema, 'events');
        const many = Array.from({ length: 2_000 }, (_, value) => ({
          ...put(`${value}`, value, 1),
          previous: null,
        }));
        const written = jest.spyOn(Journal.prototype, 'drop').mockResolvedValue();
        await commit(store, generation, 0, ...many);
        written.mockRestore();
        const rows = await table(generation)
          .find()
          .limit(landed || 1)
          .toArray();
        await undoLanding(generation, landed === 0 ? [] : rows);
        const piece = await db.collection<JournalDocument>('journal').findOne({ _id: /redo/ });
        expect(piece?.text).toBeInstanceOf(Binary);
        const next = await open();
        expect((await next.progress('toy')).building?.position).toBe(0);
        expect(await promote(next, { ...generation, position: 1 })).toBe('promoted');
        expect(await shown(next)).toBe(`${many.map((_, value) => `${value}=${value}`).join(' ')} @1`);
      },
    );

    it('of a live generation is journaled as text whatever its length, since nodes of older versions read it', async () => {
      const store = await open();
      const generation = await liveGeneration(store, put('a', 1, 1));
      const many = Array.from({ length: 2_000 }, (_, value) => put(`${value}`, value, 2));
      await commit(store, generation, 1, ...many);
      const pieces = await db.collection<JournalDocument>('journal').find().toArray();
      expect(pieces.some(({ text }) => String(text).length > 64 * 1024)).toBe(true);
      for (const { text } of pieces) expect(typeof text).toBe('string');
    });

    it('by a node of an older version, whose journal does not say which rows are new, is finished by one of this', async () => {
      const store = await open();
      const generation = await liveGeneration(store, put('a', 1, 1));
      const before = await table(generation).find().toArray();
      await commit(store, generation, 1, put('a', 3, 2), put('b', 2, 2));
      const { token } = await undoLanding(generation, before);
      const pieces = db.collection<JournalDocument>('journal');
      const redo = await pieces.findOne({ _id: `${token}/redo/0` });
      const text = String(redo?.text).replaceAll(',false]\n', ']\n');
      expect(text).not.toBe(redo?.text);
      await pieces.updateOne({ _id: `${token}/redo/0` }, { $set: { text }, $unset: { sum: '' } });
      const next = await open();
      await next.acquireLease(HOLDER);
      expect(await shown(next)).toBe('b=2 a=3 @2');
    });

    it('is finished by the writer that builds on the state before it, which learns that it was superseded', async () => {
      const store = await open();
      const generation = await liveGeneration(store, put('a', 1, 1));
      const before = await table(generation).find().toArray();
      await commit(store, generation, 1, put('a', 3, 2));
      await undoLanding(generation, before);
      const next = await open();
      expect(await commit(next, generation, 1, put('a', 4, 2))).toBe('superseded');
      expect(await shown(next)).toBe('a=3 @2');
      expect(await commit(next, generation, 2, put('a', 4, 3))).toBe('committed');
    });

    it('of a generation that is building leaves no journal, and another process goes on with it', async () => {
      const store = await open();
      const generation = await startGeneration(store, schema, 'events');
      await commit(store, generation, 0, put('a', 1, 1));
      expect(await db.collection('journal').countDocuments()).toBe(0);
      expect(await commit(await open(), generation, 1, put('b', 2, 2))).toBe('committed');
      expect(await promote(store, { ...generation, position: 2 })).toBe('promoted');
      expect(await shown(store)).toBe('a=1 b=2 @2');
    });
  });

  it('a commit that was journaled and not decided is as if it had not been begun', async () => {
    const store = await open(0);
    const generation = await liveGeneration(store, put('a', 1, 1));
    const { sequence } = await lastEntry();
    const redo = [{ table: `rows__${generation.number}`, id: 'a', row: { at: 2, b: '{}' }, isNew: false }];
    await new Journal(db.collection('journal')).write('lost', sequence, { redo, undo: [] });
    expect(await commit(store, generation, 1, put('a', 3, 2))).toBe('committed');
    expect(await shown(store)).toBe('a=3 @2');
    for (let from = 2; from < 4; from += 1) await commit(store, generation, from);
    await store.cleanUp();
    await store.cleanUp();
    expect(await db.collection('journal').countDocuments({ token: 'lost' })).toBe(0);
  });

  it('a writer that wakes up after others went on changes no row, not even one that was removed', async () => {
    const store = await open();
    const generation = await liveGeneration(store, put('a', 1, 1), put('b', 2, 1));
    await commit(store, generation, 1, put('a', 5, 2), put('b', 6, 2), put('c', 7, 2));
    const late = await redoOf(await lastEntry());
    await commit(store, generation, 2, put('a', 8, 3), remove('b', 3), remove('c', 3));
    const before = await table(generation).find().sort({ _id: 1 }).toArray();
    expect(before.find(({ _id }) => _id === 'b')?.r).toEqual({ at: 3, s: 0 });
    for (const isNew of [false, true]) {
      for (const write of late) await new RowWriter(db, SIZES).apply([{ ...write, isNew }]);
    }
    expect(await table(generation).find().sort({ _id: 1 }).toArray()).toEqual(before);
    expect(await shown(store)).toBe('a=8 @3');
  });

  it('a row that was removed comes back by a newer write', async () => {
    const store = await open();
    const generation = await liveGeneration(store, put('a', 1, 1));
    await commit(store, generation, 1, remove('a', 2));
    expect(await shown(store)).toBe(' @2');
    const write = { ...put('a', 9, 3), previous: null };
    await commit(store, generation, 2, write);
    expect(await shown(store)).toBe('a=9 @3');
  });

  it('of two that commit at once one is told that it was superseded, and nothing of it shows', async () => {
    const [one, other] = [await open(), await open()];
    const generation = await liveGeneration(one);
    const outcomes = await Promise.all([
      commit(one, generation, 1, put('a', 1, 2)),
      commit(other, generation, 1, put('b', 2, 2)),
    ]);
    expect([...outcomes].sort()).toEqual(['committed', 'superseded']);
    expect(await shown(one)).toBe(outcomes[0] === 'committed' ? 'a=1 @2' : 'b=2 @2');
  });

  it('live and building generations are committed side by side', async () => {
    const [one, other] = [await open(), await open()];
    const live = await liveGeneration(one);
    const building = await startGeneration(other, schema, 'events');
    const steps = Array.from({ length: 10 }, (_, from) => from);
    const both = [
      (async () => {
        for (const from of steps)
          expect(await commit(one, live, from + 1, put('a', from, from + 2))).toBe('committed');
      })(),
      (async () => {
        for (const from of steps)
          expect(await commit(other, building, from, put('b', from, from + 1))).toBe('committed');
      })(),
    ];
    await Promise.all(both);
    expect(await shown(one)).toBe('a=9 @11');
    await commit(other, building, 10, put('b', 1, 11));
    expect(await promote(other, building)).toBe('promoted');
    expect(await shown(one)).toBe('b=1 @11');
  });

  it('a view goes on seeing its moment through commits, removals and a swap', async () => {
    const store = await open();
    const generation = await liveGeneration(store, put('a', 1, 1), put('b', 2, 1), put('c', 3, 1));
    await store.snapshot(async (view) => {
      const read = async (limit?: number) => {
        const scan = { index: 'ranking', equals: { list: 'l' }, ...(limit !== undefined && { limit }) };
        return (await view.scan(rows, scan)).map(({ id, value }) => `${id}=${value}`).join(' ');
      };
      await commit(store, generation, 1, put('c', 0, 2), put('d', 0.5, 2), remove('a', 2));
      await commit(store, generation, 2, put('c', 9, 3), put('b', 8, 3));
      expect([await read(), await read(2), await view.count(rows, 'ranking', {})]).toEqual([
        'a=1 b=2 c=3',
        'a=1 b=2',
        3,
      ]);
      await promote(store, await startGeneration(store, schema, 'events'), { allowBehind: true });
      expect([await read(), await view.position('toy')]).toEqual(['a=1 b=2 c=3', 1]);
    });
    expect(await shown(store)).toBe(' @0');
  });

  it('nothing of replaced generations, old entries and their journals is left when no reader can read it', async () => {
    const store = await open(0);
    let generation = await liveGeneration(store, put('a', 1, 1));
    await liveGeneration(store, put('a', 2, 1));
    generation = await liveGeneration(store, put('a', 3, 1));
    await startGeneration(store, schema, 'events');
    for (let turn = 0; turn < 3; turn += 1) await store.cleanUp();
    const names = (await db.listCollections({}, { nameOnly: true }).toArray()).map(({ name }) => name);
    expect(names.filter((name) => name.startsWith('rows__'))).toEqual([`rows__${generation.number}`]);
    expect(await entries().countDocuments()).toBeLessThanOrEqual(3);
    expect(await db.collection('journal').countDocuments()).toBe(0);
    expect(await shown(store)).toBe('a=3 @1');
    expect(await commit(store, generation, 1, put('a', 4, 2))).toBe('committed');
  });

  it('a collection that a late writer made again is dropped by the next start', async () => {
    const store = await open(0);
    const old = await liveGeneration(store, put('a', 1, 1));
    await liveGeneration(store, put('a', 2, 1));
    for (let turn = 0; turn < 3; turn += 1) await store.cleanUp();
    await new RowWriter(db, SIZES).apply([
      { table: `rows__${old.number}`, id: 'a', row: { at: 9, b: '{"id":"a"}' }, isNew: false },
    ]);
    await open();
    const names = (await db.listCollections({}, { nameOnly: true }).toArray()).map(({ name }) => name);
    expect(names).not.toContain(`rows__${old.number}`);
    expect(await shown(store)).toBe('a=2 @1');
  });

  it('a moment taken before rows were in place stays so, though another moment has seen them there since', async () => {
    const store = await open();
    const generation = await liveGeneration(store, put('a', 1, 1));
    await commit(store, generation, 1, put('a', 3, 2));
    const { sequence, _id } = await lastEntry();
    await entries().updateOne({ _id }, { $set: { applied: false } });
    const log = new DecisionLog(entries());
    const [answered, goOn] = [gate(), gate()];
    const original = FindCursor.prototype.toArray;
    const late = jest.spyOn(FindCursor.prototype, 'toArray').mockImplementationOnce(async function (
      this: FindCursor,
    ) {
      const found = await original.call(this);
      answered.open();
      await goOn.opened;
      return found;
    });
    await client.withSession(async (session) => {
      const earlier = log.head(session);
      await answered.opened;
      await entries().updateOne({ _id }, { $set: { applied: true } });
      await client.withSession(async (later) => expect((await log.head(later)).pending).toEqual([]));
      // What the earlier session goes on to read is as of its own moment, also where the server has no snapshots.
      await entries().updateOne({ _id }, { $set: { applied: false } });
      goOn.open();
      expect((await earlier).pending.map((entry) => entry.sequence)).toEqual([sequence]);
    });
    late.mockRestore();
  });

  it('a lease that ran out by the server’s clock goes to another, and its old holder finds out', async () => {
    const [one, other] = [await open(), await open()];
    await one.acquireLease({ ...HOLDER, holder: 'one' });
    const leases = db.collection<{ readonly _id: string; readonly renewedAt: number }>('leases');
    await leases.updateOne({ _id: HOLDER.name }, { $inc: { renewedAt: -60_000 } });
    expect(await one.leases()).toEqual([]);
    expect((await other.acquireLease({ ...HOLDER, holder: 'other' }))?.holder).toBe('other');
    expect(await one.acquireLease({ ...HOLDER, holder: 'one' })).toBeNull();
    expect((await one.leases()).map(({ holder }) => holder)).toEqual(['other']);
  });
};

describe('without transactions', () => {
  if (server) withServer((database) => server.url(database));
  else it('did not run: the last lines of npm test say why', () => {});
});
