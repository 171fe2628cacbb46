/**
 * Compares every tally of the live generations with what is in the file: the rows of each table with their checksums, and the
 * rows of each index. So a row that a damaged page or index leaves out is noticed, although no read meets it. It
 * reads the whole file in one snapshot, which takes seconds for a gigabyte.
 */
import type Database from 'better-sqlite3';
import {
  DamagedGenerationError,
  type DamageOfGeneration,
} from '../../../foundation/read-models/damaged-generation.js';
import { EMPTY_TALLY, rowsFault, type Tally, tallyFault } from '../../../foundation/read-models/tally.js';
import { hasTallies, SqliteGenerations } from './sqlite-generations.js';
import { indexKey } from './sqlite-index-key.js';
import { EMPTY_TABLE, type TableTally, TallyReader, tallyOf } from './sqlite-tallies.js';

/** What `sqlite_schema` has of a table and its indexes. */
interface SchemaObject {
  readonly type: 'table' | 'index';
  readonly name: string;
  readonly sql: string;
}

interface Fault {
  /** Null: of the table. */
  readonly index: string | null;
  readonly reason: string;
}

export const auditTallies = (db: Database.Database): readonly DamageOfGeneration[] => {
  try {
    return db.transaction(() => faultsOfAll(db))();
  } catch (error) {
    // Of a checkpoint.
    if (error instanceof DamagedGenerationError) return [error.found];
    throw error;
  }
};

const faultsOfAll = (db: Database.Database): readonly DamageOfGeneration[] =>
  talliesOf(db).flatMap(({ generation, collection, table, tally }) =>
    faultsIn(db, table, tally).map(({ index, reason }) => {
      const place = `collection ${collection}${index === null ? '' : `, index ${index}`}`;
      return { generation, place, reason, extent: 'generation' as const };
    }),
  );

/** Of all tables of the live generations. One that nothing was written to has no tally. */
const talliesOf = (db: Database.Database) => {
  if (!hasTallies(db)) return [];
  const reader = new TallyReader(db);
  const tables = db
    .prepare<[number], string>('SELECT name FROM generation_tables WHERE generation = ? ORDER BY name')
    .pluck();
  return new SqliteGenerations(db).readable().flatMap((generation) => {
    const tallies = reader.of(generation);
    return (tallies ? tables.all(generation) : []).map((table) => {
      const collection = table.slice(0, table.indexOf('__'));
      return { generation, collection, table, tally: tallies?.get(collection) ?? EMPTY_TABLE };
    });
  });
};

const faultsIn = (db: Database.Database, table: string, tally: TableTally): readonly Fault[] => {
  const objects = db
    .prepare<[string], SchemaObject>(
      'SELECT type, name, sql FROM sqlite_schema WHERE tbl_name = ? AND sql IS NOT NULL ORDER BY type DESC, name',
    )
    .all(table);
  if (objects[0]?.type !== 'table') return [{ index: null, reason: 'it is not there' }];
  const reason = tallyFault(tally, db.prepare<[], Tally>(tallyOf(table)).get() ?? EMPTY_TALLY);
  const faults = objects.slice(1).flatMap((index) => faultOf(db, table, tally, index) ?? []);
  return reason === null ? faults : [{ index: null, reason }, ...faults];
};

/** An index of other code has no tally. */
const faultOf = (
  db: Database.Database,
  table: string,
  { listed }: TableTally,
  { name, sql }: SchemaObject,
): Fault | null => {
  const [, , index = '', ...fields] = name.split('__');
  const written = listed[indexKey(index, fields)];
  if (written === undefined) return null;
  const [, where = '1'] = sql.split(' WHERE ');
  const counted = `SELECT count(*) FROM "${table}" INDEXED BY "${name}" WHERE ${where}`;
  const reason = rowsFault(written, db.prepare<[], number>(counted).pluck().get() ?? 0);
  return reason === null ? null : { index, reason };
};
