/** What the read-model store on MongoDB does with content that is not what was written. The damage is done by the raw driver. */
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type {
  JournalDocument,
  LogEntry,
  RowDocument,
} from '../../../../src/engines/mongodb/read-models/documents.js';
import {
  type MongoReadModelOptions,
  MongoReadModelStore,
} from '../../../../src/engines/mongodb/read-models/mongo-read-model-store.js';
import { type ScrubStep, StoreDamagedError } from '../../../../src/foundation/integrity/damage.js';
import {
  type Collection,
  type Document,
  type Generation,
  ReadModelUnavailableError,
  type ReadView,
} from '../../../../src/foundation/read-models/read-model-store.js';
import { collect } from '../../../support/events.js';
import { promote, startGeneration } from '../../../support/generations.js';
import { mongoServer, someDatabase } from '../../../support/mongodb/mongo-server.js';
import { SpoiledDatabase } from '../../../support/mongodb/spoiled-database.js';
import { until } from '../../../support/until.js';

interface Row extends Document {
  readonly list: string;
  readonly value: number;
}

const rows: Collection<Row> = { name: 'rows', indexes: { byValue: ['list', 'value'] } };
const schema = { name: 'toy', version: 1, collections: [rows] };
const KEY = 'r.k.byValue__list__value';
const documents: readonly Row[] = [
  { id: 'a', list: 'x', value: 10 },
  { id: 'b', list: 'x', value: 20 },
  { id: 'c', list: 'y', value: 30 },
];
const HOLDER = { name: 'projector', holder: 'here', ttlMs: 60_000 };

const server = await mongoServer(['ReadModelStore'], { what: 'damage of the read models' });

const withServer = (urlFor: (database: string) => string): void => {
  let spoiled: SpoiledDatabase;
  let store: MongoReadModelStore;

  const open = async (options: MongoReadModelOptions = {}): Promise<MongoReadModelStore> => {
    const opened = new MongoReadModelStore(spoiled.url, {
      onDamage: (damage) => spoiled.damages.push(damage),
      ...options,
    });
    spoiled.closesFirst(opened);
    await opened.prepare([schema]);
    return opened;
  };

  const build = async (): Promise<Generation> => {
    const generation = await startGeneration(store, schema, 'e');
    const writes = documents.map((document) => ({ kind: 'put' as const, collection: rows, document, at: 1 }));
    expect(await store.commit([{ generation, from: 0, to: 1, writes }])).toBe('committed');
    await promote(store, generation);
    return generation;
  };

  let generation: Generation;
  beforeEach(async () => {
    spoiled = new SpoiledDatabase(urlFor(someDatabase()));
    store = await open();
    generation = await build();
  });
  afterEach(() => spoiled.drop());

  const table = () => spoiled.db.collection<RowDocument>(`rows__${generation.number}`);
  const entries = () => spoiled.db.collection<LogEntry>('log');
  const lastEntry = async (): Promise<LogEntry> => {
    const [last] = await entries().find().sort({ _id: -1 }).limit(1).toArray();
    if (!last) throw new Error('the log is empty');
    return last;
  };
  const read = (id: string, from = store) => from.snapshot((view) => view.get(rows, id));
  const scan = (list: string, from = store) =>
    from.snapshot((view) => view.scan(rows, { index: 'byValue', equals: { list } }));
  const all = (view: ReadView) => view.scan(rows, { index: 'byValue', equals: {} });
  const live = async () => (await store.progress('toy')).live;
  const scrubbed = (from = store): Promise<readonly ScrubStep[]> => collect(from.scrub());
  const damagesIn = (steps: readonly ScrubStep[]) => steps.flatMap((step) => step.damages);
  const changeValue = (id: string) =>
    table().updateOne({ _id: id }, { $set: { 'r.b': '{"id":"b","list":"x","value":21}' } });

  describe('a document', () => {
    it('that does not fit its checksum is never answered, and its projection is built anew', async () => {
      let healed = 0;
      store = await open({
        onHealed: () => {
          healed += 1;
        },
      });
      await changeValue('b');
      await expect(read('b')).rejects.toThrow(StoreDamagedError);
      await expect(scan('x')).rejects.toThrow('collection rows, document b');
      expect(await read('c')).toEqual(documents[2]);
      expect(await scan('y')).toEqual([documents[2]]);
      expect(await live()).toMatchObject({ version: 0, position: 1 });
      expect(spoiled.damages[0]).toMatchObject({
        store: 'read-models',
        place: 'collection rows, document b',
      });
      generation = await build();
      expect(await read('b')).toEqual(documents[1]);
      await until(
        async () => healed,
        (times) => times === 1,
      );
    });

    it('is not taken for a removed one when its content is gone', async () => {
      await table().updateOne({ _id: 'b' }, { $unset: { 'r.b': '' } });
      await expect(read('b')).rejects.toThrow('its checksum does not fit');
    });

    it('is not answered in the place of another', async () => {
      const other = await table().findOne({ _id: 'b' });
      await table().updateOne({ _id: 'a' }, { $set: { 'r.b': other?.r.b ?? '', 'r.s': other?.r.s ?? 0 } });
      await expect(read('a')).rejects.toThrow('another document is in its place');
    });

    it('is condemned by a thread that only reads, too', async () => {
      const reader = await open({ readOnly: true, heals: true });
      await changeValue('b');
      await expect(read('b', reader)).rejects.toThrow(StoreDamagedError);
      expect(await live()).toMatchObject({ version: 0 });
    });

    it('that a commit replaces is not journaled for readers when it is damaged', async () => {
      await changeValue('b');
      const writes = [{ kind: 'remove' as const, collection: rows, id: 'b', at: 2 }];
      await expect(store.commit([{ generation, from: 1, to: 2, writes }])).rejects.toThrow(StoreDamagedError);
      expect(await live()).toMatchObject({ version: 0, position: 1 });
    });
  });

  describe('documents that are missing or out of place', () => {
    it.each<[string, () => Promise<unknown>, (view: ReadView) => Promise<unknown>, string]>([
      ['a row that is gone, by a list of all', () => table().deleteOne({ _id: 'b' }), all, '2 are there'],
      [
        'a row that is gone, by a count of all',
        () => table().deleteOne({ _id: 'b' }),
        (view) => view.count(rows, 'byValue', {}),
        '2 are there',
      ],
      [
        'a row that no index lists, by a list of all',
        () => table().updateOne({ _id: 'b' }, { $unset: { [KEY]: '' } }),
        all,
        '2 are there',
      ],
      [
        'a row in another list, by that list',
        async () => {
          const other = await table().findOne({ _id: 'c' });
          await table().updateOne({ _id: 'b' }, { $set: { 'r.k': other?.r.k ?? {} } });
        },
        (view) => view.scan(rows, { index: 'byValue', equals: { list: 'y' } }),
        'in another place',
      ],
    ])('are noticed: %s', async (_name, damage, look, reason) => {
      const other = await open();
      await store.snapshot(look);
      await damage();
      await expect(store.snapshot(look)).rejects.toThrow(reason);
      for (const one of [store, other]) {
        await expect(scan('x', one)).rejects.toThrow(ReadModelUnavailableError);
        await expect(read('a', one)).rejects.toThrow('rebuilt from the events');
      }
      expect(await live()).toMatchObject({ version: -1, position: 0 });
      generation = await build();
      for (const one of [store, other]) expect(await scan('x', one)).toEqual(documents.slice(0, 2));
    });

    it.each<[string, () => Promise<unknown>, readonly string[]]>([
      ['gone', () => table().deleteOne({ _id: 'b' }), ['collection rows', 'collection rows, index byValue']],
      [
        'not listed',
        () => table().updateOne({ _id: 'b' }, { $unset: { [KEY]: '' } }),
        ['collection rows, index byValue', 'collection rows, document b'],
      ],
      [
        'too many',
        () => table().insertOne({ _id: 'd', r: { at: 1, b: '{"id":"d"}', s: 0 } }),
        ['collection rows', 'collection rows, document d'],
      ],
      [
        'older ones',
        () =>
          table().updateOne(
            { _id: 'b' },
            { $set: { 'r.b': '{"id":"b","list":"x","value":20 }', 'r.s': -1 } },
          ),
        ['collection rows', 'collection rows, document b'],
      ],
    ])('are named by a scrub, which condemns: %s', async (_name, damage, places) => {
      expect(damagesIn(await scrubbed())).toEqual([]);
      await damage();
      const reader = await open({ readOnly: true });
      expect(damagesIn(await scrubbed(reader)).map(({ place }) => place)).toEqual(places);
      expect(await live()).toMatchObject({ version: 1 });
      await scrubbed();
      expect(await live()).toMatchObject({ version: -1 });
      expect(spoiled.damages[0]?.place).toBe(places[0]);
    });

    it('are noticed at the start of a server', async () => {
      await table().deleteOne({ _id: 'b' });
      store = await open({ comparesTallies: true });
      expect(await live()).toMatchObject({ version: -1 });
      await expect(scan('y')).rejects.toThrow(ReadModelUnavailableError);
    });

    it('a scrub tells how far it has come', async () => {
      expect((await scrubbed()).at(-1)).toMatchObject({ checked: 3, unverified: 0, progress: 1 });
    });
  });

  describe('older code, which keeps no checksums,', () => {
    /** The database as older code leaves it behind. */
    const forget = async (): Promise<void> => {
      await table().updateMany({}, { $unset: { 'r.s': '' } });
      for await (const { _id, sum: _, ...entry } of entries().find()) {
        const generations = entry.generations.map(({ tallies: __, ...state }) => state);
        await entries().replaceOne({ _id }, { ...entry, generations });
      }
    };

    it('may have built a generation: it is read, and a scrub gives it its checksums and tallies', async () => {
      await store.close();
      await forget();
      store = await open();
      expect(await store.snapshot(all)).toEqual(documents);
      const [, first] = await scrubbed();
      expect(first).toMatchObject({ checked: 3, unverified: 3, damages: [] });
      expect(await scrubbed()).toMatchObject([{ damages: [] }, { checked: 3, unverified: 0, damages: [] }]);
      expect(await live()).toMatchObject({ version: 1, position: 1 });
      await table().deleteOne({ _id: 'b' });
      await expect(store.snapshot(all)).rejects.toThrow('2 are there');
    });

    it('may write to a generation of this code: it raises no alarm, and the next scrub counts anew', async () => {
      const { _id, sum: _, ...last } = await lastEntry();
      const sequence = last.sequence + 1;
      const generations = last.generations.map((one) => ({ ...one, position: 2, entry: sequence }));
      const next = { ...last, sequence, generations, steps: [{ generation: generation.number, from: 1 }] };
      await table().insertOne({ _id: 'd', r: { at: 2, b: '{"id":"d","list":"y","value":40}', k: {} } });
      await table().updateOne({ _id: 'd' }, { $set: { [KEY]: 'sy\u0001nc044000000000000\u0001sd\u0001' } });
      await entries().insertOne({ ...next, _id: String(sequence).padStart(16, '0') });
      store = await open();
      expect(await store.snapshot(all)).toHaveLength(4);
      const writes = [{ kind: 'remove' as const, collection: rows, id: 'a', at: 3 }];
      expect(await store.commit([{ generation, from: 2, to: 3, writes }])).toBe('committed');
      expect(damagesIn(await scrubbed())).toEqual([]);
      expect(await store.snapshot(all)).toHaveLength(3);
      await table().deleteOne({ _id: 'd' });
      expect(damagesIn(await scrubbed())[0]).toMatchObject({
        reason: '3 documents were written, and 2 are there',
      });
    });
  });

  describe('the journal', () => {
    /** Takes the last commit back to where it was decided: none of its rows is in place. */
    const decide = async (): Promise<LogEntry> => {
      const before = await table().find().toArray();
      const document: Row = { id: 'a', list: 'x', value: 99 };
      const writes = [{ kind: 'put' as const, collection: rows, document, at: 2 }];
      await store.commit([{ generation, from: 1, to: 2, writes }]);
      const entry = await lastEntry();
      await table().deleteMany({});
      await table().insertMany(before);
      await entries().updateOne({ _id: entry._id }, { $set: { applied: false } });
      return entry;
    };
    const damage = async ({ token }: LogEntry, kind: string): Promise<void> => {
      const journal = spoiled.db.collection<JournalDocument>('journal');
      const piece = await journal.findOne({ _id: `${token}/${kind}/0` });
      const text = String(piece?.text).replace('"value":', '"valve":');
      expect(text).not.toBe(piece?.text);
      await journal.updateOne({ _id: `${token}/${kind}/0` }, { $set: { text } });
    };

    it('that is damaged is shown to no reader', async () => {
      await damage(await decide(), 'undo');
      await expect(read('a', await open())).rejects.toThrow(StoreDamagedError);
    });

    it.each(['damaged', 'lost'])(
      'that is %s cannot complete a commit, so the projection is built anew',
      async (how) => {
        const entry = await decide();
        if (how === 'damaged') await damage(entry, 'redo');
        else await spoiled.db.collection('journal').deleteMany({});
        const next = await open();
        expect(await next.acquireLease(HOLDER)).toMatchObject({ holder: 'here' });
        expect((await next.progress('toy')).live).toMatchObject({ version: -1 });
        expect(spoiled.damages[0]?.place).toContain('journal');
        await expect(read('a', next)).rejects.toThrow(ReadModelUnavailableError);
        store = next;
        generation = await build();
        expect(await read('a')).toEqual(documents[0]);
      },
    );
  });

  describe('what can be made anew', () => {
    const result = {
      key: 'r',
      tenant: 'a',
      recipe: 'how',
      body: '[1]',
      truncated: false,
      madeAt: 5,
      usedAt: 5,
      keepUntil: 50,
      warmAt: 7,
    };

    it('is a result of a log query, which counts as none when it is damaged', async () => {
      const { resultCache } = store;
      const results = spoiled.db.collection<{ readonly _id: string }>('cached_results');
      await resultCache.put(result);
      await resultCache.renew({ ...result, body: '[2]', madeAt: 6 });
      expect(await resultCache.get('r')).toEqual({ ...result, body: '[2]', madeAt: 6 });
      await results.updateOne({ _id: 'r' }, { $set: { body: '[3]' } });
      expect(await resultCache.get('r')).toBeNull();
      await resultCache.put(result);
      expect(await resultCache.due('a', 8, 9)).toHaveLength(1);
      await results.updateOne({ _id: 'r' }, { $set: { recipe: 'HOW' } });
      expect(await resultCache.due('a', 8, 9)).toEqual([]);
      expect(await resultCache.get('r')).toBeNull();
    });

    it('are the requests of a lineage, which is gone when one of them is damaged', async () => {
      const key = { stream: 's', version: 1 };
      const snapshot = { revision: 1, eventId: 'e', body: 'b' };
      const used = [
        ['k', 'f'],
        ['l', 'g'],
      ] as const;
      const lineage = (await store.snapshots.save(key, snapshot, { lineage: null, used })) ?? 0;
      expect(await store.snapshots.find(key, lineage, ['k'])).toEqual(new Map([['k', 'f']]));
      await spoiled.db
        .collection<{ readonly _id: string }>('used_requests')
        .updateOne({ _id: `${lineage} k` }, { $set: { fingerprint: 'x' } });
      expect(await store.snapshots.find(key, lineage, ['k'])).toBeNull();
      expect(await store.snapshots.find(key, lineage, ['l'])).toBeNull();
    });
  });

  it('a log that is damaged is not believed: it begins anew, and all is built again', async () => {
    const { _id, generations } = await lastEntry();
    await entries().updateOne(
      { _id },
      { $set: { generations: generations.map((one) => ({ ...one, position: 65 })) } },
    );
    store = await open();
    const other = await open();
    expect(spoiled.damages).toMatchObject([{ place: `log, entry ${_id}` }]);
    expect(await live()).toMatchObject({ version: -1, position: 0 });
    for (const one of [store, other]) await expect(read('a', one)).rejects.toThrow('rebuilt from the events');
    generation = await build();
    for (const one of [store, other]) expect(await one.snapshot(all)).toEqual(documents);
  });
};

describe('damage of the read models on MongoDB', () => {
  if (server) withServer((database) => server.url(database));
  else it('did not run: the last lines of npm test say why', () => {});
});
