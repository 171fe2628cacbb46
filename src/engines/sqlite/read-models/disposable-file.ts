/**
 * A SQLite file beside the read models whose content can be made anew. It is opened with the first use. When SQLite finds it
 * damaged it is removed, and an empty one takes its name. Another thread or process that has the damaged one open goes on
 * with it until it meets the damage, too. No use of it waits for a lock: who uses it tries again (whenUnlocked).
 */
import { existsSync } from 'node:fs';
import { dirname } from 'node:path';
import type Database from 'better-sqlite3';
import { messageOf } from '../../../foundation/basics/error-message.js';
import { makeFolder } from '../../../foundation/basics/folders.js';
import type { Damage, ScrubStep } from '../../../foundation/integrity/damage.js';
import { NO_WAIT_MS, whenUnlocked } from '../locks.js';
import { identityOf, isDamageOrLack, openToRead, openToWrite, replaceFile } from '../replaceable-file.js';
import { SqliteDatabase } from '../sqlite.js';
import { guarded } from './sqlite-errors.js';

const SCRUB_WITHIN_MS = 5_000;

export interface DisposableFileOptions<Statements> {
  /** What it caches, for a damage: `cached results`. */
  readonly holds: string;
  /** Makes what is missing, and drops what older code has made. */
  readonly schema: string;
  readonly tables: readonly string[];
  readonly olderTables: readonly string[];
  /** The write-ahead log is copied into the file when it has so many pages; 1,000 by default. */
  readonly checkpointPages?: number;
  readonly prepare: (db: Database.Database) => Statements;
  readonly onDamage: (damage: Damage) => void;
}

interface Open<Statements> {
  readonly db: Database.Database;
  readonly statements: Statements;
  readonly identity: string | null;
}

export class DisposableFile<Statements> {
  readonly path: string;
  readonly #options: DisposableFileOptions<Statements>;
  #open: Open<Statements> | null = null;

  constructor(path: string, options: DisposableFileOptions<Statements>) {
    this.path = path;
    this.#options = options;
  }

  /** `anew`: the answer when the file was damaged, and an empty one was begun. Throws ReadModelUnavailableError. */
  run<T>(work: (statements: Statements, db: Database.Database) => T, anew: T): T {
    return guarded(() => {
      // When this file cannot be opened, the one that has its name is the damaged one.
      let damaged = this.#open?.identity;
      try {
        damaged ??= identityOf(this.path);
        this.#open ??= this.#opened();
        return work(this.#open.statements, this.#open.db);
      } catch (error) {
        if (!isDamageOrLack(error) || !this.#replace(damaged ?? null)) throw error;
        this.#options.onDamage(this.damage(null, `${messageOf(error)}; it was begun anew`));
        return anew;
      }
    });
  }

  /** `entry`: null for the whole file. */
  damage(entry: string | null, reason: string): Damage {
    const place = entry === null ? `file ${this.path}` : `${this.#options.holds}, ${entry}`;
    return { store: 'read-models', place, reason };
  }

  /** Runs `work`, which reads all content, on a connection of its own that changes nothing. */
  async *scrub<Step extends ScrubStep>(
    work: (db: Database.Database) => Iterable<Step>,
  ): AsyncGenerator<Step | ScrubStep, void, undefined> {
    if (!existsSync(this.path)) return;
    const open = () => new SqliteDatabase(this.path, { fileMustExist: true, timeout: NO_WAIT_MS });
    const db = await whenUnlocked(
      () => guarded(() => openToRead(this.path, open, NO_WAIT_MS)),
      SCRUB_WITHIN_MS,
    );
    try {
      db.pragma('query_only = ON');
      if (this.#isCurrent(db)) yield* work(db);
    } catch (error) {
      if (!isDamageOrLack(error)) throw error;
      yield { checked: 0, unverified: 0, damages: [this.damage(null, messageOf(error))] };
    } finally {
      db.close();
    }
  }

  /** The next use opens it again. */
  close(): void {
    this.#open?.db.close();
    this.#open = null;
  }

  /** A file that older code has made, or that has just been begun, has none of the tables yet. */
  #isCurrent(db: Database.Database): boolean {
    const { tables, olderTables } = this.#options;
    const found = db.prepare<[], string>("SELECT name FROM sqlite_schema WHERE type = 'table'").pluck().all();
    return tables.some((name) => found.includes(name)) || !found.every((name) => olderTables.includes(name));
  }

  /** Returns whether another file has the name by now. */
  #replace(damaged: string | null): boolean {
    this.close();
    replaceFile(this.path, { damaged, kept: 0, make: () => this.#make().close(), waitMs: NO_WAIT_MS });
    return identityOf(this.path) !== damaged;
  }

  #opened(): Open<Statements> {
    makeFolder(dirname(this.path));
    const open = (): Open<Statements> => {
      const db = this.#make();
      return { db, statements: this.#options.prepare(db), identity: identityOf(this.path) };
    };
    return openToWrite(this.path, open, NO_WAIT_MS);
  }

  #make(): Database.Database {
    const db = new SqliteDatabase(this.path, { timeout: NO_WAIT_MS });
    try {
      db.pragma('journal_mode = WAL');
      db.pragma('synchronous = NORMAL');
      db.pragma(`wal_autocheckpoint = ${this.#options.checkpointPages ?? 1_000}`);
      db.exec(this.#options.schema);
      return db;
    } catch (error) {
      db.close();
      throw error;
    }
  }
}
