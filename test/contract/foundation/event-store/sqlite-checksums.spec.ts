/** What the embedded event store does about a file that is not what was written, and about one from before checksums. */

import { mkdtempSync, rmSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type Database from 'better-sqlite3';
import { openSqliteEventStore } from '../../../../src/app/stores/open-event-store.js';
import { uuid } from '../../../../src/engines/sqlite/event-store/event-rows.js';
import { checksumOf } from '../../../../src/engines/sqlite/event-store/group-commit.js';
import type { SqliteEventStore } from '../../../../src/engines/sqlite/event-store/sqlite-event-store.js';
import { SqliteDatabase } from '../../../../src/engines/sqlite/sqlite.js';
import { NO_STREAM } from '../../../../src/foundation/event-store/event-store.js';
import type { Damage } from '../../../../src/foundation/integrity/damage.js';
import { collect, ids, newEvents } from '../../../support/events.js';
import { until } from '../../../support/until.js';

const EVENTS = 700;

let folder: string;
let file: string;
let store: SqliteEventStore;

const open = async (onDamage?: (damage: Damage) => void): Promise<void> => {
  store = await openSqliteEventStore(`sqlite:${file}`, onDamage ? { onDamage } : {});
};

/** Changes the file while no store has it open. */
const change = async (work: (database: Database.Database) => void, reopen = open): Promise<void> => {
  await store.close();
  const database = new SqliteDatabase(file);
  database.unsafeMode(true).pragma('writable_schema = ON');
  work(database);
  database.close();
  await reopen();
};

const openToRead = async (): Promise<void> => {
  store = await openSqliteEventStore(`sqlite:${file}`, { readOnly: true });
};

const scrubbed = async () => {
  const steps = await collect(store.scrub());
  return {
    checked: steps.reduce((sum, { checked }) => sum + checked, 0),
    unverified: steps.reduce((sum, { unverified }) => sum + unverified, 0),
    unverifiedBefore: Math.max(0, ...steps.map(({ unverifiedBefore = 0 }) => unverifiedBefore)),
    places: steps.flatMap(({ damages }) => damages.map(({ place }) => place)),
  };
};

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'podium-checksums-'));
  file = join(folder, 'events.sqlite');
  await open();
  for (const stream of ['a', 'b']) await store.append(stream, NO_STREAM, newEvents(EVENTS / 2));
});
afterEach(async () => {
  await store.close();
  rmSync(folder, { recursive: true });
});

describe('the scrub of the event file', () => {
  it('finds nothing in a file that is sound, also after later appends', async () => {
    await store.append('a', EVENTS / 2 - 1, newEvents(1));
    expect(await scrubbed()).toEqual({ checked: EVENTS + 1, unverified: 0, unverifiedBefore: 0, places: [] });
    await store.close();
    await open();
    await store.append('c', NO_STREAM, newEvents(2));
    expect(await scrubbed()).toMatchObject({ checked: EVENTS + 3, places: [] });
  });

  it('finds nothing in a sound file while events are appended, however many come between two steps', async () => {
    const places: string[] = [];
    let last = EVENTS / 2 - 1;
    for await (const { damages, progress } of store.scrub()) {
      places.push(...damages.map(({ place }) => place));
      // After the last step, which is not a whole one, more than a step.
      if (progress === 1 && last < EVENTS) {
        await store.append('a', last, newEvents(EVENTS));
        last += EVENTS;
      }
    }
    expect([places, last]).toEqual([[], EVENTS + EVENTS / 2 - 1]);
  });

  it('names an event that was changed, whatever was changed', async () => {
    for (const [position, column] of [
      [3, `data = '{"index":7}'`],
      [4, `metadata = replace(metadata, 'test', 'tent')`],
      [5, 'recorded_at = recorded_at + 1'],
      [6, `id = unhex(replace(hex(id), '0', '1'))`],
      [7, 'checksum = NULL'],
      [8, 'checksum = checksum + 1'],
    ])
      await change((database) => {
        expect(database.prepare(`UPDATE events SET ${column} WHERE position = ?`).run(position).changes).toBe(
          1,
        );
      });
    const names = [3, 4, 5, 6, 7, 8].map((position) => `stream a, revision ${position - 1}`);
    expect((await scrubbed()).places).toEqual(names);
  });

  it('names an event that was dropped, and one that was replaced with its checksum', async () => {
    await change((database) => {
      database.exec('DELETE FROM events WHERE position = 300');
      const replaced = database
        .prepare<[], { id: string; metadata: string; at: number }>(
          'SELECT lower(hex(id)) AS id, metadata, recorded_at AS at FROM events WHERE position = 500',
        )
        .get();
      const { id = '', metadata = '', at = 0 } = replaced ?? {};
      const data = '{"index":1}';
      const place = { position: 500, stream: 'b', revision: 149, type: 'Happened' };
      const checksum = checksumOf({ ...place, id: uuid(id), data, metadata, recordedAt: at });
      database.prepare('UPDATE events SET data = ?, checksum = ? WHERE position = 500').run(data, checksum);
    });
    expect((await scrubbed()).places).toEqual(['positions 300 to 300', 'stream b, revision 149']);
    await expect(store.readStream('a')).rejects.toMatchObject({
      damage: { place: 'stream a, revision 299', reason: 'it is missing' },
    });
  });

  it.each([
    ['events_of_stream', 'CREATE UNIQUE INDEX events_of_stream ON events (stream, revision)'],
    ['events_by_id', 'CREATE UNIQUE INDEX events_by_id ON events (id, stream)'],
    ['events_of_type', 'CREATE INDEX events_of_type ON events (type)'],
  ])('names the index %s when it has lost an event', async (name, sql) => {
    await change((database) => {
      database.exec(`DROP INDEX ${name}; ${sql} WHERE position <> 300`);
      database.prepare('UPDATE sqlite_schema SET sql = ? WHERE name = ?').run(sql, name);
    });
    expect((await scrubbed()).places).toEqual([`index ${name}, positions 251 to 500`]);
    if (name !== 'events_of_stream') return;
    await expect(store.readStream('a')).rejects.toMatchObject({ damage: { reason: 'it is missing' } });
  });

  it('names a stream whose events are there under another name', async () => {
    await change((database) => database.exec("UPDATE streams SET name = 'x' WHERE name = 'b'"));
    const { places } = await scrubbed();
    expect(places).toHaveLength(EVENTS / 2);
    await expect(store.readStream('x')).rejects.toMatchObject({ damage: { store: 'events' } });
  });

  it('names a change of what the store says of itself', async () => {
    for (const sql of [
      "UPDATE meta SET value = replace(value, '-', '_') WHERE name = 'store_id'",
      "UPDATE meta SET name = 'store_if' WHERE name = 'store_id'",
      "UPDATE meta SET value = '1' WHERE name = 'checksum'",
      "DELETE FROM meta WHERE name = 'checksum'",
    ]) {
      const before = new SqliteDatabase(file);
      const rows = before.prepare<[], [string, string]>('SELECT name, value FROM meta').raw().all();
      before.close();
      expect((await scrubbed()).places).toEqual([]);
      const changing = new SqliteDatabase(file);
      changing.exec(sql);
      expect((await scrubbed()).places).toEqual(['the identity of the store']);
      changing.exec('DELETE FROM meta');
      for (const row of rows) changing.prepare('INSERT INTO meta VALUES (?, ?)').run(row);
      changing.close();
    }
  });

  it('stops a read of all events before those that a page has lost, whichever way it goes', async () => {
    await change((database) => database.exec('DELETE FROM events WHERE position BETWEEN 300 AND 302'));
    for (const [direction, given] of [
      ['forwards', 299],
      ['backwards', EVENTS - 302],
    ] as const) {
      const positions: number[] = [];
      const reading = async (): Promise<void> => {
        for await (const { position } of store.readAll({ direction })) positions.push(position);
      };
      await expect(reading()).rejects.toMatchObject({ damage: { place: 'positions 300 to 302' } });
      expect(positions).toHaveLength(given);
    }
    await change((database) => database.exec('DELETE FROM events WHERE position BETWEEN 303 AND 699'));
    await expect(collect(store.readAll({ after: 650 }))).rejects.toMatchObject({
      damage: { place: 'positions 651 to 699' },
    });
  });

  it('goes on behind pages that cannot be read', async () => {
    await store.close();
    await overwriteLeaf();
    const damages: Damage[] = [];
    await open((damage) => damages.push(damage));
    const { checked, places } = await scrubbed();
    expect(checked).toBe(EVENTS - 250);
    expect(places).toContain('positions 251 to 500');
    await expect(collect(store.readAll())).rejects.toMatchObject({
      damage: { store: 'events', place: expect.stringContaining('positions') },
    });
    await expect(store.readStream('b')).rejects.toMatchObject({ damage: { place: 'stream b' } });
    expect(damages).toHaveLength(2);
  });
});

describe('the check of the event file at the start', () => {
  let damages: Damage[];
  const openChecked = async (): Promise<void> => {
    damages = [];
    const options = {
      checksFile: true,
      startsThreads: true,
      onDamage: (damage: Damage) => damages.push(damage),
    };
    store = await openSqliteEventStore(`sqlite:${file}`, options);
  };
  const lost = (index: string, sql: string, where: string) => (database: Database.Database) => {
    database.exec(`DROP INDEX ${index}; ${sql} WHERE ${where}`);
    database.prepare('UPDATE sqlite_schema SET sql = ? WHERE name = ?').run(sql, index);
  };
  const OF_STREAM = 'CREATE UNIQUE INDEX events_of_stream ON events (stream, revision)';

  it('finds nothing in a file that is sound', async () => {
    await change(() => undefined, openChecked);
    expect(damages).toEqual([]);
    expect(await store.append('a', EVENTS / 2 - 1, newEvents(1))).toMatchObject({ ok: true });
  });

  it.each([
    ['the last event of a stream', 'events_of_stream', OF_STREAM, `position <> ${EVENTS / 2}`],
    ['an event in the middle', 'events_of_stream', OF_STREAM, 'position <> 300'],
    ['a whole stream', 'events_of_stream', OF_STREAM, 'stream <> 1'],
    ['an id', 'events_by_id', 'CREATE UNIQUE INDEX events_by_id ON events (id, stream)', 'position <> 300'],
    ['a type', 'events_of_type', 'CREATE INDEX events_of_type ON events (type)', 'position <> 300'],
  ])('makes an index anew that has lost %s, and says so', async (_name, index, sql, where) => {
    await change(lost(index, sql, where), openChecked);
    expect(damages).toMatchObject([
      { store: 'events', place: 'the indexes of the file', reason: expect.stringContaining('made anew') },
    ]);
    expect(await store.readStream('a')).toHaveLength(EVENTS / 2);
    expect(await store.append('a', EVENTS / 2 - 1, newEvents(1))).toMatchObject({ ok: true });
    expect((await scrubbed()).places).toEqual([]);
  });

  it('finds a stream again whose name the index has lost', async () => {
    await store.close();
    await overwriteName('sqlite_autoindex_streams_1', 'b', 'B');
    await openChecked();
    expect(damages).toMatchObject([{ reason: expect.stringContaining('found by their names') }]);
    expect(await store.readStream('b')).toHaveLength(EVENTS / 2);
    expect(await store.append('b', NO_STREAM, newEvents(1))).toEqual({ ok: false, actual: EVENTS / 2 - 1 });
  });

  it('finds a stream again whose id its name in the index leads to no more: the entry is shorter than it was', async () => {
    await store.close();
    const lengthOfEntry = 4;
    await overwriteName('sqlite_autoindex_streams_1', 'b', '\x04', lengthOfEntry);
    await openChecked();
    expect(damages).toMatchObject([{ reason: expect.stringContaining('1 of 2 streams are found') }]);
    expect(await store.readStream('b')).toHaveLength(EVENTS / 2);
    expect(await store.append('b', NO_STREAM, newEvents(1))).toEqual({ ok: false, actual: EVENTS / 2 - 1 });
  });

  it('makes no index anew from a name that the table has changed: the stream would count as one that is not there', async () => {
    await store.close();
    await overwriteName('streams', 'b', 'B');
    await openChecked();
    expect(damages).toMatchObject([{ reason: '1 of 2 streams are found by their names' }]);
    for (const stream of ['a', 'b', 'B'])
      await expect(store.readStream(stream)).rejects.toMatchObject({
        damage: { place: 'the indexes of the file' },
      });
  });

  it('makes no index anew from a name that the table has as bytes, which no text would find, and reads its events', async () => {
    await store.close();
    const kindOfValue = 1;
    await overwriteName('streams', 'b', '\x0e', kindOfValue);
    await openChecked();
    expect(damages).toMatchObject([{ reason: 'non-TEXT value in streams.name' }]);
    expect(await store.readStream('b')).toHaveLength(EVENTS / 2);
    const [last] = await collect(store.readAll({ direction: 'backwards', limit: 1 }));
    expect(last).toMatchObject({ stream: 'b', revision: EVENTS / 2 - 1 });
  });

  it('finds the events of a type again whose name the index has lost', async () => {
    await store.close();
    await overwriteName('sqlite_autoindex_types_1', 'Happened', 'happened');
    await openChecked();
    expect(damages).toMatchObject([
      { reason: expect.stringMatching(/^no name leads to the events of type 1;.*made anew/) },
    ]);
    await store.append('a', EVENTS / 2 - 1, newEvents(1));
    const ofType = await collect(store.readAll({ filter: { types: ['Happened'] } }));
    expect(ofType).toHaveLength(EVENTS + 1);
  });

  it('refuses every stream when none of its events confirms the name of a type: who reads by types would miss them', async () => {
    await store.close();
    await overwriteName('types', 'Happened', 'happened');
    await openChecked();
    expect(damages).toMatchObject([{ reason: 'no name leads to the events of type 1' }]);
    const damage = { place: 'the indexes of the file' };
    await expect(store.readStream('a')).rejects.toMatchObject({ damage });
    await expect(store.append('c', NO_STREAM, newEvents(1))).rejects.toMatchObject({ damage });
  });

  it('makes no index anew that knows of an event which the table has lost at its end', async () => {
    await store.close();
    withoutIndexes(`DELETE FROM events WHERE position = ${EVENTS}`);
    await openChecked();
    expect(damages).toMatchObject([
      { reason: expect.stringMatching(/^700 of 699 events are in their streams/) },
    ]);
    await expect(store.readStream('b')).rejects.toMatchObject({
      damage: { place: 'the indexes of the file' },
    });
  });

  it('refuses every stream and every append where events are missing that no stream can be asked for', async () => {
    await change((database) => {
      database.exec(`DELETE FROM events WHERE position = ${EVENTS / 2}`);
    }, openChecked);
    expect(damages).toMatchObject([{ place: 'the indexes of the file' }]);
    const damage = { store: 'events', place: 'the indexes of the file' };
    for (const stream of ['a', 'b', 'never there'])
      await expect(store.readStream(stream)).rejects.toMatchObject({ damage });
    await expect(store.append('c', NO_STREAM, newEvents(1))).rejects.toMatchObject({ damage });
    expect(await store.takesAppends()).toBe(false);
    // What was projected before is served on, and what is whole is read.
    expect(await collect(store.readAll({ after: EVENTS / 2 }))).toHaveLength(EVENTS / 2);
  });
});

/** Runs a statement that the indexes of events miss. */
const withoutIndexes = (statement: string): void => {
  const run = (work: (database: Database.Database) => void): void => {
    const database = new SqliteDatabase(file);
    database.unsafeMode(true).pragma('writable_schema = ON');
    work(database);
    database.close();
  };
  let indexes: unknown[] = [];
  run((database) => {
    indexes = database.prepare("SELECT * FROM sqlite_schema WHERE name LIKE 'events\\_%' ESCAPE '\\'").all();
    database.exec("DELETE FROM sqlite_schema WHERE name LIKE 'events\\_%' ESCAPE '\\'");
  });
  run((database) => database.exec(statement));
  run((database) => {
    const put = database.prepare(
      'INSERT INTO sqlite_schema VALUES (@type, @name, @tbl_name, @rootpage, @sql)',
    );
    for (const index of indexes) put.run(index);
  });
};

/** Overwrites the name of a stream where the index, or the table, has it, not in both; or bytes that lie `before` it. */
const overwriteName = async (tree: string, name: string, to: string, before = 0): Promise<void> => {
  const database = new SqliteDatabase(file);
  database.pragma('wal_checkpoint(TRUNCATE)');
  const page = Number(
    database.prepare('SELECT rootpage FROM sqlite_schema WHERE name = ?').pluck().get(tree),
  );
  const size = Number(database.pragma('page_size', { simple: true }));
  database.close();
  const bytes = await readFile(file);
  const at = bytes.subarray((page - 1) * size, page * size).lastIndexOf(name);
  bytes.write(to, (page - 1) * size + at - before);
  await writeFile(file, bytes);
};

/** The page that holds the event at position 400. */
const overwriteLeaf = async (): Promise<void> => {
  const database = new SqliteDatabase(file);
  database.pragma('wal_checkpoint(TRUNCATE)');
  const size = Number(database.pragma('page_size', { simple: true }));
  const id = database.prepare('SELECT id FROM events WHERE position = 400').pluck().get();
  database.close();
  const bytes = await readFile(file);
  // The id is in an index, too: that page does not hold the event's data.
  const data = Buffer.from('{"index":49}');
  let at = bytes.indexOf(data);
  while (!Buffer.isBuffer(id) || !bytes.subarray(pageOf(at, size), pageOf(at, size) + size).includes(id))
    at = bytes.indexOf(data, at + 1);
  bytes.fill(0xff, pageOf(at, size), pageOf(at, size) + size);
  await writeFile(file, bytes);
};

const pageOf = (offset: number, size: number): number => Math.floor(offset / size) * size;

describe('a file from before checksums', () => {
  /** As the schema before had it. */
  const fromBefore = async (
    work: (database: Database.Database) => void = () => undefined,
    reopen = open,
  ): Promise<void> =>
    change((database) => {
      work(database);
      database.exec('ALTER TABLE events DROP COLUMN checksum; ALTER TABLE events DROP COLUMN chain');
      database.pragma('user_version = 1');
    }, reopen);
  const stamped = (): Promise<Awaited<ReturnType<typeof scrubbed>>> =>
    until(scrubbed, ({ unverified }) => unverified === 0);

  it('opens, is read, and says that its events are unverified', async () => {
    const before = await collect(store.readAll());
    await fromBefore();
    expect(await collect(store.readAll())).toEqual(before);
    expect(await scrubbed()).toEqual({
      checked: EVENTS,
      unverified: EVENTS,
      unverifiedBefore: EVENTS + 1,
      places: [],
    });
  });

  it('is as it was after everything was read and verified by what only reads', async () => {
    const before = await collect(store.readAll());
    await fromBefore(undefined, openToRead);
    expect(await collect(store.readAll())).toEqual(before);
    expect(await store.readStream('b', { from: 7, limit: 1 })).toHaveLength(1);
    expect(await scrubbed()).toMatchObject({ checked: EVENTS, unverified: EVENTS, places: [] });
    expect(await store.chainAt(EVENTS)).toBeNull();
    await store.close();
    const database = new SqliteDatabase(file);
    expect(database.pragma('user_version', { simple: true })).toBe(1);
    expect(database.pragma('table_info(events)')).toHaveLength(8);
    database.close();
    await open();
  });

  it('gets checksums in the background, once its writer runs', async () => {
    await fromBefore();
    await store.markCompared([]);
    expect(await store.append('a', EVENTS / 2 - 1, newEvents(3))).toMatchObject({ ok: true });
    expect(await stamped()).toMatchObject({ checked: EVENTS + 3, places: [] });
    await change((database) => database.exec(`UPDATE events SET data = '{"index":7}' WHERE position = 2`));
    expect((await scrubbed()).places).toEqual(['stream a, revision 1']);
    await expect(store.readStream('a')).rejects.toMatchObject({ damage: { place: 'stream a, revision 1' } });
  });

  it('names an event that cannot be read, and stamps the others', async () => {
    await fromBefore((database) => database.exec(`UPDATE events SET data = '{"index' WHERE position = 300`));
    await store.markCompared([]);
    await store.append('b', EVENTS / 2 - 1, newEvents(1));
    expect((await stamped()).places).toEqual(['stream a, revision 299']);
    await expect(store.readStream('a')).rejects.toMatchObject({
      damage: { place: 'stream a, revision 299' },
    });
    expect(ids((await store.readStream('b')) ?? [])).toHaveLength(EVENTS / 2 + 1);
  });

  it('chains what is appended before, while and after the older events are stamped', async () => {
    await fromBefore();
    for (let revision = EVENTS / 2 - 1; revision < EVENTS / 2 + 20; revision += 1) {
      await store.append('a', revision, newEvents(1));
      if (revision === EVENTS / 2) await store.markCompared([]);
    }
    expect(await stamped()).toMatchObject({ checked: EVENTS + 21, places: [] });
    await store.close();
    await open();
    await store.append('c', NO_STREAM, newEvents(1));
    expect((await scrubbed()).places).toEqual([]);
    await change((database) => database.exec('DELETE FROM events WHERE position = 1'));
    expect((await scrubbed()).places).toContain('positions 1 to 1');
  });
});
