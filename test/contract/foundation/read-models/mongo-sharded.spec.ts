/**
 * What the stores on MongoDB do on a sharded cluster. No mongos can be had here: the test server is made to say that it is one, and
 * what it would be told about shards is caught before it is sent. That each command names its shard key is held in the other specs.
 */
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { Admin, Collection, Db, type Document, MongoClient, MongoServerError } from 'mongodb';
import { OPERATIONAL_SHARD_KEYS } from '../../../../src/engines/mongodb/operational/documents.js';
import { MongoOperationalStore } from '../../../../src/engines/mongodb/operational/mongo-operational-store.js';
import { MongoReadModelStore } from '../../../../src/engines/mongodb/read-models/mongo-read-model-store.js';
import { SqliteOperationalStore } from '../../../../src/engines/sqlite/operational/sqlite-operational-store.js';
import { AssocIdTakenError } from '../../../../src/foundation/operational/operational-store.js';
import type { ProjectionSchema } from '../../../../src/foundation/read-models/read-model-store.js';
import { storedAccount } from '../../../support/accounts.js';
import { notRunOn } from '../../../support/engines.js';
import { startGeneration } from '../../../support/generations.js';
import { mongoServer, someDatabase } from '../../../support/mongodb/mongo-server.js';
import { requireShardKeys, watched } from '../../../support/mongodb/shard-keys.js';

const schema: ProjectionSchema = {
  name: 'toy',
  version: 1,
  collections: [{ name: 'rows', indexes: { ranking: ['list', 'value'] } }],
};

const server = await mongoServer(['ReadModelStore'], { what: 'shard keys' });

const isMongos = async (url: string): Promise<boolean> => {
  const client = new MongoClient(url);
  const { msg } = await client.db().command({ hello: 1 });
  await client.close();
  return msg === 'isdbgrid';
};
const isSharded = server !== null && (await isMongos(server.url(someDatabase())));
for (const port of isSharded ? [] : ['ReadModelStore', 'OperationalStore'])
  notRunOn({
    port,
    engine: 'MongoDB',
    what: 'a sharded cluster',
    why: 'none can be had here; the tests hold each command to the shard key of its collection; PODIUM_TEST_MONGODB_URL may name a mongos',
  });

const ada = { spaceId: 'default', name: 'Ada', localizedName: null, assocId: '2020ADA01' };

interface Identified {
  readonly _id: string;
}

/** Makes the server say that it is a mongos. Returns what it is told about shards, with the first insert into the log. */
const asMongos = ({
  refusal = null,
  isMongos = true,
}: {
  refusal?: Error | null;
  isMongos?: boolean;
} = {}): Document[] => {
  const told: Document[] = [];
  const command = Db.prototype.command;
  jest.spyOn(Db.prototype, 'command').mockImplementation(async function (this: Db, sent, options) {
    const {
      ferretdb: _,
      ferretdbVersion: __,
      ...reply
    } = await Reflect.apply(command, this, [sent, options]);
    return 'hello' in sent && isMongos ? { ...reply, msg: 'isdbgrid' } : reply;
  });
  jest.spyOn(Admin.prototype, 'command').mockImplementation(async (sent) => {
    if (refusal) throw refusal;
    told.push(sent);
    return { ok: 1 };
  });
  const createIndex = Collection.prototype.createIndex;
  jest.spyOn(Collection.prototype, 'createIndex').mockImplementation(async function (
    this: Collection,
    keys,
    options,
  ) {
    if (JSON.stringify(keys) !== '{"_id":"hashed"}') return Reflect.apply(createIndex, this, [keys, options]);
    told.push({ hashedIndexOf: this.collectionName });
    return '_id_hashed';
  });
  const insertOne = Collection.prototype.insertOne;
  jest.spyOn(Collection.prototype, 'insertOne').mockImplementation(async function (
    this: Collection,
    row,
    options,
  ) {
    if (this.collectionName === 'log') told.push({ decision: row._id });
    return Reflect.apply(insertOne, this, [row, options]);
  });
  return told;
};

const withServer = (urlFor: (database: string) => string): void => {
  let database: string;
  let stores: { close(): Promise<void> }[];

  beforeEach(() => {
    database = someDatabase();
    stores = [];
  });
  afterEach(async () => {
    jest.restoreAllMocks();
    for (const store of stores) await store.close();
    const client = new MongoClient(urlFor(database));
    await client.db().dropDatabase();
    await client.close();
  });

  const readModels = (): MongoReadModelStore => {
    const store = new MongoReadModelStore(urlFor(database));
    stores.push(store);
    return store;
  };
  const operational = (): MongoOperationalStore => {
    const store = new MongoOperationalStore(urlFor(database), {
      openCopy: (path) => new SqliteOperationalStore(path),
    });
    stores.push(store);
    return store;
  };
  const sharded = (name: string, key: 'hashed' | 1): Document => ({
    shardCollection: `${database}.${name}`,
    key: { _id: key },
  });

  it('shards the read models, and the rows of a generation before it is begun', async () => {
    const told = asMongos();
    const store = readModels();
    await store.prepare([schema]);
    await startGeneration(store, schema, 'events');
    expect(told).toEqual([
      sharded('log', 1),
      { hashedIndexOf: 'journal' },
      sharded('journal', 'hashed'),
      sharded('leases', 1),
      { hashedIndexOf: 'cached_results' },
      sharded('cached_results', 'hashed'),
      { hashedIndexOf: 'snapshots' },
      sharded('snapshots', 'hashed'),
      sharded('used_requests', 1),
      { hashedIndexOf: 'rows__1' },
      sharded('rows__1', 'hashed'),
      { decision: '0000000000000001' },
    ]);
  });

  /** The collections that a mongos is told of when a store is first used. */
  const shardedBy = async (
    store: MongoOperationalStore,
    told: readonly Document[],
  ): Promise<readonly string[]> => {
    await store.createProfiles([]);
    expect(told).toEqual([]);
    await store.records()[Symbol.asyncIterator]().next();
    await store.accounts.byId('none');
    return told.map(({ shardCollection }) => String(shardCollection).replace(`${database}.`, ''));
  };
  /** By collection and fields. */
  const uniqueIndexes = async (): Promise<readonly string[]> => {
    const client = new MongoClient(urlFor(database));
    const db = client.db();
    const there = new Set((await db.listCollections().toArray()).map(({ name }) => name));
    const found: string[] = [];
    for (const name of ['profiles', 'accounts', 'claims'].filter((one) => there.has(one))) {
      for (const { unique, key } of await db.collection(name).indexes())
        if (unique) found.push(`${name} ${Object.keys(key)}`);
    }
    await client.close();
    return found;
  };

  it('shards all of a new operational store, which has claims in place of unique indexes', async () => {
    const told = asMongos();
    const [first, second] = [operational(), operational()];
    expect(await shardedBy(first, told)).toEqual(Object.keys(OPERATIONAL_SHARD_KEYS));
    expect(await uniqueIndexes()).toEqual([]);
    const { personId } = await second.createProfile(ada);
    await expect(first.createProfile(ada)).rejects.toEqual(new AssocIdTakenError('2020ADA01', personId));
    // Whoever serves the database later: it is recorded there.
    jest.restoreAllMocks();
    await expect(operational().createProfile(ada)).rejects.toEqual(
      new AssocIdTakenError('2020ADA01', personId),
    );
    expect(await uniqueIndexes()).toEqual([]);
  });

  it('leaves profiles and accounts whole that are in a database with unique indexes', async () => {
    const { personId } = await operational().createProfile(ada);
    const account = storedAccount();
    await operational().accounts.create(account);
    const told = asMongos();
    const store = operational();
    expect(await store.profiles([personId])).toEqual(new Map([[personId, { personId, ...ada }]]));
    expect(await store.accounts.byEmail(account.email)).toEqual(account);
    const whole = ['profiles', 'accounts'];
    const others = Object.keys(OPERATIONAL_SHARD_KEYS).filter((name) => !whole.includes(name));
    expect(await shardedBy(store, told)).toEqual(others);
    await expect(store.createProfile(ada)).rejects.toEqual(new AssocIdTakenError('2020ADA01', personId));
    expect(await uniqueIndexes()).toEqual([
      'profiles claim.key',
      'profiles claim.owner',
      'accounts emailKey',
    ]);
  });

  it('shards nothing on a server that is no mongos, nor for a store that only reads', async () => {
    const told = asMongos({ isMongos: false });
    await readModels().prepare([schema]);
    jest.restoreAllMocks();
    const reading = asMongos();
    const store = new MongoReadModelStore(urlFor(database), { readOnly: true });
    stores.push(store);
    await store.prepare([schema]);
    expect([...told, ...reading]).toEqual([]);
  });

  it('does not go on where the user may not shard', async () => {
    const message = 'not authorized on admin to execute command { shardCollection: "log" }';
    asMongos({ refusal: new MongoServerError({ message, code: 13 }) });
    await expect(readModels().prepare([schema])).rejects.toMatchObject({
      name: 'ReadModelUnavailableError',
      message: expect.stringContaining('shardCollection'),
    });
  });

  it.each<[string, (db: Db) => Promise<unknown>]>([
    ['update leases {holder} changes one document', (db) => updated(db, 'leases')],
    ['update rows {holder} changes one document', (db) => updated(db, 'rows__3')],
    ['find journal {after} goes to every shard', (db) => db.collection('journal').findOne({ after: 1 })],
    [
      'find snapshots {_id} goes to every shard',
      (db) => db.collection<Identified>('snapshots').findOne({ _id: { $gt: 'a' } }),
    ],
    ['strangers has no shard key', (db) => db.collection<Identified>('strangers').findOne({ _id: 'a' })],
  ])('is watched, and a command that is not right for it is found: %s', async (fault, run) => {
    const client = new MongoClient(watched(urlFor(database)));
    await run(client.db());
    await client.close();
    expect(requireShardKeys).toThrow(fault);
    expect(requireShardKeys).not.toThrow();
  });
};

const updated = (db: Db, name: string): Promise<unknown> =>
  db.collection(name).updateOne({ holder: 'a' }, { $set: { holder: 'b' } });

describe('a sharded MongoDB', () => {
  if (server) withServer((database) => server.url(database));
  else it('did not run: the last lines of npm test say why', () => {});
});
