/** What the embedded read-model store does with content that is not what was written. */
import { mkdtemp, open as openFile, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import {
  type SqliteReadModelOptions,
  SqliteReadModelStore,
} from '../../../../src/engines/sqlite/read-models/sqlite-read-model-store.js';
import { SqliteDatabase } from '../../../../src/engines/sqlite/sqlite.js';
import { type Damage, StoreDamagedError } from '../../../../src/foundation/integrity/damage.js';
import {
  type Collection,
  type Document,
  ReadModelUnavailableError,
  type ReadView,
} from '../../../../src/foundation/read-models/read-model-store.js';
import { collect } from '../../../support/events.js';
import { promote, startGeneration } from '../../../support/generations.js';
import { until } from '../../../support/until.js';

interface Row extends Document {
  readonly list: string;
  readonly value: number | null;
}

const rows: Collection<Row> = { name: 'rows', indexes: { byValue: ['list', 'value'] } };
const schema = { name: 'toy', version: 1, collections: [rows] };
const documents: readonly Row[] = [
  { id: 'a', list: 'x', value: 10 },
  { id: 'b', list: 'x', value: 20 },
  { id: 'c', list: 'y', value: 30 },
];

describe('damage of the embedded read models', () => {
  let folder: string;
  let path: string;
  let damages: Damage[];
  let stores: SqliteReadModelStore[];

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'podium-damage-'));
    path = join(folder, 'read-models.sqlite');
    damages = [];
    stores = [];
  });
  afterEach(async () => {
    for (const store of stores) await store.close();
    await rm(folder, { recursive: true });
  });

  const open = async (options: SqliteReadModelOptions = {}): Promise<SqliteReadModelStore> => {
    const store = new SqliteReadModelStore(path, { onDamage: (damage) => damages.push(damage), ...options });
    stores.push(store);
    await store.prepare([schema]);
    return store;
  };

  const build = async (store: SqliteReadModelStore, built = documents): Promise<void> => {
    const generation = await startGeneration(store, schema, 'e');
    const writes = built.map((document) => ({ kind: 'put' as const, collection: rows, document, at: 1 }));
    expect(await store.commit([{ generation, from: 0, to: 1, writes }])).toBe('committed');
    await promote(store, generation);
  };

  const spoil = (statement: string): void => {
    const db = new SqliteDatabase(path);
    db.unsafeMode(true);
    db.pragma('writable_schema = ON');
    const [table] = db.prepare('SELECT name FROM generation_tables ORDER BY generation DESC').pluck().all();
    db.exec(statement.replaceAll('ROWS', String(table)));
    db.close();
  };

  const read = (store: SqliteReadModelStore, id: string) => store.snapshot((view) => view.get(rows, id));
  const scan = (store: SqliteReadModelStore, list: string) =>
    store.snapshot((view) => view.scan(rows, { index: 'byValue', equals: { list } }));
  const scrubbed = (store: SqliteReadModelStore) => collect(store.scrub());
  const versionOf = async (store: SqliteReadModelStore) => (await store.progress('toy')).live?.version;
  const aside = async () => (await readdir(folder)).filter((name) => /damaged-\w+$/.test(name));

  it('never answers a document that does not fit its checksum, and has its projection built anew', async () => {
    let healed = 0;
    const store = await open({
      onHealed: () => {
        healed += 1;
      },
    });
    await build(store);
    spoil(`UPDATE ROWS SET doc = replace(doc, '20', '21') WHERE id = 'b'`);
    await expect(read(store, 'b')).rejects.toThrow(StoreDamagedError);
    await expect(scan(store, 'x')).rejects.toThrow('collection rows');
    expect(damages[0]).toMatchObject({ store: 'read-models', reason: expect.stringContaining('checksum') });
    expect(await read(store, 'c')).toEqual(documents[2]);
    expect(await versionOf(store)).toBe(0);
    expect(healed).toBe(0);
    await build(store);
    expect(await read(store, 'b')).toEqual(documents[1]);
    await until(
      async () => healed,
      (times) => times === 1,
    );
  });

  it.each([
    ['under another value', `UPDATE ROWS SET f_value = 5 WHERE id = 'b'`],
    ['in another list', `UPDATE ROWS SET f_list = 'x' WHERE id = 'c'`],
  ])('notices an index that lists a document %s', async (_name, statement) => {
    const store = await open();
    await build(store);
    spoil(statement);
    await expect(scan(store, 'x')).rejects.toThrow('in another place');
    expect(await versionOf(store)).toBe(-1);
  });

  it('has all of it named by a scrub, and rows of older code counted', async () => {
    await build(await open());
    const store = await open({ readOnly: true });
    spoil(`UPDATE ROWS SET f_value = 5 WHERE id = 'a';
      UPDATE ROWS SET doc = replace(doc, '20', '21') WHERE id = 'b';
      UPDATE ROWS SET sum = NULL WHERE id = 'c'`);
    expect(await scrubbed(store)).toMatchObject([
      { checked: 0, damages: [{ place: 'collection rows' }] },
      {
        checked: 3,
        unverified: 1,
        progress: 1,
        damages: [{ place: 'collection rows, document a' }, { place: 'collection rows, document b' }],
      },
    ]);
    expect(await versionOf(store)).toBe(1);
  });

  it('has a scrub of a server condemn what it finds', async () => {
    const store = await open();
    await build(store);
    spoil(`UPDATE ROWS SET doc = replace(doc, '20', '21') WHERE id = 'b'`);
    await scrubbed(store);
    expect(await versionOf(store)).toBe(0);
    expect(await read(store, 'a')).toEqual(documents[0]);
    expect(damages).toMatchObject([{ place: 'collection rows, document b' }]);
  });

  it('answers no document in the place of another', async () => {
    const store = await open();
    await build(store);
    spoil(`UPDATE ROWS SET (doc, sum) = (SELECT doc, sum FROM ROWS WHERE id = 'b') WHERE id = 'a'`);
    await expect(read(store, 'a')).rejects.toThrow('another document is in its place');
  });

  describe('a row that is gone', () => {
    const remove = `DELETE FROM ROWS WHERE id = 'b'`;

    it.each<[string, (view: ReadView) => Promise<unknown>]>([
      ['a list of all', (view) => view.scan(rows, { index: 'byValue', equals: {} })],
      ['a count of all', (view) => view.count(rows, 'byValue', {})],
    ])('is noticed by %s, and then nothing is read until all is built anew', async (_name, look) => {
      const store = await open();
      const other = await open();
      await build(store);
      expect(await store.snapshot(look)).toBeTruthy();
      spoil(remove);
      await expect(store.snapshot(look)).rejects.toThrow('3 documents were written, and 2 are there');
      for (const one of [store, other]) {
        await expect(scan(one, 'y')).rejects.toThrow(ReadModelUnavailableError);
        await expect(read(one, 'a')).rejects.toThrow('rebuilt from the events');
      }
      expect((await store.progress('toy')).live).toMatchObject({ version: -1, position: 0 });
      await build(store);
      for (const one of [store, other]) expect(await one.snapshot(look)).toBeTruthy();
    });

    it('is noticed by a scrub', async () => {
      const store = await open();
      await build(store);
      spoil(remove);
      const [first] = await scrubbed(store);
      expect(first?.damages.map(({ place }) => place)).toEqual([
        'collection rows',
        'collection rows, index byValue',
      ]);
      expect(await versionOf(store)).toBe(-1);
    });

    it('is noticed at the start of a server', async () => {
      await build(await open());
      spoil(remove);
      const store = await open({ comparesTallies: true });
      expect(damages[0]).toMatchObject({
        place: 'collection rows',
        reason: expect.stringContaining('2 are there'),
      });
      await expect(scan(store, 'y')).rejects.toThrow(ReadModelUnavailableError);
    });

    it('is noticed by the writer that knows it', async () => {
      const store = await open();
      await build(store);
      spoil(remove);
      const { live: generation } = await store.progress('toy');
      const [, previous] = documents;
      if (!generation || !previous) throw new Error('there is no generation');
      const document = { ...previous, value: 21 };
      const write = { kind: 'put' as const, collection: rows, document, previous, at: 2 };
      await expect(store.commit([{ generation, from: 1, to: 2, writes: [write] }])).rejects.toThrow(
        'document b',
      );
      expect((await store.progress('toy')).live).toMatchObject({ version: -1, position: 0 });
    });
  });

  it.each([
    ['generations', 'live', 'lIve'],
    ['generations', 'toy', 'tOy'],
    ['one_generation_a_state', 'toy', 'tOy'],
  ])(
    'takes no generation that %s hides for one that was never built: %s is %s',
    async (tree, text, changed) => {
      const before = await open();
      await build(before);
      await before.close();
      await overwrite(tree, text, changed);
      const store = await open();
      expect(damages).toMatchObject([{ place: `file ${path}` }]);
      await expect(scan(store, 'y')).rejects.toThrow('rebuilt from the events');
      await build(store);
      expect(await scan(store, 'y')).toEqual([documents[2]]);
    },
  );

  /** Where a table or an index has the text on its first page: not in both. */
  const overwrite = async (tree: string, text: string, changed: string): Promise<void> => {
    const db = new SqliteDatabase(path);
    db.pragma('wal_checkpoint(TRUNCATE)');
    const page = db
      .prepare<[string], number>('SELECT rootpage FROM sqlite_schema WHERE name = ?')
      .pluck()
      .get(tree);
    db.close();
    const bytes = await readFile(path);
    const begin = (Number(page) - 1) * 4_096;
    const at = bytes.subarray(begin, begin + 4_096).lastIndexOf(text, undefined, 'latin1');
    expect(at).toBeGreaterThan(0);
    bytes.write(changed, begin + at, 'latin1');
    await writeFile(path, bytes);
  };

  it.each([
    ['bytes', '\x81\x46'],
    ['a number', '\x01\x47'],
  ])('answers no document of which a bit has made %s', async (_name, kind) => {
    const before = await open();
    await build(before, [...documents, { id: 'd', list: 'z'.repeat(60), value: null }]);
    await before.close();
    const kindsBefore = '\x0f\x81\x05\x00';
    await overwrite('rows__1', `${kindsBefore}\x81\x47`, kindsBefore + kind);
    const store = await open();
    await expect(read(store, 'd')).rejects.toThrow(StoreDamagedError);
    expect(damages).toMatchObject([{ place: 'collection rows, document d' }]);
    expect(await read(store, 'c')).toEqual(documents[2]);
  });

  describe('a page that leads to fewer rows than it has, and that the engine takes for sound', () => {
    const shortenPage = async (name: string): Promise<void> => {
      const db = new SqliteDatabase(path);
      db.pragma('wal_checkpoint(TRUNCATE)');
      const page = Number(
        db.prepare('SELECT rootpage FROM sqlite_schema WHERE name LIKE ?').pluck().get(name),
      );
      db.close();
      const file = await openFile(path, 'r+');
      const cells = Buffer.alloc(2);
      const at = (page - 1) * 4_096 + 3;
      await file.read(cells, 0, 2, at);
      cells.writeUInt16BE(cells.readUInt16BE() - 1);
      await file.write(cells, 0, 2, at);
      await file.close();
    };

    it.each([
      ['an index', 'rows__1__byValue%', 'collection rows, index byValue'],
      ['a table', 'rows__1', 'collection rows'],
    ])('of %s is noticed at the start', async (_name, object, place) => {
      const before = await open();
      await build(before);
      await before.close();
      await shortenPage(object);
      const store = await open({ comparesTallies: true });
      expect(damages.map((damage) => damage.place)).toContain(place);
      await expect(scan(store, 'y')).rejects.toThrow(ReadModelUnavailableError);
      await build(store);
      expect(await scan(store, 'y')).toEqual([documents[2]]);
    });

    it('is noticed by a list that has such a row', async () => {
      const before = await open();
      await build(before);
      await before.close();
      await shortenPage('rows__1');
      await expect(scan(await open(), 'y')).rejects.toThrow('it lists a document that is not there');
    });
  });

  it('takes no checkpoint that is not the one that was written', async () => {
    const store = await open();
    await build(store);
    spoil('UPDATE generations SET position_copy = 65');
    const reader = await open({ readOnly: true });
    expect((await scrubbed(reader))[0]?.damages).toMatchObject([{ place: 'the checkpoint of toy' }]);
    await expect(store.progress('toy')).rejects.toThrow('the checkpoint of toy');
    expect((await store.progress('toy')).live).toMatchObject({ version: -1, position: 0 });
    expect(damages).toMatchObject([{ place: 'the checkpoint of toy' }]);
  });

  it.each(['{"rows":[3,', '[]x', '[]', '7', 'null', '{"rows":3}', '{"rows":[3,"x",{}]}'])(
    'has a projection built anew whose tallies are none: %s',
    async (content) => {
      const before = await open();
      await build(before);
      await before.close();
      spoil(`UPDATE generations SET tallies = '${content}'`);
      const reader = await open({ readOnly: true });
      expect((await scrubbed(reader))[0]?.damages).toMatchObject([{ place: 'the tallies of generation 1' }]);
      const store = await open();
      expect(await versionOf(store)).toBe(-1);
      await build(store);
      expect(await read(store, 'b')).toEqual(documents[1]);
    },
  );

  describe('older code, which keeps no tallies,', () => {
    const ofOlderCode = `INSERT INTO ROWS VALUES ('d', 'y', 40, '{"id":"d","list":"y","value":40}', NULL);
      UPDATE generations SET position = position + 1`;

    it('may write to a generation, which is counted anew at the next start', async () => {
      const store = await open();
      await build(store);
      spoil(ofOlderCode);
      const { live: generation } = await store.progress('toy');
      if (!generation) throw new Error('there is no generation');
      const writes = [{ kind: 'remove' as const, collection: rows, id: 'a', at: 3 }];
      expect(await store.commit([{ generation, from: 2, to: 3, writes }])).toBe('committed');
      expect((await scrubbed(store)).flatMap((step) => step.damages)).toEqual([]);
      const next = await open({ comparesTallies: true });
      expect(await versionOf(next)).toBe(1);
      expect(damages).toEqual([]);
      spoil(`DELETE FROM ROWS WHERE id = 'd'`);
      await scrubbed(next);
      expect(damages[0]?.reason).toBe('3 documents were written, and 2 are there');
    });

    it('may have made the file, which is counted at the first start', async () => {
      const before = await open();
      await build(before);
      await before.close();
      spoil(`DROP TRIGGER copy_position; ALTER TABLE generations DROP COLUMN tallies;
        ALTER TABLE generations DROP COLUMN tallied; ALTER TABLE generations DROP COLUMN position_copy`);
      const reader = new SqliteReadModelStore(path, { readOnly: true });
      expect((await scrubbed(reader)).flatMap((step) => step.damages)).toEqual([]);
      await reader.close();
      const store = await open({ comparesTallies: true });
      expect(await versionOf(store)).toBe(1);
      expect(await scan(store, 'x')).toEqual([documents[0], documents[1]]);
      spoil(`DELETE FROM ROWS WHERE id = 'c'`);
      await scrubbed(store);
      expect(await versionOf(store)).toBe(-1);
    });
  });

  it.each([
    ['small commits', 60],
    ['large commits, which another thread writes', 6_000],
  ])('keeps the tallies of %s', async (_, count) => {
    const store = await open();
    const generation = await startGeneration(store, schema, 'e');
    const many = Array.from({ length: count }, (_, at) => ({
      id: `r${at}`,
      list: `l${at % 7}`,
      value: at % 100,
    }));
    const put = (document: Row) => ({ kind: 'put' as const, collection: rows, document, at: 1 });
    const again = many.map(({ id, ...more }, at) =>
      at % 3 === 0
        ? { kind: 'remove' as const, collection: rows, id, at: 2 }
        : put({ id, ...more, value: at % 2 === 0 ? null : 7 }),
    );
    await store.commit([{ generation, from: 0, to: 1, writes: many.map(put) }]);
    await store.commit([{ generation, from: 1, to: 2, writes: again }]);
    await promote(store, { ...generation, position: 2 });
    const found = await scrubbed(store);
    expect(found.reduce((sum, { checked }) => sum + checked, 0)).toBe((count * 2) / 3);
    expect(found.flatMap((step) => step.damages)).toEqual([]);
    expect(await store.snapshot((view) => view.count(rows, 'byValue', {}))).toBe(count / 3);
  });

  it('has a read-only thread condemn a generation, too', async () => {
    const writer = await open();
    await build(writer);
    const reader = await open({ readOnly: true, heals: true });
    spoil(`UPDATE ROWS SET doc = replace(doc, '20', '21') WHERE id = 'b'`);
    await expect(read(reader, 'b')).rejects.toThrow(StoreDamagedError);
    expect(await versionOf(writer)).toBe(0);
  });

  it('reads and completes a table that older code has made', async () => {
    const before = await open();
    await build(before);
    await before.close();
    spoil('ALTER TABLE ROWS DROP COLUMN sum');
    const store = await open();
    expect(await read(store, 'a')).toEqual(documents[0]);
    await build(store);
    spoil(`UPDATE ROWS SET doc = replace(doc, '20', '21') WHERE id = 'b'`);
    await expect(read(store, 'b')).rejects.toThrow(StoreDamagedError);
  });

  it('moves a damaged file aside, refuses reads until all is rebuilt, and every other connection follows', async () => {
    const store = await open();
    const other = await open();
    const reader = await open({ readOnly: true, heals: true });
    await build(store);
    spoil(`UPDATE sqlite_schema SET rootpage = 90000 WHERE name LIKE 'rows__%'`);
    const fresh = await open();
    await expect(read(fresh, 'a')).rejects.toThrow(ReadModelUnavailableError);
    expect(await aside()).toHaveLength(1);
    expect(damages[0]).toMatchObject({ store: 'read-models', place: `file ${path}` });
    for (const one of [store, other, reader, fresh]) {
      // One that meets the damage before it looks at the name of the file fails once.
      await until(
        () =>
          one.progress('toy').then(
            ({ live }) => live === null,
            () => false,
          ),
        (isEmpty) => isEmpty,
      );
      await expect(read(one, 'a')).rejects.toThrow('rebuilt from the events');
    }
    await build(other);
    for (const one of [store, other, reader, fresh]) expect(await scan(one, 'y')).toEqual([documents[2]]);
    expect(await aside()).toHaveLength(1);
  });

  it('leaves no file open when it is closed while a damaged one is replaced', async () => {
    const store = await open();
    const generation = await startGeneration(store, schema, 'e');
    // With another version of the schema an open connection reads it again.
    spoil(
      `UPDATE sqlite_schema SET rootpage = 90000 WHERE name LIKE 'rows__%'; PRAGMA schema_version = 9999`,
    );
    const lock = new SqliteDatabase(`${path}-lock`);
    lock.exec('BEGIN EXCLUSIVE');
    const reading = expect(store.viewOf(generation, (view) => view.get(rows, 'a'))).rejects.toThrow();
    await nextTurn();
    expect(await aside()).toHaveLength(0);
    const closing = store.close();
    lock.exec('COMMIT');
    lock.close();
    await Promise.all([reading, closing]);
    expect(await aside()).toHaveLength(1);
    // The last connection to a file removes its log.
    expect(await readdir(folder)).not.toContain(basename(`${path}-wal`));
  });

  it('gives a writer to the damaged file no generation of the new one', async () => {
    const store = await open();
    const generation = await startGeneration(store, schema, 'e');
    spoil(`UPDATE sqlite_schema SET rootpage = 90000 WHERE name LIKE 'rows__%'`);
    const fresh = await open();
    await fresh.snapshot((view) => view.get(rows, 'a')).catch(() => undefined);
    await until(
      async () => store.commit([{ generation, from: 0, to: 1, writes: [] }]),
      (outcome) => outcome === 'superseded',
    );
    const [next] = await fresh.startGenerations([schema], 'e');
    expect(next?.number).toBeGreaterThan(1_000_000);
  });

  it('keeps the last three damaged files', async () => {
    for (let time = 0; time < 5; time += 1) {
      const store = await open();
      await build(store);
      await store.close();
      await writeFile(path, 'no database '.repeat(500));
    }
    expect(await aside()).toHaveLength(3);
  });

  it('begins a file anew that takes no commit because what describes it is damaged', async () => {
    const before = await open();
    await build(before);
    await before.close();
    spoil(
      `UPDATE sqlite_schema SET sql = replace(sql, 'SET position_copy', 'SET position_copi') WHERE type = 'trigger'`,
    );
    const store = await open();
    const { live: generation } = await store.progress('toy');
    if (!generation) throw new Error('there is no generation');
    await expect(store.commit([{ generation, from: 1, to: 2, writes: [] }])).rejects.toThrow(
      ReadModelUnavailableError,
    );
    expect(await aside()).toHaveLength(1);
  });

  it('makes a missing table of a live generation no empty one', async () => {
    const before = await open();
    await build(before);
    await before.close();
    spoil('DROP TABLE ROWS');
    const store = await open();
    await expect(read(store, 'a')).rejects.toThrow(ReadModelUnavailableError);
    expect(await aside()).toHaveLength(1);
  });
});
