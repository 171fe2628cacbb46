/**
 * The SQLite file of the snapshots, beside the read models: a projector's lock keeps nobody from it. A file that turns
 * out to be damaged is marked and used no longer. The next process that opens it begins another.
 */
import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import type Database from 'better-sqlite3';
import { makeFolder } from '../../../foundation/basics/folders.js';
import {
  newLineage,
  type SnapshotKey,
  type StateSnapshot,
  type StoredSnapshot,
} from '../../../foundation/read-models/state-snapshots.js';
import { NO_WAIT_MS } from '../locks.js';
import { isDamage } from '../replaceable-file.js';
import { SqliteDatabase } from '../sqlite.js';
import { guarded } from './sqlite-errors.js';

const CREATE = `
  CREATE TABLE IF NOT EXISTS snapshots (
    stream TEXT NOT NULL,
    version INTEGER NOT NULL,
    lineage INTEGER NOT NULL,
    revision INTEGER NOT NULL,
    event_id TEXT NOT NULL,
    body TEXT NOT NULL,
    PRIMARY KEY (stream, version)
  ) STRICT;
  CREATE TABLE IF NOT EXISTS used_requests (
    lineage INTEGER NOT NULL,
    key TEXT NOT NULL,
    fingerprint TEXT NOT NULL,
    PRIMARY KEY (lineage, key)
  ) STRICT, WITHOUT ROWID;
`;

/** Strings only cross to the thread: keys and fingerprints in turn. */
export interface SaveSnapshot extends SnapshotKey, StateSnapshot {
  readonly lineage: number | null;
  readonly used: readonly string[];
}

const prepared = (db: Database.Database) => ({
  load: db.prepare<[string, number], StoredSnapshot>(
    `SELECT lineage, revision, event_id AS eventId, body FROM snapshots WHERE stream = ? AND version = ?`,
  ),
  lineage: db
    .prepare<[string, number], number>('SELECT lineage FROM snapshots WHERE stream = ? AND version = ?')
    .pluck(),
  begin: db.prepare<[SnapshotKey & StoredSnapshot]>(
    `INSERT OR REPLACE INTO snapshots (stream, version, lineage, revision, event_id, body)
     VALUES (@stream, @version, @lineage, @revision, @eventId, @body)`,
  ),
  advance: db.prepare<[SnapshotKey & StateSnapshot]>(
    `UPDATE snapshots SET revision = @revision, event_id = @eventId, body = @body
     WHERE stream = @stream AND version = @version AND revision < @revision`,
  ),
  use: db.prepare<[number, string, string]>('INSERT OR IGNORE INTO used_requests VALUES (?, ?, ?)'),
  used: db
    .prepare<[number, string], string>('SELECT fingerprint FROM used_requests WHERE lineage = ? AND key = ?')
    .pluck(),
  forget: db.prepare<[number]>('DELETE FROM used_requests WHERE lineage = ?'),
});

type Statements = ReturnType<typeof prepared>;

export class SqliteSnapshotsFile {
  readonly #path: string;
  #open: { readonly db: Database.Database; readonly statements: Statements } | null = null;
  #isDamaged = false;

  /** Nothing is opened yet. */
  constructor(path: string) {
    this.#path = path;
  }

  load({ stream, version }: SnapshotKey): StoredSnapshot | null {
    return this.#run(({ load }) => load.get(stream, version) ?? null);
  }

  /** Returns the lineage; null when the one that is continued is gone. */
  save({ lineage, used, ...snapshot }: SaveSnapshot): number | null {
    return this.#run((statements, db) =>
      db
        .transaction(() => {
          const before = statements.lineage.get(snapshot.stream, snapshot.version) ?? null;
          if (lineage !== null && lineage !== before) return null;
          const now = lineage ?? newLineage();
          for (let at = 0; at < used.length; at += 2)
            statements.use.run(now, used[at] ?? '', used[at + 1] ?? '');
          if (lineage !== null) statements.advance.run(snapshot);
          else {
            if (before !== null) statements.forget.run(before);
            statements.begin.run({ ...snapshot, lineage: now });
          }
          return now;
        })
        .immediate(),
    );
  }

  find(
    { stream, version }: SnapshotKey,
    lineage: number,
    keys: readonly string[],
  ): ReadonlyMap<string, string> | null {
    return this.#run((statements) => {
      if (statements.lineage.get(stream, version) !== lineage) return null;
      const found = new Map<string, string>();
      for (const key of keys) {
        const fingerprint = statements.used.get(lineage, key);
        if (fingerprint !== undefined) found.set(key, fingerprint);
      }
      return found;
    });
  }

  /** The next use opens it again. */
  close(): void {
    this.#open?.db.close();
    this.#open = null;
  }

  /** Null also where the file is damaged: then it holds nothing. */
  #run<T>(work: (statements: Statements, db: Database.Database) => T): T | null {
    if (this.#isDamaged) return null;
    return guarded(() => {
      try {
        this.#open ??= open(this.#path);
        return work(this.#open.statements, this.#open.db);
      } catch (error) {
        if (!isDamage(error)) throw error;
        this.#isDamaged = true;
        this.close();
        writeFileSync(damagedMark(this.#path), '');
        return null;
      }
    });
  }
}

const damagedMark = (path: string): string => `${path}-damaged`;

const open = (path: string): { readonly db: Database.Database; readonly statements: Statements } => {
  makeFolder(dirname(path));
  if (existsSync(damagedMark(path)))
    for (const file of [path, `${path}-wal`, `${path}-shm`, damagedMark(path)]) rmSync(file, { force: true });
  const db = new SqliteDatabase(path, { timeout: NO_WAIT_MS });
  try {
    db.pragma('journal_mode = WAL');
    db.pragma('synchronous = NORMAL');
    db.exec(CREATE);
    return { db, statements: prepared(db) };
  } catch (error) {
    db.close();
    throw error;
  }
};
