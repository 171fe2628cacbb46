/** What the embedded operational store does with rows that are not what was written. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { SqliteOperationalStore } from '../../../../src/engines/sqlite/operational/sqlite-operational-store.js';
import { SqliteDatabase } from '../../../../src/engines/sqlite/sqlite.js';
import { type Damage, StoreDamagedError } from '../../../../src/foundation/integrity/damage.js';

const ada = { spaceId: 'default', name: 'Ada', localizedName: null, assocId: '2020ADA01' };
const bob = { spaceId: 'default', name: 'Bob', localizedName: null, assocId: null };

describe('damage of the embedded operational store', () => {
  let folder: string;
  let path: string;
  let store: SqliteOperationalStore;
  let damages: Damage[];

  const open = (): SqliteOperationalStore =>
    new SqliteOperationalStore(path, { onDamage: (damage) => damages.push(damage) });

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'podium-operational-'));
    path = join(folder, 'operational.sqlite');
    damages = [];
    store = open();
    await store.createProfiles([ada, bob]);
  });
  afterEach(async () => {
    await store.close();
    await rm(folder, { recursive: true });
  });

  /** Without the triggers: as a flipped bit does. */
  const spoil = (statement: string): void => {
    const db = new SqliteDatabase(path);
    const triggers = db.prepare("SELECT name FROM sqlite_schema WHERE type = 'trigger'").pluck().all();
    db.exec('BEGIN');
    const kept = db.prepare("SELECT sql FROM sqlite_schema WHERE type = 'trigger'").pluck().all();
    for (const name of triggers) db.exec(`DROP TRIGGER ${name}`);
    db.exec(statement);
    for (const sql of kept) db.exec(String(sql));
    db.exec('COMMIT');
    db.close();
  };

  const scrubbed = async (): Promise<readonly Damage[]> => {
    const found: Damage[] = [];
    for await (const { damages } of store.scrub()) found.push(...damages);
    return found;
  };

  it('answers every row but the damaged one, which it names', async () => {
    spoil(`UPDATE profiles SET name = 'Adb' WHERE person_id = 1`);
    await expect(store.profiles([1])).rejects.toThrow(StoreDamagedError);
    await expect(store.profilesByAssocId('default', ['2020ada01'])).rejects.toThrow('profiles, row 1');
    await expect(store.searchProfiles('default', '', { limit: 10 })).rejects.toThrow('profiles, row 1');
    expect(await store.profiles([2])).toEqual(new Map([[2, { personId: 2, ...bob }]]));
    expect(damages[0]).toMatchObject({ store: 'operational', place: 'profiles, row 1' });
    expect(await scrubbed()).toMatchObject([{ place: 'profiles, row 1' }]);
  });

  it('changes no damaged row, so that it never gets a checksum of what it holds now', async () => {
    spoil(`UPDATE profiles SET name = 'Adb' WHERE person_id = 1`);
    await expect(store.updateProfile(1, { localizedName: 'A' })).rejects.toThrow(StoreDamagedError);
    expect(await scrubbed()).toHaveLength(1);
    await store.eraseProfile(1);
    expect(await scrubbed()).toEqual([]);
  });

  it('notices rows that are gone, at the next start and in a scrub', async () => {
    expect(await scrubbed()).toEqual([]);
    spoil('DELETE FROM profiles WHERE person_id = 2');
    expect(await scrubbed()).toMatchObject([
      { place: 'profiles', reason: expect.stringContaining('1 are there') },
    ]);
    await store.close();
    store = open();
    expect(damages).toMatchObject([{ store: 'operational', place: 'profiles' }]);
  });

  it('takes up rows of older code, which keeps no checksums, at the next start', async () => {
    await store.close();
    const older = new SqliteDatabase(path);
    older.exec(`UPDATE profiles SET name = 'Ada L.', search = 'x' WHERE person_id = 1;
      INSERT INTO profiles (space_id, name, search) VALUES ('default', 'Cid', 'cid');
      DELETE FROM profiles WHERE person_id = 2`);
    older.close();
    store = open();
    expect(damages).toEqual([]);
    expect([...(await store.profiles([1, 2, 3])).values()].map(({ name }) => name)).toEqual([
      'Ada L.',
      'Cid',
    ]);
    expect(await scrubbed()).toEqual([]);
  });

  it('gives rows from before checksums theirs at the first start', async () => {
    await store.close();
    spoil('DROP TABLE row_sums; DROP TABLE collection_sums');
    store = open();
    expect(await store.profiles([1])).toEqual(new Map([[1, { personId: 1, ...ada }]]));
    spoil(`UPDATE profiles SET name = 'Adb' WHERE person_id = 1`);
    await expect(store.profiles([1])).rejects.toThrow(StoreDamagedError);
  });
});
