/**
 * Compares every tally of the live generations with what is in the file: the rows of each table with their checksums, and the
 * rows of each index. So a row that a damaged page or index leaves out is noticed, although no read meets it. It
 * reads the whole file in one snapshot, which takes seconds for a gigabyte.
 */
import type Database from 'better-sqlite3';
import type { DamageOfGeneration } from '../../../foundation/read-models/damaged-generation.js';
import { rowsFault, type Tally, tallyFault } from '../../../foundation/read-models/tally.js';
import { hasTallies, tallyOf } from './sqlite-tallies.js';

interface TalliedObject extends Tally {
  readonly name: string;
  readonly generation: number;
  /** Null: there is no table or index of this name. */
  readonly sql: string | null;
  /** The table of an index; of a table its own name. */
  readonly tableName: string | null;
}

export const auditTallies = (db: Database.Database): readonly DamageOfGeneration[] =>
  db.transaction(() => talliedIn(db).flatMap((tallied) => damageIn(db, tallied) ?? []))();

const talliedIn = (db: Database.Database): readonly TalliedObject[] => {
  if (!hasTallies(db)) return [];
  return db
    .prepare<[], TalliedObject>(
      `SELECT tallies.name, generation, rows, tallies.sum, sql, tbl_name AS tableName
       FROM tallies JOIN generations ON number = generation
       LEFT JOIN sqlite_schema ON sqlite_schema.name = tallies.name
       WHERE state = 'live' AND version >= 0 AND tallied = position ORDER BY tallies.name`,
    )
    .all();
};

const damageIn = (db: Database.Database, tallied: TalliedObject): DamageOfGeneration | null => {
  const reason = faultIn(db, tallied);
  if (reason === null) return null;
  const [collection, , index] = tallied.name.split('__');
  const place = `collection ${collection}${index === undefined ? '' : `, index ${index}`}`;
  return { generation: tallied.generation, place, reason, extent: 'generation' };
};

const faultIn = (db: Database.Database, { name, tableName, sql, ...tally }: TalliedObject): string | null => {
  if (sql === null) return 'it is not there';
  const found = (select: string): Tally => db.prepare<[], Tally>(select).get() ?? { rows: 0, sum: 0 };
  if (name === tableName) return tallyFault(tally, found(tallyOf(name)));
  const [, where = '1'] = sql.split(' WHERE ');
  const counted = `SELECT count(*) AS rows FROM "${tableName}" INDEXED BY "${name}" WHERE ${where}`;
  return rowsFault(tally.rows, found(counted).rows);
};
