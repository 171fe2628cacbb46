/**
 * The bookkeeping of a read-model database: the phase of each generation (live, building, retired), its tables and its
 * position. Every change of the live generations raises the epoch in the same transaction. So a reader finds out with
 * one cheap read whether its tables are still the live ones.
 *
 * Each position has a copy: a checkpoint that is damaged would pass over events. A trigger keeps the copy for code of older
 * versions. `tallied` is the position up to which only code that keeps `tallies` has written.
 */
import type Database from 'better-sqlite3';
import type { Position } from '../../../foundation/event-store/event-store.js';
import {
  condemnedVersion,
  DamagedGenerationError,
  type DamageExtent,
  isUnreadable,
} from '../../../foundation/read-models/damaged-generation.js';
import type { Generation, ProjectionProgress } from '../../../foundation/read-models/read-model-store.js';
import { SqliteDatabase } from '../sqlite.js';
import { NO_TALLIES } from './sqlite-tallies.js';

type State = 'live' | 'building' | 'retired';

interface GenerationRow {
  readonly projection: string;
  readonly number: number;
  readonly version: number;
  readonly storeId: string;
  readonly position: Position;
  /** Null: older code has begun the generation, and not moved it since. */
  readonly positionCopy: Position | null;
  readonly state: State;
}

export const createGenerations = (db: Database.Database): void => {
  db.exec(`
    CREATE TABLE IF NOT EXISTS generations (
      number INTEGER PRIMARY KEY AUTOINCREMENT,
      projection TEXT NOT NULL,
      version INTEGER NOT NULL,
      store_id TEXT NOT NULL,
      position INTEGER NOT NULL,
      state TEXT NOT NULL CHECK (state IN ('live', 'building', 'retired'))
    );
    CREATE UNIQUE INDEX IF NOT EXISTS one_generation_a_state
      ON generations (projection, state) WHERE state <> 'retired';
    CREATE TABLE IF NOT EXISTS generation_tables (
      generation INTEGER NOT NULL REFERENCES generations (number),
      name TEXT NOT NULL UNIQUE
    );
    CREATE TABLE IF NOT EXISTS epoch (only INTEGER PRIMARY KEY CHECK (only = 1), value INTEGER NOT NULL);
    INSERT OR IGNORE INTO epoch VALUES (1, 1);
  `);
  if (!columnsOf(db).includes('tallied'))
    db.exec(`
      ALTER TABLE generations ADD COLUMN tallied INTEGER;
      ALTER TABLE generations ADD COLUMN tallies TEXT;
      ALTER TABLE generations ADD COLUMN position_copy INTEGER;
      UPDATE generations SET position_copy = position;
      CREATE TRIGGER copy_position AFTER UPDATE OF position ON generations
      WHEN NEW.position_copy IS NOT NEW.position BEGIN
        UPDATE generations SET position_copy = NEW.position WHERE number = NEW.number;
      END;
    `);
};

/** False on a connection that only reads, where it is the first of this version. */
export const hasTallies = (db: Database.Database): boolean => columnsOf(db).includes('tallies');

const columnsOf = (db: Database.Database): readonly unknown[] =>
  db.prepare('SELECT name FROM pragma_table_info(?)').pluck().all('generations');

/** Lets the next numbers begin at the time of day: no other file has had them. */
export const numberGenerationsAnew = (db: Database.Database): void => {
  db.prepare(`INSERT INTO sqlite_sequence VALUES ('generations', ?)`).run(Date.now());
};

/** Returns a number that grows with every change of the live generations. */
export const SELECT_EPOCH = 'SELECT value FROM epoch';

const rowsBy = (way: string): string =>
  `SELECT number, projection, state FROM generations ${way} WHERE state <> 'retired'`;

const IN_TABLE = rowsBy('NOT INDEXED');
const IN_INDEX = rowsBy('INDEXED BY one_generation_a_state');

/** SQL: whether the table of generations and its index differ. One statement, so that no other process writes meanwhile. */
const IS_CHANGED = `EXISTS (${IN_TABLE} EXCEPT ${IN_INDEX}) OR EXISTS (${IN_INDEX} EXCEPT ${IN_TABLE})`;

const COLUMNS = 'projection, number, version, store_id AS storeId, position, state';

/** Throws DamagedGenerationError when its checkpoint is not the one that was written. */
const generationOf = ({ state: _, positionCopy, ...generation }: GenerationRow): Generation => {
  if (positionCopy === null || positionCopy === generation.position) return generation;
  throw new DamagedGenerationError({
    generation: generation.number,
    place: `the checkpoint of ${generation.projection}`,
    reason: 'it is not the one that was written',
    extent: 'generation',
  });
};

/** The bookkeeping over one connection. The caller runs the transactions. */
export class SqliteGenerations {
  readonly #live: Database.Statement<[], GenerationRow>;
  readonly #ofProjection: Database.Statement<[string], GenerationRow>;
  readonly #position: Database.Statement<[string], Position>;
  readonly #isChanged: Database.Statement<[], 0 | 1>;

  constructor(readonly db: Database.Database) {
    // A connection that only reads may be the first of this version.
    const copy = columnsOf(db).includes('position_copy') ? 'position_copy' : 'NULL';
    const columns = `${COLUMNS}, ${copy} AS positionCopy`;
    this.#live = db.prepare(`SELECT ${columns} FROM generations WHERE state = 'live'`);
    this.#ofProjection = db.prepare(
      `SELECT ${columns} FROM generations WHERE projection = ? AND state <> 'retired'`,
    );
    this.#position = db
      .prepare<[string], Position>(`SELECT position FROM generations WHERE projection = ? AND state = 'live'`)
      .pluck();
    this.#isChanged = db.prepare<[], 0 | 1>(`SELECT ${IS_CHANGED}`).pluck();
  }

  /** The numbers of the live generations that can be read. */
  readable(): readonly number[] {
    return this.live().flatMap((generation) => (isUnreadable(generation) ? [] : generation.number));
  }

  live(): Generation[] {
    this.#requireUnchanged();
    return this.#live.all().map(generationOf);
  }

  livePosition(projection: string): Position {
    return this.#position.get(projection) ?? 0;
  }

  progress(projection: string): ProjectionProgress {
    this.#requireUnchanged();
    const rows = this.#ofProjection.all(projection);
    const inState = (state: State): Generation | null => {
      const row = rows.find((candidate) => candidate.state === state);
      return row ? generationOf(row) : null;
    };
    return { live: inState('live'), building: inState('building') };
  }

  /** Retires the building generation and starts the next one. */
  begin(projection: string, version: number, storeId: string): Generation {
    this.#retire(projection, 'building');
    const { lastInsertRowid } = this.db
      .prepare(
        `INSERT INTO generations (projection, version, store_id, position, position_copy, tallied, tallies, state)
         VALUES (?, ?, ?, 0, 0, 0, ?, 'building')`,
      )
      .run(projection, version, storeId, NO_TALLIES);
    return { projection, number: Number(lastInsertRowid), version, storeId, position: 0 };
  }

  swap(generation: Generation): void {
    this.#retire(generation.projection, 'live');
    this.db.prepare(`UPDATE generations SET state = 'live' WHERE number = ?`).run(generation.number);
    this.raiseEpoch();
  }

  /** Makes the projector build the projection anew. Of a generation that is damaged as a whole the checkpoint says nothing. */
  condemn(generation: number, extent: DamageExtent): void {
    const version = condemnedVersion(extent);
    const position = extent === 'generation' ? '0' : 'position';
    const { changes } = this.db
      .prepare(
        `UPDATE generations SET version = @version, position = ${position}
         WHERE number = @generation AND (version > @version OR position <> position_copy)`,
      )
      .run({ version, generation });
    if (changes > 0) this.raiseEpoch();
  }

  raiseEpoch(): void {
    this.db.exec('UPDATE epoch SET value = value + 1');
  }

  addTable(generation: number, name: string): void {
    this.db.prepare('INSERT OR IGNORE INTO generation_tables VALUES (?, ?)').run(generation, name);
  }

  hasTable(name: string): boolean {
    return this.db.prepare('SELECT 1 FROM generation_tables WHERE name = ?').get(name) !== undefined;
  }

  /** Tables of retired generations that are not dropped yet. */
  retiredTables(): string[] {
    return this.db
      .prepare<[], string>(
        `SELECT name FROM generation_tables JOIN generations ON number = generation WHERE state = 'retired'`,
      )
      .pluck()
      .all();
  }

  forgetTable(name: string): void {
    this.db.prepare('DELETE FROM generation_tables WHERE name = ?').run(name);
    this.db.exec(
      `DELETE FROM generations WHERE state = 'retired' AND number NOT IN (SELECT generation FROM generation_tables)`,
    );
  }

  /** A generation that is not found would be taken for one that was never built: all its lists would be empty. */
  #requireUnchanged(): void {
    if (this.#isChanged.get() === 1)
      throw new SqliteDatabase.SqliteError('a generation is not in its index', 'SQLITE_CORRUPT');
  }

  #retire(projection: string, state: State): void {
    this.db
      .prepare(`UPDATE generations SET state = 'retired' WHERE projection = ? AND state = ?`)
      .run(projection, state);
  }
}
