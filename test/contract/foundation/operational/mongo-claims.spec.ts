/** What the operational store on MongoDB does with the claims that take the place of unique indexes on a mongos. */
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { contentSum } from '../../../../src/engines/mongodb/content-sum.js';
import { MongoOperationalStore } from '../../../../src/engines/mongodb/operational/mongo-operational-store.js';
import type { StoredDocument } from '../../../../src/engines/mongodb/operational/summed-collection.js';
import { SqliteOperationalStore } from '../../../../src/engines/sqlite/operational/sqlite-operational-store.js';
import { StoreDamagedError } from '../../../../src/foundation/integrity/damage.js';
import { EmailTakenError } from '../../../../src/foundation/operational/account-store.js';
import { AssocIdTakenError } from '../../../../src/foundation/operational/operational-store.js';
import { storedAccount } from '../../../support/accounts.js';
import { collect } from '../../../support/events.js';
import { mongoServer, someDatabase } from '../../../support/mongodb/mongo-server.js';
import { beginWithClaims } from '../../../support/mongodb/shard-keys.js';
import { SpoiledDatabase } from '../../../support/mongodb/spoiled-database.js';

const ada = { spaceId: 'default', name: 'Ada', localizedName: null, assocId: '2020ADA01' };
const bob = { spaceId: 'default', name: 'Bob', localizedName: null, assocId: null };
const ADA = 'person\ndefault\n2020ada01';
const ANN = 'email\nann@example.org';

const server = await mongoServer(['OperationalStore'], { what: 'claims of the operational store' });

const withServer = (urlFor: (database: string) => string, updatesAtOnce: boolean): void => {
  let spoiled: SpoiledDatabase;
  let store: MongoOperationalStore;

  const open = (): MongoOperationalStore => {
    const opened = new MongoOperationalStore(spoiled.url, {
      openCopy: (path) => new SqliteOperationalStore(path),
      keepsChecksums: true,
    });
    spoiled.closesFirst(opened);
    return opened;
  };
  const claims = () => spoiled.db.collection<StoredDocument>('claims');
  const named = async (): Promise<readonly string[]> =>
    (await collect(store.scrub())).flatMap(({ damages }) => damages.map(({ place }) => place));

  beforeEach(async () => {
    const url = urlFor(someDatabase());
    await beginWithClaims(url);
    spoiled = new SpoiledDatabase(url);
    store = open();
    await store.createProfiles([ada, bob]);
    await store.accounts.create(storedAccount());
  });
  afterEach(() => spoiled.drop());

  it('hold a value each, and are gone with the person or account that held it', async () => {
    const held = () => claims().distinct('_id');
    expect(await held()).toEqual([ANN, ADA].sort());
    await store.handOverAssocId(1, 2);
    await store.eraseProfile(1);
    expect(await claims().findOne({ _id: ADA })).toMatchObject({ owner: 2 });
    await store.updateProfile(2, { assocId: '2020BOB01' });
    await store.accounts.update('ann', { email: 'a@example.org' });
    expect(await held()).toEqual(['email\na@example.org', 'person\ndefault\n2020bob01']);
    await store.eraseProfile(2);
    await store.accounts.erase('ann');
    expect(await held()).toEqual([]);
  });

  it('are gone with the person that a process was about to give one when it died', async () => {
    const left = { owner: 2, token: 'left' };
    await claims().insertMany(['a', 'b'].map((text) => ({ _id: `person\ndefault\n${text}`, ...left })));
    await store.createProfile({ ...bob, assocId: 'A' });
    await store.eraseProfile(2);
    expect(await claims().distinct('_id')).toEqual([ANN, ADA, 'person\ndefault\na']);
    expect(await claims().findOne({ _id: 'person\ndefault\na' })).toMatchObject({ owner: 3 });
  });

  it('are gone with the next scrub when their process died before it held or freed the value', async () => {
    const collection = (name: string) => spoiled.db.collection<StoredDocument>(name);
    const insert = (name: string, content: StoredDocument) =>
      collection(name).insertOne({ ...content, sum: contentSum({ in: name, content }) });
    const [BOB, EVE] = ['email\nbob@example.org', 'email\neve@example.org'];
    const left = { token: 'left' };
    await insert('claims', { _id: 'person\ndefault\nof-bob', owner: 2, ...left });
    await insert('claims', { _id: 'person\ndefault\nof-none', owner: 9, ...left });
    await insert('claims', { _id: EVE, owner: 'eve', ...left });
    await insert('accounts', { _id: 'eve', claiming: { key: EVE, ...left } });
    await insert('accounts', { _id: 'bob', claiming: { key: BOB, ...left } });
    expect(await named()).toEqual([]);
    expect(await claims().distinct('_id')).toEqual([ANN, ADA].sort());
    expect(await collection('accounts').distinct('_id')).toEqual(['ann']);
    expect(await named()).toEqual([]);
  });

  it('take the text of a handover that was cut off with them, when the person who got it is erased', async () => {
    await store.handOverAssocId(1, 2);
    const claim = { key: 'default\n2020ada01', text: '2020ADA01', owner: 1, moving: 'passed' };
    const profiles = spoiled.db.collection<StoredDocument>('profiles');
    await profiles.updateOne({ _id: 1 }, { $set: { claim }, $unset: { sum: '' } });
    expect((await store.profiles([1])).get(1)?.assocId).toBeNull();
    await store.eraseProfile(2);
    expect(await profiles.distinct('claim.text')).toEqual([]);
  });

  it('are not believed when they are damaged, and named', async () => {
    await claims().updateMany({}, { $set: { owner: 7 } });
    await expect(store.createProfile(ada)).rejects.toThrow(StoreDamagedError);
    await expect(store.accounts.byEmail('ann@example.org')).rejects.toThrow(StoreDamagedError);
    expect(await named()).toEqual(
      expect.arrayContaining([`claims, document ${ADA}`, `claims, document ${ANN}`]),
    );
  });

  it('are named when they are lost, until what they were for is erased', async () => {
    expect(await named()).toEqual([]);
    await claims().deleteMany({});
    expect(await named()).toEqual([ANN, ADA].sort().map((key) => `claims, document ${key}`));
    await store.eraseProfile(1);
    await store.accounts.erase('ann');
    expect(await named()).toEqual([]);
  });

  it('go with a damaged profile and account that are erased', async () => {
    await spoiled.db.collection<StoredDocument>('profiles').updateOne({ _id: 1 }, { $set: { name: 'Adb' } });
    await spoiled.db.collection<StoredDocument>('accounts').updateOne({}, { $set: { name: 'Anb' } });
    await expect(store.createProfile(ada)).rejects.toThrow(StoreDamagedError);
    await store.eraseProfile(1);
    await store.accounts.erase('ann');
    expect(await claims().countDocuments()).toBe(0);
    expect(await named()).toEqual([]);
    await store.createProfile(ada);
  });

  if (!updatesAtOnce) return;

  it('go to one of two nodes that create at the same moment', async () => {
    const nodes = [store, open(), open()];
    for (let turn = 0; turn < 5; turn += 1) {
      const assocId = `race${turn}`;
      const outcomes = await Promise.allSettled(
        nodes.map((node) => node.createProfiles([{ ...bob, assocId }, bob])),
      );
      expectOneOf(outcomes, AssocIdTakenError);
      const email = `race${turn}@example.org`;
      const created = await Promise.allSettled(
        nodes.map((node, place) =>
          node.accounts.create(storedAccount({ accountId: `${turn}-${place}`, email })),
        ),
      );
      expectOneOf(created, EmailTakenError);
      const [holder] = (await store.profilesByAssocId('default', [assocId])).values();
      expect(holder?.assocId).toBe(assocId);
      expect((await store.accounts.byEmail(email))?.email).toBe(email);
    }
    expect(await named()).toEqual([]);
  });

  it('go to one of two nodes that change at the same moment', async () => {
    const other = open();
    await store.createProfiles([bob, bob]);
    for (let turn = 0; turn < 20; turn += 1) {
      const assocId = `race${turn}`;
      const outcomes = await Promise.allSettled([
        store.updateProfile(2, { assocId }),
        other.updateProfile(3, { assocId }),
      ]);
      expectOneOf(outcomes, AssocIdTakenError);
    }
  });
};

/** The others were refused for that reason. */
const expectOneOf = (
  outcomes: readonly PromiseSettledResult<unknown>[],
  reason: new (...given: never[]) => Error,
): void => {
  const refused = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason] : []));
  for (const error of refused) expect(error).toBeInstanceOf(reason);
  expect(refused).toHaveLength(outcomes.length - 1);
};

describe('claims on MongoDB', () => {
  if (server) withServer((database) => server.url(database), server.isReal);
  else it('did not run: the last lines of npm test say why', () => {});
});
