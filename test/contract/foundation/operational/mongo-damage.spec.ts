/** What the operational store on MongoDB does with documents that are not what was written. The damage is done by the raw driver. */
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { MongoOperationalStore } from '../../../../src/engines/mongodb/operational/mongo-operational-store.js';
import type { StoredDocument } from '../../../../src/engines/mongodb/operational/summed-collection.js';
import { SqliteOperationalStore } from '../../../../src/engines/sqlite/operational/sqlite-operational-store.js';
import { type ScrubStep, StoreDamagedError } from '../../../../src/foundation/integrity/damage.js';
import { type AuditEntry, auditTime } from '../../../../src/foundation/operational/audit-store.js';
import { storedAccount } from '../../../support/accounts.js';
import { collect } from '../../../support/events.js';
import { mongoServer, someDatabase } from '../../../support/mongodb/mongo-server.js';
import { SpoiledDatabase } from '../../../support/mongodb/spoiled-database.js';

const ada = { spaceId: 'default', name: 'Ada', localizedName: null, assocId: '2020ADA01' };
const bob = { spaceId: 'default', name: 'Bob', localizedName: null, assocId: null };
const session = { key: 's1', accountId: 'ann', passwordId: 'p', startedAt: 1_000, seenAt: 2_000 };
const entry: AuditEntry = {
  entryId: `${auditTime(5_000)}-1`,
  at: 5_000,
  spaceId: null,
  action: 'sign-in-failed',
  accountId: 'ann',
  subject: null,
  network: null,
  count: 1,
  details: [],
};
const LONG_AGO = 1_000;
const LATER = 10_000;

const server = await mongoServer(['OperationalStore'], { what: 'damage of the operational store' });

const withServer = (urlFor: (database: string) => string): void => {
  let spoiled: SpoiledDatabase;
  let store: MongoOperationalStore;
  let runsOlderNode: boolean;

  const open = (keepsChecksums = true): MongoOperationalStore => {
    const opened = new MongoOperationalStore(spoiled.url, {
      openCopy: (path) => new SqliteOperationalStore(path),
      onDamage: (damage) => spoiled.damages.push(damage),
      hasOlderNodes: async () => runsOlderNode,
      keepsChecksums,
    });
    spoiled.closesFirst(opened);
    return opened;
  };

  beforeEach(async () => {
    spoiled = new SpoiledDatabase(urlFor(someDatabase()));
    runsOlderNode = false;
    store = open();
    await store.createProfiles([ada, bob]);
    await store.accounts.create(storedAccount({ role: 'moderator' }));
    await store.accounts.startSession(session);
    await store.audit.append([entry]);
    await store.witnesses.claim({ id: 'i', epoch: 0 });
    await store.witnesses.raise({ storeId: 'e', position: 7, event: null });
    store.recordKeyUse('k', { at: 1_000, accepted: 1, refused: 0 });
    await store.keyUses(['k']);
  });
  afterEach(() => spoiled.drop());

  const documents = (name: string) => spoiled.db.collection<StoredDocument>(name);
  const change = (name: string, fields: Readonly<Record<string, string | number>>) =>
    documents(name).updateOne({}, { $set: fields });
  const scrubbed = (from = store): Promise<readonly ScrubStep[]> => collect(from.scrub());
  const named = async (from = store): Promise<readonly string[]> =>
    (await scrubbed(from)).flatMap((step) => step.damages.map(({ place }) => place));
  const unverified = (steps: readonly ScrubStep[]) => steps.reduce((sum, step) => sum + step.unverified, 0);
  const forgetSums = async (): Promise<void> => {
    for (const { name } of await spoiled.db.listCollections().toArray())
      await documents(name).updateMany({}, { $unset: { sum: '' } });
  };

  describe('a document that does not fit its checksum', () => {
    it('is not answered, and every other one is', async () => {
      await change('profiles', { name: 'Adb' });
      await expect(store.profiles([1])).rejects.toThrow(StoreDamagedError);
      await expect(store.profilesByAssocId('default', ['2020ada01'])).rejects.toThrow('profiles, document 1');
      await expect(store.searchProfiles('default', '', { limit: 10 })).rejects.toThrow(
        'profiles, document 1',
      );
      expect(await store.profiles([2])).toEqual(new Map([[2, { personId: 2, ...bob }]]));
      expect(spoiled.damages[0]).toMatchObject({ store: 'operational', place: 'profiles, document 1' });
      expect(await named()).toEqual(['profiles, document 1']);
    });

    it.each<[string, Readonly<Record<string, string | number>>, () => Promise<unknown>]>([
      ['accounts', { role: 'admin' }, () => store.accounts.byId('ann')],
      ['accounts', { passwordHash: 'x' }, () => store.accounts.byEmail(storedAccount().email)],
      ['sessions', { accountId: 'bea' }, () => store.accounts.session('s1')],
      ['audit', { action: 'signed-out' }, () => store.audit.page({ spaceId: 'default', limit: 9 })],
      ['key_uses', { accepted: 9 }, () => store.keyUses(['k'])],
      ['counters', { last: 0 }, () => store.createProfile(bob)],
      ['installation', { epoch: 4 }, () => store.witnesses.read()],
      ['witnesses', { position: 3 }, () => store.witnesses.read()],
    ])('is not answered in %s: %j', async (name, fields, look) => {
      await look();
      await change(name, fields);
      await expect(look()).rejects.toThrow(`${name}, document`);
      expect(await named()).toEqual([spoiled.damages[0]?.place]);
    });

    it('is not changed, so that it never gets a checksum of what it holds now; it can be erased', async () => {
      await change('profiles', { name: 'Adb' });
      await change('accounts', { role: 'admin' });
      await expect(store.updateProfile(1, { localizedName: 'A' })).rejects.toThrow(StoreDamagedError);
      await expect(store.accounts.update('ann', { name: 'A' })).rejects.toThrow(StoreDamagedError);
      expect(await named()).toEqual(['profiles, document 1', 'accounts, document ann']);
      await store.eraseProfile(1);
      await store.accounts.erase('ann');
      expect(await named()).toEqual([]);
      expect(await documents('profiles').countDocuments()).toBe(1);
    });

    it('stays damaged when another person’s claim is taken from it', async () => {
      await store.handOverAssocId(1, 2);
      await change('profiles', { name: 'Adb' });
      await store.eraseProfile(2);
      expect(await named()).toEqual(['profiles, document 1']);
    });

    it('is another one in its place', async () => {
      const other = await documents('profiles').findOne({ _id: 2 });
      const { _id: _, ...content } = other ?? { _id: 0 };
      await documents('profiles').replaceOne({ _id: 1 }, content);
      await expect(store.profiles([1])).rejects.toThrow(StoreDamagedError);
    });
  });

  describe('a document that is lost', () => {
    it('is named by every scrub from the one on that has seen it, until it is erased', async () => {
      expect(await named()).toEqual([]);
      await documents('profiles').deleteOne({ _id: 1 });
      await documents('witnesses').deleteMany({});
      const lost = ['profiles, document 1', 'witnesses, document e'];
      expect(await named()).toEqual(lost);
      expect(await named(open(false))).toEqual(lost);
      await store.eraseProfile(1);
      await store.witnesses.begin({ id: 'i', epoch: 1 }, []);
      expect(await named()).toEqual([]);
    });

    it('is none that was removed', async () => {
      await named();
      await store.eraseProfile(1);
      await store.accounts.erase('ann');
      await store.audit.removeBefore(LATER);
      await store.witnesses.begin({ id: 'i', epoch: 1 }, []);
      expect(await named()).toEqual([]);
      expect(await documents('inventory').countDocuments()).toBe(4);
    });

    it('is not taken for lost when the process that removed it died on the way', async () => {
      await named();
      await documents('inventory').deleteOne({ _id: 'profiles/1' });
      expect(await named()).toEqual([]);
      expect(await documents('inventory').countDocuments({ _id: 'profiles/1' })).toBe(1);
    });
  });

  describe('older code, which keeps no checksums,', () => {
    it('may have written all: it is read, and a scrub gives it its checksums', async () => {
      await forgetSums();
      expect((await store.profiles([1])).get(1)).toEqual({ personId: 1, ...ada });
      const all = unverified(await scrubbed(open(false)));
      expect(all).toBe(9);
      expect(unverified(await scrubbed())).toBe(all);
      expect(unverified(await scrubbed())).toBe(0);
      await change('profiles', { name: 'Adb' });
      await expect(store.profiles([1])).rejects.toThrow(StoreDamagedError);
    });

    it('may run beside this: what it changes and removes is no damage', async () => {
      await named();
      runsOlderNode = true;
      store = open();
      await change('profiles', { name: 'Ada L.', search: 'ada l.\n' });
      await documents('key_uses').deleteMany({});
      expect((await store.profiles([1])).get(1)?.name).toBe('Ada L.');
      expect((await store.updateProfile(1, { localizedName: 'A' }))?.name).toBe('Ada L.');
      await change('accounts', { role: 'admin' });
      expect(await named()).toEqual([]);
      runsOlderNode = false;
      store = open();
      expect(await named()).toEqual([]);
      expect((await store.accounts.byId('ann'))?.role).toBe('admin');
      await change('accounts', { role: 'moderator' });
      store = open();
      await expect(store.accounts.byId('ann')).rejects.toThrow(StoreDamagedError);
    });

    it('may have run alone since: a document of its own tells', async () => {
      await change('accounts', { role: 'admin' });
      await documents('audit').insertOne({ _id: 'of-older-code', at: LONG_AGO });
      expect((await store.accounts.byId('ann'))?.role).toBe('admin');
      expect(await named()).toEqual([]);
      store = open();
      await change('accounts', { role: 'moderator' });
      await expect(store.accounts.byId('ann')).rejects.toThrow(StoreDamagedError);
    });
  });

  it('keeps the checksums of what several stores change in turn', async () => {
    const other = open();
    for (let turn = 0; turn < 5; turn += 1) {
      for (const one of [store, other]) {
        one.recordKeyUse('k', { at: turn, accepted: 1, refused: 2 });
        await one.keyUses(['k']);
        await one.witnesses.raise({ storeId: 'e', position: turn, event: null });
        await one.accounts.seen('s1', 3_000 + turn);
        await one.audit.append([entry]);
        await one.createProfiles([bob, bob]);
      }
    }
    expect((await store.keyUses(['k'])).get('k')).toMatchObject({
      accepted: 11,
      refused: 20,
      lastUsedAt: 1_000,
    });
    expect((await store.witnesses.read()).witnesses).toEqual([{ storeId: 'e', position: 7, event: null }]);
    expect((await store.accounts.session('s1'))?.seenAt).toBe(3_004);
    expect((await store.audit.page({ spaceId: 'x', limit: 9 }))[0]?.count).toBe(11);
    expect(await named()).toEqual([]);
  });
};

describe('damage of the operational store on MongoDB', () => {
  if (server) withServer((database) => server.url(database));
  else it('did not run: the last lines of npm test say why', () => {});
});
