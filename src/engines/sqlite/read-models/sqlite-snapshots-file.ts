/**
 * The SQLite file of the snapshots, beside the read models: a projector's lock keeps no writer from it. Each row has a checksum.
 * The requests of a lineage are linked in the order of their keys, and begin with a row whose key is empty. So a request that
 * is not found was never there, or damage shows: the row before it names another one that comes after it. A lineage that is
 * damaged counts as gone.
 */
import type Database from 'better-sqlite3';
import type { Damage, ScrubStep } from '../../../foundation/integrity/damage.js';
import {
  newLineage,
  type SnapshotKey,
  type StateSnapshot,
  type StoredSnapshot,
  type UsedRequest,
} from '../../../foundation/read-models/state-snapshots.js';
import { DisposableFile } from './disposable-file.js';
import {
  isRequestWhole,
  isStateWhole,
  requestSum,
  STATE_COLUMNS,
  type StateRow,
  sealedState,
} from './sqlite-snapshot-rows.js';
import { scrubSnapshots } from './sqlite-snapshots-scrub.js';

const SCHEMA = `
  DROP TABLE IF EXISTS snapshots;
  DROP TABLE IF EXISTS used_requests;
  CREATE TABLE IF NOT EXISTS states (
    stream TEXT NOT NULL,
    version INTEGER NOT NULL,
    lineage INTEGER NOT NULL,
    revision INTEGER NOT NULL,
    event_id TEXT NOT NULL,
    body TEXT NOT NULL,
    checksum INTEGER NOT NULL,
    PRIMARY KEY (stream, version)
  ) STRICT;
  CREATE TABLE IF NOT EXISTS requests (
    lineage INTEGER NOT NULL,
    key TEXT NOT NULL,
    fingerprint TEXT NOT NULL,
    next TEXT NOT NULL,
    checksum INTEGER NOT NULL,
    PRIMARY KEY (lineage, key)
  ) STRICT, WITHOUT ROWID;
`;

/** Requests lie in the order of their keys, so each changes a page of its own: many of those changes are copied at a time. */
const CHECKPOINT_PAGES = 16_000;

/** Strings only cross to the thread: keys and fingerprints in turn. */
export interface SaveSnapshot extends SnapshotKey, StateSnapshot {
  readonly lineage: number | null;
  readonly used: readonly string[];
}

/** `isLast`: whether the key that was looked for comes before the next row. */
type FoundRow = readonly [key: string, fingerprint: string, next: string, checksum: number, isLast: 0 | 1];

const prepare = (db: Database.Database) => ({
  load: db.prepare<[string, number], StateRow>(
    `SELECT ${STATE_COLUMNS} FROM states WHERE stream = ? AND version = ?`,
  ),
  lineage: db
    .prepare<[string, number], number>('SELECT lineage FROM states WHERE stream = ? AND version = ?')
    .pluck(),
  put: db.prepare<[StateRow]>(
    `INSERT OR REPLACE INTO states VALUES (@stream, @version, @lineage, @revision, @eventId, @body, @checksum)`,
  ),
  /** The request, or the one before it. */
  upTo: db
    .prepare<[string, number, string], FoundRow>(
      `SELECT key, fingerprint, next, checksum, next = '' OR next > ? FROM requests
       WHERE lineage = ? AND key <= ? ORDER BY key DESC LIMIT 1`,
    )
    .raw(),
  add: db.prepare<[number, string, string, string, number]>('INSERT INTO requests VALUES (?, ?, ?, ?, ?)'),
  link: db.prepare<[string, number, number, string]>(
    'UPDATE requests SET next = ?, checksum = ? WHERE lineage = ? AND key = ?',
  ),
  forgetState: db.prepare<[number]>('DELETE FROM states WHERE lineage = ?'),
  forget: db.prepare<[number]>('DELETE FROM requests WHERE lineage = ?'),
});

type Statements = ReturnType<typeof prepare>;

class DamagedLineageError extends Error {}

export class SqliteSnapshotsFile {
  readonly #file: DisposableFile<Statements>;
  readonly #onDamage: (damage: Damage) => void;
  /** Lineages that are damaged. */
  readonly #gone = new Set<number>();
  readonly #found: number[] = [];

  /** Nothing is opened yet. `onDamage`: called with what is damaged, and counts as gone. */
  constructor(path: string, onDamage: (damage: Damage) => void) {
    this.#onDamage = onDamage;
    this.#file = new DisposableFile(path, {
      holds: 'snapshots',
      schema: SCHEMA,
      tables: ['states', 'requests'],
      olderTables: ['snapshots', 'used_requests'],
      checkpointPages: CHECKPOINT_PAGES,
      prepare,
      onDamage,
    });
  }

  load({ stream, version }: SnapshotKey): StoredSnapshot | null {
    return this.#file.run(({ load }) => {
      const row = load.get(stream, version);
      if (!row || this.#gone.has(row.lineage)) return null;
      if (!isStateWhole(row)) return this.#lose(row.lineage, stream);
      const { lineage, revision, eventId, body } = row;
      return { lineage, revision, eventId, body };
    }, null);
  }

  /** Returns the lineage; null when the one that is continued is gone. */
  save(save: SaveSnapshot): number | null {
    return this.#file.run((statements, db) => {
      try {
        return db.transaction(() => saveIn(statements, save)).immediate();
      } catch (error) {
        if (!(error instanceof DamagedLineageError) || save.lineage === null) throw error;
        this.drop(save.lineage);
        return this.#lose(save.lineage, save.stream);
      }
    }, null);
  }

  find(
    { stream, version }: SnapshotKey,
    lineage: number,
    keys: readonly string[],
  ): ReadonlyMap<string, string> | null {
    return this.#file.run((statements, db) => {
      if (this.#gone.has(lineage)) return null;
      const found = (): ReadonlyMap<string, string> | null =>
        statements.lineage.get(stream, version) === lineage ? findIn(statements, lineage, keys) : null;
      try {
        // One transaction: each statement alone would lock the file.
        return db.transaction(found).deferred();
      } catch (error) {
        if (!(error instanceof DamagedLineageError)) throw error;
        return this.#lose(lineage, stream);
      }
    }, null);
  }

  /** Lineages that were found damaged since the last call. */
  takeDamaged(): readonly number[] {
    return this.#found.splice(0);
  }

  /** Removes the lineage from the file. */
  drop(lineage: number): void {
    this.#file.run(({ forget, forgetState }, db) => {
      db.transaction(() => {
        forgetState.run(lineage);
        forget.run(lineage);
      }).immediate();
    }, undefined);
  }

  /** Names damaged lineages. */
  async *scrub(): AsyncGenerator<ScrubStep, void, undefined> {
    yield* this.#file.scrub((db) => scrubSnapshots(db, (lineage, stream) => this.#giveUp(lineage, stream)));
  }

  /** The next use opens it again. */
  close(): void {
    this.#file.close();
  }

  #lose(lineage: number, stream: string): null {
    this.#onDamage(this.#giveUp(lineage, stream));
    return null;
  }

  #giveUp(lineage: number, stream: string | null): Damage {
    this.#gone.add(lineage);
    this.#found.push(lineage);
    const of = stream === null ? `lineage ${lineage}` : `stream ${stream}`;
    return this.#file.damage(of, 'a checksum does not fit its content, or a row is missing');
  }
}

const saveIn = (statements: Statements, { lineage, used, ...snapshot }: SaveSnapshot): number | null => {
  const before = statements.load.get(snapshot.stream, snapshot.version) ?? null;
  if (lineage !== null && lineage !== before?.lineage) return null;
  const now = lineage ?? newLineage();
  if (lineage === null) {
    if (before !== null) statements.forget.run(before.lineage);
    statements.add.run(now, '', '', '', requestSum(now, '', '', ''));
  }
  for (const request of inOrder(used)) use(statements, now, request);
  if (before !== null && lineage !== null) {
    if (!isStateWhole(before)) throw new DamagedLineageError();
    if (before.revision >= snapshot.revision) return now;
  }
  statements.put.run(sealedState({ ...snapshot, lineage: now }));
  return now;
};

/** Sorted by key: neighbours share pages. */
const inOrder = (used: readonly string[]): readonly UsedRequest[] => {
  const requests: UsedRequest[] = [];
  for (let at = 0; at < used.length; at += 2) requests.push([used[at] ?? '', used[at + 1] ?? '']);
  return requests.sort(([one], [other]) => (one < other ? -1 : 1));
};

const findIn = (statements: Statements, lineage: number, keys: readonly string[]): Map<string, string> =>
  new Map(
    keys.flatMap((key): UsedRequest[] => {
      const [found, fingerprint] = upTo(statements, lineage, key);
      return found === key ? [[key, fingerprint]] : [];
    }),
  );

/** A request that is there stays as it is. */
const use = (statements: Statements, lineage: number, [key, fingerprint]: UsedRequest): void => {
  const [before, itsFingerprint, next] = upTo(statements, lineage, key);
  if (before === key) return;
  statements.add.run(lineage, key, fingerprint, next, requestSum(lineage, key, fingerprint, next));
  statements.link.run(key, requestSum(lineage, before, itsFingerprint, key), lineage, before);
};

/** Throws DamagedLineageError when it cannot tell whether the request is there. */
const upTo = (statements: Statements, lineage: number, wanted: string): FoundRow => {
  const row = statements.upTo.get(wanted, lineage, wanted);
  if (!row) throw new DamagedLineageError();
  const [key, fingerprint, next, checksum, isLast] = row;
  const isWhole = isRequestWhole({ lineage, key, fingerprint, next, checksum });
  if (!isWhole || (key !== wanted && isLast === 0)) throw new DamagedLineageError();
  return row;
};
