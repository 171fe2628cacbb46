/**
 * Compares the documents of two generations of a projection that have come equally far, in one snapshot. The texts are compared
 * first; where they differ, the values, since older code may have written the fields in another order.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import type Database from 'better-sqlite3';
import type {
  ComparedDocument,
  ComparesGenerations,
  Generation,
} from '../../../foundation/read-models/read-model-store.js';
import { pagesInOrder } from '../pages-in-order.js';
import { SqliteGenerations } from './sqlite-generations.js';
import { SqliteTable } from './sqlite-tables.js';

/** Between two pages the thread has other work. */
const ROWS_AT_ONCE = 500;

interface Pair {
  readonly id: string;
  readonly doc: string;
  /** Null: the other generation has no such document. */
  readonly other: string | null;
}

/** `db`: a connection of its own. Returns null when the two are not at the same position. */
export const compareGenerations = async (
  db: Database.Database,
  built: Generation,
  comparedIn: Parameters<ComparesGenerations['compare']>[1],
): Promise<readonly ComparedDocument[] | null> => {
  db.exec('BEGIN');
  try {
    const { live, building } = new SqliteGenerations(db).progress(built.projection);
    if (!live || building?.number !== built.number || live.position !== building.position) return null;
    const differing: ComparedDocument[] = [];
    const { collections, added } = comparedIn(live);
    for (const collection of collections) {
      const before = new SqliteTable(collection, live.number).name;
      const now = new SqliteTable(collection, built.number).name;
      for await (const pair of pairs(db, before, now))
        if (!isSame(pair, added)) differing.push({ collection: collection.name, id: pair.id });
      for await (const pair of pairs(db, now, before))
        if (pair.other === null) differing.push({ collection: collection.name, id: pair.id });
    }
    return differing;
  } finally {
    db.exec('ROLLBACK');
  }
};

async function* pairs(db: Database.Database, table: string, other: string): AsyncGenerator<Pair> {
  const next = db.prepare<[string, number], Pair>(
    `SELECT id, t.doc AS doc, o.doc AS other FROM "${table}" AS t LEFT JOIN "${other}" AS o USING (id)
     WHERE id > ? ORDER BY id LIMIT ?`,
  );
  const pages = pagesInOrder(
    (after: string) => next.all(after, ROWS_AT_ONCE),
    ({ id }) => id,
    '',
  );
  for (const page of pages) {
    yield* page;
    await nextTurn();
  }
}

const isSame = ({ doc, other }: Pair, added: readonly string[]): boolean =>
  doc === other || (other !== null && isDeepStrictEqual(parsed(doc), without(parsed(other), added)));

const without = (document: unknown, fields: readonly string[]): unknown =>
  fields.length === 0
    ? document
    : Object.fromEntries(Object.entries(Object(document)).filter(([name]) => !fields.includes(name)));

/** Of a text that is no JSON, the text: it differs from every document. */
const parsed = (doc: string): unknown => {
  try {
    return JSON.parse(doc);
  } catch {
    return doc;
  }
};
