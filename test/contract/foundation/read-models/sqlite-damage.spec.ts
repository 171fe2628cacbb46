/** What the embedded read-model store does with content that is not what was written. */
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import {
  type HealingOptions,
  HealingReadModelStore,
} from '../../../../src/engines/sqlite/read-models/healing-read-model-store.js';
import { SqliteDatabase } from '../../../../src/engines/sqlite/sqlite.js';
import { type Damage, StoreDamagedError } from '../../../../src/foundation/integrity/damage.js';
import {
  type Collection,
  type Document,
  ReadModelUnavailableError,
} from '../../../../src/foundation/read-models/read-model-store.js';
import { promote, startGeneration } from '../../../support/generations.js';
import { until } from '../../../support/until.js';

interface Row extends Document {
  readonly list: string;
  readonly value: number;
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
  let stores: HealingReadModelStore[];

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

  const open = async (options: HealingOptions = {}): Promise<HealingReadModelStore> => {
    const store = new HealingReadModelStore(path, { onDamage: (damage) => damages.push(damage), ...options });
    stores.push(store);
    await store.prepare([schema]);
    return store;
  };

  const build = async (store: HealingReadModelStore): Promise<void> => {
    const generation = await startGeneration(store, schema, 'e');
    const writes = documents.map((document) => ({ kind: 'put' as const, collection: rows, document, at: 1 }));
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

  const read = (store: HealingReadModelStore, id: string) => store.snapshot((view) => view.get(rows, id));
  const scan = (store: HealingReadModelStore, list: string) =>
    store.snapshot((view) => view.scan(rows, { index: 'byValue', equals: { list } }));
  const versionOf = async (store: HealingReadModelStore) => (await store.progress('toy')).live?.version;
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
    expect(await versionOf(store)).toBe(0);
  });

  it('has all of it named by a scrub, and rows of older code counted', async () => {
    const store = await open();
    await build(store);
    spoil(`UPDATE ROWS SET f_value = 5 WHERE id = 'a';
      UPDATE ROWS SET doc = replace(doc, '20', '21') WHERE id = 'b';
      UPDATE ROWS SET sum = NULL WHERE id = 'c'`);
    const steps = [];
    for await (const step of store.scrub()) steps.push(step);
    expect(steps).toMatchObject([
      {
        checked: 3,
        unverified: 1,
        damages: [{ place: 'collection rows, document a' }, { place: 'collection rows, document b' }],
      },
    ]);
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
