/** The installation and its witnesses in the operational file. Each change is on disk before it is answered. */
import type Database from 'better-sqlite3';
import type { Installation } from '../../../foundation/event-store/installation.js';
import type {
  BackupNote,
  Remembered,
  Witness,
  WitnessStore,
} from '../../../foundation/operational/witness-store.js';

/** `event` and `backup` are JSON. `installation` has one row. */
export const WITNESSES_SCHEMA = `
  CREATE TABLE IF NOT EXISTS installation (
    only INTEGER PRIMARY KEY CHECK (only = 1),
    id TEXT NOT NULL,
    epoch INTEGER NOT NULL,
    backup TEXT
  );
  CREATE TABLE IF NOT EXISTS witnesses (
    store_id TEXT PRIMARY KEY,
    position INTEGER NOT NULL,
    event TEXT
  );
`;

interface InstallationRow {
  readonly id: string;
  readonly epoch: number;
  readonly backup: string | null;
}

interface WitnessRow {
  readonly storeId: string;
  readonly position: number;
  readonly event: string | null;
}

export class SqliteWitnesses implements WitnessStore {
  readonly #db: Database.Database;

  constructor(db: Database.Database) {
    this.#db = db;
  }

  async read(): Promise<Remembered> {
    return this.#db.transaction(() => this.#remembered())();
  }

  async claim({ id, epoch }: Installation): Promise<Installation> {
    return this.#db
      .transaction(() => {
        this.#db
          .prepare('INSERT OR IGNORE INTO installation (only, id, epoch) VALUES (1, ?, ?)')
          .run(id, epoch);
        return this.#remembered().installation ?? { id, epoch };
      })
      .immediate();
  }

  async raise(witness: Witness): Promise<void> {
    this.#put(witness);
  }

  async begin({ id, epoch }: Installation, witnesses: readonly Witness[]): Promise<void> {
    this.#db
      .transaction(() => {
        this.#db
          .prepare(
            `INSERT INTO installation (only, id, epoch) VALUES (1, ?, ?)
             ON CONFLICT (only) DO UPDATE SET id = excluded.id, epoch = excluded.epoch`,
          )
          .run(id, epoch);
        this.#db.prepare('DELETE FROM witnesses').run();
        for (const witness of witnesses) this.#put(witness);
      })
      .immediate();
  }

  async noteBackup(note: BackupNote): Promise<void> {
    this.#db.prepare('UPDATE installation SET backup = ?').run(JSON.stringify(note));
  }

  #put({ storeId, position, event }: Witness): void {
    this.#db
      .prepare(
        `INSERT INTO witnesses VALUES (@storeId, @position, @event)
         ON CONFLICT (store_id) DO UPDATE SET
           position = max(position, excluded.position), event = ifnull(excluded.event, event)`,
      )
      .run({ storeId, position, event: event && JSON.stringify(event) });
  }

  #remembered(): Remembered {
    const row = this.#db
      .prepare<[], InstallationRow>('SELECT id, epoch, backup FROM checked_installation')
      .get();
    const witnesses = this.#db
      .prepare<[], WitnessRow>(
        'SELECT store_id AS storeId, position, event FROM checked_witnesses ORDER BY store_id',
      )
      .all();
    return {
      installation: row ? { id: row.id, epoch: row.epoch } : null,
      witnesses: witnesses.map(({ event, ...rest }) => ({ ...rest, event: event && JSON.parse(event) })),
      backup: row?.backup ? JSON.parse(row.backup) : null,
    };
  }
}
