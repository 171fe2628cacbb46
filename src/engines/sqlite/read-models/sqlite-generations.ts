/**
 * The bookkeeping of a read-model database: the phase of each generation (live, building, retired), its tables and its
 * position. Every change of the live generations raises the epoch in the same transaction. So a reader finds out with
 * one cheap read whether its tables are still the live ones.
 */
import type Database from 'better-sqlite3';
import type { Position } from '../../../foundation/event-store/event-store.js';
import type { Generation, ProjectionProgress } from '../../../foundation/read-models/read-model-store.js';

type State = 'live' | 'building' | 'retired';

interface GenerationRow {
  readonly projection: string;
  readonly number: number;
  readonly version: number;
  readonly storeId: string;
  readonly position: Position;
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
};

/** Lets the next numbers begin at the time of day: no other file has had them. */
export const numberGenerationsAnew = (db: Database.Database): void => {
  db.prepare(`INSERT INTO sqlite_sequence VALUES ('generations', ?)`).run(Date.now());
};

/** Parameters: the next position, the generation, its present position. Changes nothing on a conflict, or when it is retired. */
export const ADVANCE = `UPDATE generations SET position = ? WHERE number = ? AND position = ? AND state <> 'retired'`;

/** Returns a number that grows with every change of the live generations. */
export const SELECT_EPOCH = 'SELECT value FROM epoch';

const COLUMNS = 'projection, number, version, store_id AS storeId, position, state';

const generationOf = ({ state: _, ...generation }: GenerationRow): Generation => generation;

/** The bookkeeping over one connection. The caller runs the transactions. */
export class SqliteGenerations {
  readonly #live: Database.Statement<[], GenerationRow>;
  readonly #ofProjection: Database.Statement<[string], GenerationRow>;
  readonly #position: Database.Statement<[string], Position>;

  constructor(readonly db: Database.Database) {
    this.#live = db.prepare(`SELECT ${COLUMNS} FROM generations WHERE state = 'live'`);
    this.#ofProjection = db.prepare(
      `SELECT ${COLUMNS} FROM generations WHERE projection = ? AND state <> 'retired'`,
    );
    this.#position = db
      .prepare<[string], Position>(`SELECT position FROM generations WHERE projection = ? AND state = 'live'`)
      .pluck();
  }

  live(): Generation[] {
    return this.#live.all().map(generationOf);
  }

  livePosition(projection: string): Position {
    return this.#position.get(projection) ?? 0;
  }

  progress(projection: string): ProjectionProgress {
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
        `INSERT INTO generations (projection, version, store_id, position, state) VALUES (?, ?, ?, 0, 'building')`,
      )
      .run(projection, version, storeId);
    return { projection, number: Number(lastInsertRowid), version, storeId, position: 0 };
  }

  swap(generation: Generation): void {
    this.#retire(generation.projection, 'live');
    this.db.prepare(`UPDATE generations SET state = 'live' WHERE number = ?`).run(generation.number);
    this.raiseEpoch();
  }

  /** No code has version 0. */
  condemn(generation: number): void {
    this.db.prepare('UPDATE generations SET version = 0 WHERE number = ?').run(generation);
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

  #retire(projection: string, state: State): void {
    this.db
      .prepare(`UPDATE generations SET state = 'retired' WHERE projection = ? AND state = ?`)
      .run(projection, state);
  }
}
