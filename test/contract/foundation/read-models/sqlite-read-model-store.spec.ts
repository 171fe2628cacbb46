/** The read-model store's contract on SQLite, and what only the embedded store promises. */
import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { copyFile, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { openReadModelStore } from '../../../../src/app/stores/open-read-model-store.js';
import { SqliteCheckpointer } from '../../../../src/engines/sqlite/read-models/sqlite-checkpointer.js';
import { SqliteTable } from '../../../../src/engines/sqlite/read-models/sqlite-tables.js';
import { SqliteDatabase } from '../../../../src/engines/sqlite/sqlite.js';
import {
  type Collection,
  type Document,
  type ReadModelStore,
  ReadModelUnavailableError,
} from '../../../../src/foundation/read-models/read-model-store.js';
import { promote, startGeneration } from '../../../support/generations.js';
import { until } from '../../../support/until.js';
import { cachedResultsContract } from './cached-results.contract.js';
import { type ReadModelStoreFixture, readModelStoreContract } from './read-model-store.contract.js';
import { stateSnapshotsContract } from './state-snapshots.contract.js';

const openFixture = async (): Promise<ReadModelStoreFixture> => {
  const folder = await mkdtemp(join(tmpdir(), 'podium-read-models-'));
  const stores: ReadModelStore[] = [];
  return {
    open: async () => {
      const store = await openReadModelStore(`sqlite:${join(folder, 'read-models.sqlite')}`);
      stores.push(store);
      return store;
    },
    close: async () => {
      for (const store of stores) await store.close();
      await rm(folder, { recursive: true });
    },
  };
};

readModelStoreContract('SQLite', openFixture);
cachedResultsContract('SQLite', openFixture);
stateSnapshotsContract('SQLite', openFixture);

describe('a collection in SQLite', () => {
  const table = new SqliteTable(
    { name: 'lists', indexes: { ranking: ['list', 'value', 'date'], all: [], one: ['value'] } },
    1,
  );
  const db = new SqliteDatabase(':memory:');
  db.exec(table.createTable());
  for (const index of ['ranking', 'all', 'one']) db.exec(table.createIndex(index));

  const planOf = (sql: string, parameters: number): string =>
    db
      .prepare<unknown[], { readonly detail: string }>(`EXPLAIN QUERY PLAN ${sql}`)
      .all(Array(parameters).fill(1))
      .map(({ detail }) => detail)
      .join('; ');

  const shapes = ['ranking', 'all', 'one'].flatMap((index) =>
    Array.from({ length: table.fieldsOf(index).length + 1 }, (_, depth) => depth).flatMap((depth) =>
      [false, true].flatMap((continued) =>
        [false, true].map((descending) => ({ index, depth, continued, descending })),
      ),
    ),
  );

  it.each(shapes)('is read in index order without sorting: %j', (shape) => {
    const fields = table.fieldsOf(shape.index).length;
    const parameters = shape.depth + (shape.continued ? fields - shape.depth + 1 : 0) + 1;
    const plan = planOf(table.selectByIndex(shape), parameters);
    expect(plan).toContain(table.indexName(shape.index));
    expect(plan).not.toContain('TEMP B-TREE');
    if (shape.depth > 0 || shape.continued) expect(plan).toMatch(/^SEARCH/);
  });

  it('continues deep in a list without walking to it', () => {
    const sql = table.selectByIndex({ index: 'ranking', depth: 1, continued: true, descending: false });
    expect(planOf(sql, 5)).toContain('(f_list=? AND (f_value,f_date,id)>(?,?,?))');
  });

  it('is counted on the index alone', () => {
    expect(planOf(table.countByIndex('ranking', 1), 1)).toMatch(
      /^SEARCH .* USING COVERING INDEX .*\(f_list=\?/,
    );
  });
});

describe('the embedded read-model store', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'podium-read-models-'));
  });
  afterEach(() => rm(folder, { recursive: true }));

  it('gives the lease of a dead process of this host away at once', async () => {
    const store = await openReadModelStore(`sqlite:${join(folder, 'r.sqlite')}`);
    const dead = spawnSync(process.execPath, ['-e', '']).pid;
    await store.acquireLease({ name: 'projector', holder: `${hostname()}:${dead}:abc`, ttlMs: 60_000 });
    expect(await store.leases()).toEqual([]);
    expect(
      await store.acquireLease({
        name: 'projector',
        holder: `${hostname()}:${process.pid}:abc`,
        ttlMs: 60_000,
      }),
    ).not.toBeNull();
    expect(
      await store.acquireLease({ name: 'projector', holder: `${hostname()}:1:other`, ttlMs: 60_000 }),
    ).toBeNull();
    await store.close();
  });

  it('forgets a lease that ran out an hour ago', async () => {
    const store = await openReadModelStore(`sqlite:${join(folder, 'r.sqlite')}`);
    const hold = (name: string) => store.acquireLease({ name, holder: 'elsewhere:1:a', ttlMs: 5_000 });
    const lapsed = async () => (await store.lapsedLeases()).map(({ name }) => name);
    const now = Date.now();
    const clock = jest.spyOn(Date, 'now').mockReturnValue(now);
    try {
      await hold('one');
      clock.mockReturnValue(now + 3_600_000);
      expect(await lapsed()).toEqual(['one']);
      clock.mockReturnValue(now + 3_606_000);
      expect(await lapsed()).toEqual([]);
      await hold('other');
      // The clock is set back: the first lease would be remembered again, if it were still there.
      clock.mockReturnValue(now + 6_000);
      expect(await lapsed()).toEqual(['other']);
    } finally {
      clock.mockRestore();
      await store.close();
    }
  });

  it('gives a lease away that would run for as long as the clock was set back', async () => {
    const store = await openReadModelStore(`sqlite:${join(folder, 'r.sqlite')}`);
    const of = (holder: string) => store.acquireLease({ name: 'projector', holder, ttlMs: 5_000 });
    const now = Date.now();
    const clock = jest.spyOn(Date, 'now').mockReturnValue(now);
    try {
      expect(await of('elsewhere:1:a')).not.toBeNull();
      clock.mockReturnValue(now - 1_000);
      expect(await of('elsewhere:1:b')).toBeNull();
      clock.mockReturnValue(now - 3_600_000);
      expect(await store.leases()).toEqual([]);
      expect(await of('elsewhere:1:b')).toMatchObject({ expiresAt: now - 3_595_000 });
      expect(await of('elsewhere:1:a')).toBeNull();
    } finally {
      clock.mockRestore();
      await store.close();
    }
  });

  it('leaves no table behind when generations are replaced', async () => {
    const path = join(folder, 'r.sqlite');
    const store = await openReadModelStore(`sqlite:${path}`);
    const schema = { name: 'toy', version: 1, collections: [{ name: 'rows', indexes: { all: [] } }] };
    await store.prepare([schema]);
    for (let i = 0; i < 3; i += 1) await promote(store, await startGeneration(store, schema, 'e'));
    await startGeneration(store, schema, 'e');
    await startGeneration(store, schema, 'e');
    await store.close();
    const db = new SqliteDatabase(path, { readonly: true });
    const tables = db.prepare(`SELECT name FROM sqlite_schema WHERE name LIKE 'rows%' AND type = 'table'`);
    expect(tables.pluck().all()).toEqual(['rows__3', 'rows__5']);
    expect(db.prepare('SELECT count(*) FROM generations').pluck().get()).toBe(2);
    db.close();
  });

  it('drops replaced generations also where a process was killed after dropping a table and before noting it', async () => {
    const path = join(folder, 'r.sqlite');
    const collections = ['rows', 'others'].map((name) => ({ name, indexes: { all: [] } }));
    const schema = { name: 'toy', version: 1, collections };
    const first = await openReadModelStore(`sqlite:${path}`);
    await first.prepare([schema]);
    await startGeneration(first, schema, 'e');
    await first.close();
    const db = new SqliteDatabase(path);
    db.exec('DROP TABLE rows__1');
    const second = await openReadModelStore(`sqlite:${path}`);
    await startGeneration(second, schema, 'e');
    await second.close();
    const tables = db.prepare('SELECT name FROM generation_tables ORDER BY name').pluck().all();
    expect(tables).toEqual(['others__2', 'rows__2']);
    db.close();
  });

  it('reads a generation by a further index while another thread writes a large commit', async () => {
    const path = join(folder, 'r.sqlite');
    const store = await openReadModelStore(`sqlite:${path}`);
    const collection: Collection<Document> = { name: 'numbers', indexes: { byId: ['id'] } };
    const schema = { name: 'numbers', version: 1, collections: [collection] };
    await store.prepare([schema]);
    const generation = await startGeneration(store, schema, 'a');
    const writer = new Worker(
      `const { workerData: path, parentPort } = require('node:worker_threads');
       import(path.driver).then(({ SqliteDatabase }) => {
         const db = new SqliteDatabase(path.file);
         db.exec('BEGIN IMMEDIATE');
         parentPort.postMessage('writes');
         setTimeout(() => { db.exec('COMMIT'); db.close(); }, 300);
       });`,
      {
        eval: true,
        workerData: {
          file: path,
          driver: new URL('../../../../dist/engines/sqlite/sqlite.js', import.meta.url).href,
        },
      },
    );
    const ended = once(writer, 'exit');
    await once(writer, 'message');
    const found = await store.viewOf(generation, (view) =>
      view.scan(collection, { index: 'byId', equals: {} }),
    );
    expect(found).toEqual([]);
    await ended;
    await store.close();
  });

  it('renews a lease between large commits, and this thread never stands still for one', async () => {
    const url = `sqlite:${join(folder, 'read-models.sqlite')}`;
    const store = await openReadModelStore(url);
    const collection = { name: 'numbers', indexes: {} };
    const schema = { name: 'numbers', version: 1, collections: [collection] };
    await store.prepare([schema]);
    const generation = await startGeneration(store, schema, 'a');
    const writes = Array.from({ length: 6_000 }, (_, number) => ({
      kind: 'put' as const,
      ...{ collection, document: { id: String(number) }, at: 1 },
    }));
    const heldAfterCommit = store
      .commit([{ generation, from: 0, to: 1, writes }])
      .then(async (outcome) => ({ outcome, leases: await store.leases() }));
    let hadAnotherTurn = false;
    setImmediate(() => {
      hadAnotherTurn = true;
    });
    const lease = await store.acquireLease({ name: 'numbers', holder: 'me', ttlMs: 60_000 });
    expect(lease).toMatchObject({ holder: 'me' });
    expect(hadAnotherTurn).toBe(true);
    expect(await heldAfterCommit).toMatchObject({ outcome: 'committed', leases: [{ holder: 'me' }] });
    await store.close();
  });

  it('opened read-only makes nothing and reads what others write', async () => {
    const url = `sqlite:${join(folder, 'r.sqlite')}`;
    await expect(openReadModelStore(url, { readOnly: true })).rejects.toThrow(ReadModelUnavailableError);
    const rows = { name: 'rows', indexes: { all: [] } };
    const schema = { name: 'toy', version: 1, collections: [rows] };
    const writer = await openReadModelStore(url);
    await writer.prepare([schema]);
    const reader = await openReadModelStore(url, { readOnly: true });
    await reader.prepare([schema]);
    expect(await reader.snapshot((view) => view.get(rows, 'a'))).toBeNull();
    const generation = await startGeneration(writer, schema, 'e');
    const document = { id: 'a' };
    await writer.commit([
      { generation, from: 0, to: 1, writes: [{ kind: 'put', collection: rows, document, at: 1 }] },
    ]);
    await promote(writer, generation);
    expect(await reader.snapshot((view) => view.get(rows, 'a'))).toEqual(document);
    await reader.close();
    await writer.close();
  });

  it('keeps cached results while its read models are thrown away, and makes their file when first used', async () => {
    const path = join(folder, 'r.sqlite');
    const store = await openReadModelStore(`sqlite:${path}`);
    expect(existsSync(`${path}-results`)).toBe(false);
    const result = {
      key: 'a',
      tenant: '',
      recipe: '',
      body: '[]',
      truncated: false,
      madeAt: 1,
      usedAt: 1,
      keepUntil: 2,
    };
    await store.resultCache.put({ ...result, warmAt: null });
    await store.close();
    await expect(store.resultCache.get('a')).rejects.toThrow('closed');
    await rm(path);
    const again = await openReadModelStore(`sqlite:${path}`);
    expect(await again.resultCache.get('a')).toEqual({ ...result, warmAt: null });
    await again.close();
  });

  it('throws a damaged file of snapshots away, and serves as if there were none meanwhile', async () => {
    const path = join(folder, 'r.sqlite');
    const key = { stream: 's', version: 1 };
    const snapshot = { revision: 9, eventId: 'e', body: '{}' };
    await writeFile(`${path}-snapshots`, 'no database '.repeat(100));
    const store = await openReadModelStore(`sqlite:${path}`);
    expect(await store.snapshots.load(key)).toBeNull();
    expect(await store.snapshots.find(key, 1, ['a'])).toBeNull();
    expect(await store.snapshots.save(key, snapshot, { lineage: null, used: [] })).not.toBeUndefined();
    await store.close();
    const again = await openReadModelStore(`sqlite:${path}`);
    const lineage = await again.snapshots.save(key, snapshot, { lineage: null, used: [['a', 'b']] });
    expect(await again.snapshots.load(key)).toEqual({ ...snapshot, lineage });
    expect(await again.snapshots.find(key, lineage ?? 0, ['a'])).toEqual(new Map([['a', 'b']]));
    await again.close();
  });

  it('goes on with checkpoints when one failed', async () => {
    const path = join(folder, 'r.sqlite');
    const writer = new SqliteDatabase(join(folder, 'sound.sqlite'));
    writer.pragma('journal_mode = WAL');
    writer.exec('CREATE TABLE rows (id)');
    writer.close();
    await writeFile(path, 'no database '.repeat(100));
    let lost = false;
    const checkpointer = new SqliteCheckpointer(path, () => {
      lost = true;
    });
    // Nothing tells of a look, which fails here; there are five a second.
    const begun = performance.now();
    await until(
      async () => lost || performance.now() - begun > 1_000,
      (isOver) => isOver,
    );
    expect(lost).toBe(false);
    await copyFile(join(folder, 'sound.sqlite'), path);
    const again = new SqliteDatabase(path);
    again.pragma('wal_autocheckpoint = 0');
    again.exec('INSERT INTO rows VALUES (1)');
    const left = (): number => {
      const [length] = again
        .prepare<[], { readonly log: number; readonly checkpointed: number }>('PRAGMA wal_checkpoint(NOOP)')
        .all();
      return (length?.log ?? 0) - (length?.checkpointed ?? 0);
    };
    expect(left()).toBeGreaterThan(0);
    await until(
      async () => left(),
      (pages) => pages === 0,
    );
    expect(lost).toBe(false);
    again.close();
    await checkpointer.close();
  });

  it('can be closed when the thread that does its checkpoints has died', async () => {
    let lost = false;
    const checkpointer = new SqliteCheckpointer(join(folder, 'nowhere', 'r.sqlite'), () => {
      lost = true;
    });
    await until(
      async () => lost,
      (died) => died,
    );
    await checkpointer.close();
  });

  it('leaves a file of another program as it is, and names one that it cannot use', async () => {
    const others = join(folder, 'events.sqlite');
    const database = new SqliteDatabase(others);
    database.exec('CREATE TABLE events (position)');
    database.close();
    const broken = join(folder, 'broken.sqlite');
    await writeFile(broken, 'no database '.repeat(100));
    const before = await readFile(others);
    for (const path of [others, broken]) {
      await expect(openReadModelStore(`sqlite:${path}`)).rejects.toThrow(ReadModelUnavailableError);
      await expect(openReadModelStore(`sqlite:${path}`)).rejects.toThrow(path);
    }
    expect(await readFile(others)).toEqual(before);
  });

  it('names what is wrong with its URL or its file', async () => {
    await expect(openReadModelStore('file:nowhere')).rejects.toThrow(ReadModelUnavailableError);
    await expect(openReadModelStore(`sqlite:${folder}`)).rejects.toThrow(ReadModelUnavailableError);
    await expect(openReadModelStore('mongodb://nobody:secret@')).rejects.toThrow(/^(?!.*secret)/);
  });
});
