/** The stores of a server on both kinds of engines, with a way to change what is stored behind Podium's back. */
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { MongoClient } from 'mongodb';
import { SqliteDatabase } from '../../src/engines/sqlite/sqlite.js';
import type { TestServer as MongoServer } from './mongodb/mongo-server.js';
import { someDatabase } from './mongodb/mongo-server.js';
import { newDataDir } from './server.js';

export interface SpoiledStores {
  readonly dataDir: string;
  /** The URLs, as the environment names them. */
  readonly env: Readonly<Record<string, string>>;
  /** Removes the last row of the live generation of a collection. */
  removeRow(collection: string): Promise<void>;
  /** Changes the content of the last row of the live generation of a collection, and leaves its checksum. */
  changeRow(collection: string): Promise<void>;
  /** Changes the name in a profile, and leaves its checksum. */
  changeProfile(personId: number): Promise<void>;
  dispose(): Promise<void>;
}

export const embeddedStores = async (): Promise<SpoiledStores> => {
  const dataDir = await newDataDir();
  const inFile = (file: string, change: (db: InstanceType<typeof SqliteDatabase>) => number): void => {
    const db = new SqliteDatabase(join(dataDir, file));
    if (change(db) !== 1) throw new Error(`no row of ${file} was changed`);
    db.close();
  };
  const inTable = (collection: string, statement: (table: string) => string): void =>
    inFile('read-models.sqlite', (db) => {
      const live = `SELECT name FROM generation_tables JOIN generations ON number = generation WHERE state = 'live'`;
      const names = db.prepare<[], string>(live).pluck().all();
      const table = names.find((name) => name.startsWith(`${collection}__`));
      return db.prepare(statement(String(table))).run().changes;
    });
  return {
    dataDir,
    env: {},
    removeRow: async (collection) =>
      inTable(collection, (table) => `DELETE FROM "${table}" WHERE id = (SELECT max(id) FROM "${table}")`),
    changeRow: async (collection) =>
      inTable(
        collection,
        (table) =>
          `UPDATE "${table}" SET doc = replace(doc, ':', ': ') WHERE id = (SELECT max(id) FROM "${table}")`,
      ),
    changeProfile: async (personId) =>
      inFile('operational.sqlite', (db) => {
        // Without the triggers: as a flipped bit does.
        const triggers = db
          .prepare<[], { readonly name: string; readonly sql: string }>(
            `SELECT name, sql FROM sqlite_schema WHERE type = 'trigger'`,
          )
          .all();
        for (const { name } of triggers) db.exec(`DROP TRIGGER ${name}`);
        const { changes } = db
          .prepare(`UPDATE profiles SET name = name || '!' WHERE person_id = ?`)
          .run(personId);
        for (const { sql } of triggers) db.exec(sql);
        return changes;
      }),
    dispose: () => rm(dataDir, { recursive: true, force: true }),
  };
};

interface Row {
  readonly _id: string;
  readonly r: { readonly b?: string };
}

export const mongoStores = async (server: MongoServer): Promise<SpoiledStores> => {
  const dataDir = await newDataDir();
  const [readModels, operational] = [server.url(someDatabase()), server.url(someDatabase())];
  const clients = [new MongoClient(readModels), new MongoClient(operational)] as const;
  const [models, profiles] = [clients[0].db(), clients[1].db()];
  const rowOf = async (collection: string) => {
    const found = (await models.listCollections().toArray()).map(({ name }) => name);
    const [name = ''] = found.filter((one) => one.startsWith(`${collection}__`)).sort(byGeneration);
    const table = models.collection<Row>(name);
    const row = await table.findOne({ 'r.b': { $exists: true } }, { sort: { _id: -1 } });
    if (!row) throw new Error(`${collection} has no row`);
    return { table, row };
  };
  return {
    dataDir,
    env: { READ_MODEL_URL: readModels, OPERATIONAL_URL: operational },
    removeRow: async (collection) => {
      const { table, row } = await rowOf(collection);
      await table.deleteOne({ _id: row._id });
    },
    changeRow: async (collection) => {
      const { table, row } = await rowOf(collection);
      await table.updateOne({ _id: row._id }, { $set: { 'r.b': row.r.b?.replaceAll(':', ': ') ?? '' } });
    },
    changeProfile: async (personId) => {
      const { matchedCount } = await profiles
        .collection<{ readonly _id: number; readonly name: string }>('profiles')
        .updateOne({ _id: personId }, { $set: { name: 'Someone else' } });
      if (matchedCount !== 1) throw new Error('there is no such profile');
    },
    dispose: async () => {
      await models.dropDatabase();
      await profiles.dropDatabase();
      for (const client of clients) await client.close();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
};

/** The newest first. */
const byGeneration = (a: string, b: string): number => generationIn(b) - generationIn(a);

const generationIn = (table: string): number => Number(table.split('__')[1]);
