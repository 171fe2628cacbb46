/**
 * The baseline of a rebuild in MongoDB. It reads the documents outside the measured time, writes them into
 * empty collections with bulkWrite, and builds the indexes at the end.
 */
import { MongoClient } from 'mongodb';
import { generationOfTable } from '../../dist/engines/mongodb/read-models/tables.js';

const AT_ONCE = 1_000;

/** The newest generation of each collection. */
const tablesIn = async (db) => {
  const newest = new Map();
  for (const { name } of await db.listCollections({}, { nameOnly: true }).toArray()) {
    const number = generationOfTable(name);
    if (number === null) continue;
    const base = name.replace(String(number), '');
    if (number > (newest.get(base)?.number ?? 0)) newest.set(base, { name, number });
  }
  return [...newest.values()].map(({ name }) => name);
};

export const bareDocuments = async (url) => {
  const client = new MongoClient(url, { writeConcern: { w: 'majority', journal: true } });
  const db = client.db();
  let seconds = 0;
  let count = 0;
  const timed = async (work) => {
    const began = performance.now();
    await work();
    seconds += (performance.now() - began) / 1000;
  };
  for (const name of await tablesIn(db)) {
    const rows = await db.collection(name).find().toArray();
    const indexes = (await db.collection(name).indexes()).filter((index) => index.name !== '_id_');
    const target = db.collection(`bare_${name}`);
    for (let start = 0; start < rows.length; start += AT_ONCE) {
      const writes = rows.slice(start, start + AT_ONCE).map((document) => ({ insertOne: { document } }));
      await timed(() => target.bulkWrite(writes, { ordered: false }));
    }
    for (const { key, name: index, sparse } of indexes) {
      await timed(() => target.createIndex(key, { name: index, ...(sparse && { sparse }) }));
    }
    count += rows.length;
    await target.drop().catch(() => undefined);
  }
  await client.close();
  return { seconds, count };
};
