/** What the embedded operational store does with rows that are not what was written. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { SqliteOperationalReader } from '../../../../src/engines/sqlite/operational/sqlite-operational-reader.js';
import { SqliteOperationalStore } from '../../../../src/engines/sqlite/operational/sqlite-operational-store.js';
import { openThreadedStore } from '../../../../src/engines/sqlite/operational/threaded-operational-store.js';
import { SqliteDatabase } from '../../../../src/engines/sqlite/sqlite.js';
import { type Damage, StoreDamagedError } from '../../../../src/foundation/integrity/damage.js';
import { type AuditEntry, auditTime } from '../../../../src/foundation/operational/audit-store.js';
import { OperationalUnavailableError } from '../../../../src/foundation/operational/operational-store.js';
import type { StoredRefusedEntry } from '../../../../src/foundation/operational/refused-entry-store.js';
import { storedAccount } from '../../../support/accounts.js';
import { collect } from '../../../support/events.js';

const ada = { spaceId: 'default', name: 'Ada', localizedName: null, assocId: '2020ADA01' };
const entry: AuditEntry = {
  ...{ entryId: auditTime(5), at: 5, spaceId: null, action: 'signed-in', accountId: 'a' },
  ...{ subject: null, network: null, count: 1, details: [] },
};
const refused: StoredRefusedEntry = {
  ...{ entryId: auditTime(5), at: 5, sender: 'key', project: null, source: 'app', index: 0 },
  ...{ place: '/0', reason: 'it is no object', entry: '7' },
};
const bob = { spaceId: 'default', name: 'Bob', localizedName: null, assocId: null };

describe('damage of the embedded operational store', () => {
  let folder: string;
  let path: string;
  let store: SqliteOperationalStore;
  let damages: Damage[];

  const open = ({ startsThreads = false } = {}): SqliteOperationalStore =>
    new SqliteOperationalStore(path, { startsThreads, onDamage: (damage) => damages.push(damage) });

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

  /** The index lacks these rows, as after a flipped bit in one of its keys. */
  const hide = (rows: string, index: string): void => {
    const db = new SqliteDatabase(path);
    db.unsafeMode(true).pragma('writable_schema = ON');
    const sql = String(db.prepare('SELECT sql FROM sqlite_schema WHERE name = ?').pluck().get(index));
    db.exec(`DROP INDEX ${index}; ${sql} ${sql.includes(' WHERE ') ? 'AND' : 'WHERE'} NOT (${rows})`);
    db.prepare('UPDATE sqlite_schema SET sql = ? WHERE name = ?').run(sql, index);
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

  const reopen = async (options = {}): Promise<void> => {
    await store.close();
    damages = [];
    store = open(options);
  };

  const page = { spaceId: 'default', limit: 10 };
  const account = storedAccount();

  it('takes no answer for whole that may lack a damaged row, once its table is known to have one', async () => {
    await store.audit.append([entry]);
    await store.accounts.create(account);
    spoil(`UPDATE profiles SET space_id = 'elsewhere', assoc_key = 'x' WHERE person_id = 1;
      UPDATE audit SET space_id = 'elsewhere'; UPDATE accounts SET email_key = 'x', space_id = 'elsewhere'`);
    await reopen({ startsThreads: true });
    const { accounts, audit } = store;
    for (const ask of [
      () => store.profilesByAssocId('default', ['2020ada01']),
      () => store.profilesByName('default', 'Ada'),
      () => store.searchProfiles('default', 'Ada', { limit: 10 }),
      () => store.profiles([2, 3]),
      // The association id may be that of the person who is not found.
      () => store.createProfile(ada),
      () => accounts.byEmail(account.email),
      () => accounts.ofSpace(account.spaceId),
      () => audit.page(page),
    ])
      await expect(ask()).rejects.toThrow(StoreDamagedError);
    expect(await store.profiles([2])).toEqual(new Map([[2, { personId: 2, ...bob }]]));
    expect(await accounts.session('none')).toBeNull();
  });

  it.each(['rows', 'sum', 'writes', 'summed', 'checksum'])(
    'makes no damaged row sound where the tally of its table is damaged, too: %s',
    async (column) => {
      spoil(`UPDATE collection_sums SET ${column} = ${column} + 4 WHERE collection = 'profiles';
        UPDATE profiles SET name = 'Adb' WHERE person_id = 1`);
      const tally = {
        store: 'operational',
        place: 'profiles',
        reason: 'the tally of its rows does not fit its checksum',
      };
      for (let start = 0; start < 2; start += 1) {
        await reopen();
        expect(damages).toEqual([tally]);
        await expect(store.profiles([1])).rejects.toThrow('profiles, row 1');
        // What is written later makes the tally no better.
        await store.createProfile({ ...bob, name: 'Cid' });
        expect(await scrubbed()).toMatchObject([{ place: 'profiles, row 1' }, tally]);
      }
    },
  );

  it.each([
    ['the tally', "DELETE FROM collection_sums WHERE collection = 'profiles'"],
    ['all tallies', 'DELETE FROM collection_sums'],
    ['the table of tallies', 'DROP TABLE collection_sums'],
    ['all checksums', 'DELETE FROM collection_sums; DELETE FROM row_sums'],
  ])('makes no damaged row sound where %s is gone', async (_name, statement) => {
    spoil(`${statement}; UPDATE profiles SET name = 'Adb' WHERE person_id = 1`);
    await reopen();
    expect(damages).toContainEqual({
      store: 'operational',
      place: 'profiles',
      reason: 'the tally of its rows is missing',
    });
    await expect(store.profiles([1])).rejects.toThrow('profiles, row 1');
  });

  it('gives no row of older code its checksum in a file whose pages are damaged', async () => {
    await store.close();
    const older = new SqliteDatabase(path);
    older.exec("UPDATE profiles SET name = 'Ada L.' WHERE person_id = 1");
    older.close();
    hide('rowid = 2', 'profile_search');
    store = open();
    expect(damages).toMatchObject([{ place: `file ${path}` }]);
    let unverified = 0;
    for await (const step of store.scrub()) unverified += step.unverified;
    expect(unverified).toBe(2);
  });

  it.each([
    ['in this thread', () => open()],
    ['in another', () => openThreadedStore(path, (damage) => damages.push(damage))],
  ])(
    'has a scrub find an index that hides a row under a running server, which writes %s',
    async (_name, openServer) => {
      const server = openServer();
      try {
        hide('person_id = 1', 'profile_assoc_id');
        expect(await server.profilesByAssocId('default', ['2020ada01'])).toEqual(new Map());
        const steps = await collect(server.scrub());
        expect(steps.flatMap((step) => step.damages)).toMatchObject([
          { place: `file ${path}`, reason: 'row 1 missing from index profile_assoc_id' },
        ]);
        await expect(server.profilesByAssocId('default', ['2020ada01'])).rejects.toThrow(StoreDamagedError);
        await expect(server.createProfile(ada)).rejects.toThrow(StoreDamagedError);
        expect(await server.profiles([1])).toEqual(new Map([[1, { personId: 1, ...ada }]]));
      } finally {
        await server.close();
      }
    },
  );

  it('lists no refused entries or sessions, and copies nothing, where rows may be missing', async () => {
    const session = { key: 'k', accountId: 'a', passwordId: 'p', startedAt: 1, seenAt: 2 };
    await store.accounts.startSession({ ...session, device: 'Firefox', network: '192.0.2.0/24' });
    await store.refusedEntries.append([refused], 9);
    spoil('DELETE FROM refused_entries; DELETE FROM session_devices');
    await reopen();
    await expect(store.refusedEntries.page({ since: 0, limit: 9 })).rejects.toThrow(StoreDamagedError);
    await expect(store.accounts.sessionsOf('a')).rejects.toThrow(StoreDamagedError);
    await expect(collect(store.records())).rejects.toThrow(StoreDamagedError);
    expect(await store.accounts.session('k')).toEqual(session);
  });

  it('is unavailable, by its name, where what describes a table is damaged', async () => {
    await store.close();
    const db = new SqliteDatabase(path);
    db.unsafeMode(true).pragma('writable_schema = ON');
    db.exec("UPDATE sqlite_schema SET sql = replace(sql, 'role TEXT', 'rolf TEXT')");
    db.close();
    const name = OperationalUnavailableError.name;
    const message = expect.stringContaining(`cannot open the operational store ${path}: `);
    expect(open).toThrow(expect.objectContaining({ name, message }));
  });

  it('makes no new secret of the audit trail where damage hides the old one', async () => {
    await store.audit.secret();
    spoil('DELETE FROM audit_secret');
    await store.close();
    store = open();
    await expect(store.audit.secret()).rejects.toThrow('1 rows were written, and 0 are there');
  });

  it('answers no damaged entry of the audit trail, no damaged secret, challenge or failures', async () => {
    await store.audit.append([entry]);
    await store.audit.secret();
    await store.accounts.putChallenge({ key: 'k', text: 'text', endsAt: 9 }, 1);
    const failures = [{ key: 'network:a', begunAt: 1, count: 1, at: 2 }];
    await store.failures.exchange({ nodeId: 'one', at: 2, failures }, 0);
    spoil(`UPDATE audit SET count = 7; UPDATE audit_secret SET secret = 'x'; UPDATE challenges SET text = 'texu';
      UPDATE node_failures SET failures = replace(failures, '"count":1', '"count":9')`);
    const query = { spaceId: 'default', limit: 10 };
    await expect(store.audit.page(query)).rejects.toThrow('audit, row');
    await expect(store.audit.secret()).rejects.toThrow('audit_secret, row 1');
    await expect(store.accounts.takeChallenge('k')).rejects.toThrow('challenges, row k');
    await expect(store.failures.exchange({ nodeId: 'two', at: 2, failures: [] }, 0)).rejects.toThrow(
      'node_failures, row one',
    );
    expect(await scrubbed()).toHaveLength(4);
  });

  it.each([
    ['another', 'UPDATE sqlite_sequence SET seq = 1'],
    ['no', 'DELETE FROM sqlite_sequence'],
  ])('gives no id a second time where there is %s last id', async (_name, statement) => {
    await store.eraseProfile(2);
    spoil(statement);
    await expect(store.createProfile(bob)).rejects.toThrow('sqlite_sequence, row profiles');
    await expect(store.records()[Symbol.asyncIterator]().next()).rejects.toThrow('sqlite_sequence');
    expect(await scrubbed()).toMatchObject([{ place: 'sqlite_sequence, row profiles' }]);
    await reopen();
    expect(damages).toMatchObject([{ place: 'sqlite_sequence, row profiles' }]);
  });

  it('raises the last id where it is told to, and goes on from there', async () => {
    await store.putRecords([{ kind: 'last-person-id', personId: 40 }]);
    await store.putRecords([{ kind: 'profile', profile: { personId: 50, ...bob } }]);
    expect(await store.createProfile(bob)).toMatchObject({ personId: 51 });
    expect(await scrubbed()).toEqual([]);
  });

  it('is examined without a change, also after older code has written', async () => {
    await store.close();
    const older = new SqliteDatabase(path);
    older.exec("UPDATE profiles SET name = 'Ada L.' WHERE person_id = 1");
    const kept = () => older.prepare('SELECT * FROM row_sums, collection_sums ORDER BY 1, 2').all();
    const before = kept();
    const reader = new SqliteOperationalReader(path);
    const steps = [];
    for await (const step of reader.scrub()) steps.push(step);
    await reader.close();
    expect(steps.flatMap((step) => step.damages)).toEqual([]);
    expect(steps.reduce((sum, { unverified }) => sum + unverified, 0)).toBe(2);
    expect(kept()).toEqual(before);
    older.close();
    store = open();
    expect(await scrubbed()).toEqual([]);
  });

  it('says how far a scrub has come', async () => {
    await store.createProfiles(Array.from({ length: 700 }, () => bob));
    const progress: number[] = [];
    for await (const step of store.scrub()) progress.push(step.progress ?? -1);
    expect(progress).toEqual(progress.toSorted((a, b) => a - b));
    expect(progress.filter((one) => one > 0 && one < 1).length).toBeGreaterThan(1);
    expect(progress.at(-1)).toBe(1);
  });

  it('completes the tallies of a version that gave them no checksum, and makes no damaged row sound', async () => {
    await store.close();
    const db = new SqliteDatabase(path);
    const triggers = db.prepare<[], { name: string; sql: string }>(
      "SELECT name, sql FROM sqlite_schema WHERE type = 'trigger' AND sql LIKE '%checksum%'",
    );
    for (const { name, sql } of triggers.all())
      db.exec(`DROP TRIGGER ${name}; ${sql.replace(', checksum = checksum - 1', '')}`);
    db.exec("ALTER TABLE collection_sums DROP COLUMN checksum; DELETE FROM row_sums WHERE id = 'profiles'");
    db.close();
    spoil(`UPDATE profiles SET name = 'Adb' WHERE person_id = 1`);
    store = open();
    expect(damages).toEqual([]);
    await expect(store.profiles([1])).rejects.toThrow('profiles, row 1');
    expect(await scrubbed()).toMatchObject([{ place: 'profiles, row 1' }]);
    await store.createProfile(bob);
    await reopen();
    expect(damages).toEqual([]);
  });

  it('gives rows from before checksums theirs at the first start', async () => {
    await store.close();
    const before = new SqliteDatabase(path);
    const counting = before.prepare("SELECT name FROM sqlite_schema WHERE name LIKE '%_written_%'").pluck();
    for (const trigger of counting.all()) before.exec(`DROP TRIGGER ${trigger}`);
    before.exec('DROP TABLE row_sums; DROP TABLE collection_sums');
    before.close();
    store = open();
    expect(await store.profiles([1])).toEqual(new Map([[1, { personId: 1, ...ada }]]));
    spoil(`UPDATE profiles SET name = 'Adb' WHERE person_id = 1`);
    await expect(store.profiles([1])).rejects.toThrow(StoreDamagedError);
  });
});
