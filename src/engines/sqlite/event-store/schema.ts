/**
 * The event file: one row an event, in the order of commit. Rows are small because there are many: streams and types
 * are integers, event ids 16 bytes, metadata a JSON array. Three indexes are paid for with every event: the stream's
 * order (also what makes a lost race fail), the id (what makes a retry harmless; version 7 ids grow at one end), and
 * the type, nine bytes an event, so that the rare events of ten million are found without reading the others. The checksum
 * is the event's own; the chain adds it to those of all events before (group-commit.ts).
 */
import { randomUUID } from 'node:crypto';
import type Database from 'better-sqlite3';
import {
  type Installation,
  type StoreIdentity,
  storeIdOf,
} from '../../../foundation/event-store/installation.js';
import { SqliteDatabase } from '../sqlite.js';
import { CHECKSUM_SINCE, readMeta, writeMeta } from './meta.js';

const SCHEMA = `
  CREATE TABLE meta (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;
  CREATE TABLE streams (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE) STRICT;
  CREATE TABLE types (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE) STRICT;
  CREATE TABLE events (
    position INTEGER PRIMARY KEY,
    stream INTEGER NOT NULL,
    revision INTEGER NOT NULL,
    id BLOB NOT NULL,
    type INTEGER NOT NULL,
    data TEXT NOT NULL,
    metadata TEXT NOT NULL,
    recorded_at INTEGER NOT NULL,
    checksum INTEGER,
    chain INTEGER
  ) STRICT;
  CREATE UNIQUE INDEX events_of_stream ON events (stream, revision);
  CREATE UNIQUE INDEX events_by_id ON events (id, stream);
  CREATE INDEX events_of_type ON events (type);
`;

/** An event's metadata, as its row holds it. */
export type StoredMetadata = readonly [
  schema: number,
  actor: string,
  correlationId: string,
  keyId?: string | null,
  causationId?: string | null,
  accountId?: string | null,
];

/** Written into the file's header, so that another program's database is recognised and left alone. */
const APPLICATION_ID = 0x506f6445;
const SCHEMA_VERSION = CHECKSUM_SINCE;
/** Its identity had no checksum yet. */
const SCHEMA_WITHOUT_META_SUM = 2;
const SCHEMA_WITHOUT_CHECKSUMS = 1;
const KNOWN_VERSIONS = [SCHEMA_VERSION, SCHEMA_WITHOUT_META_SUM, SCHEMA_WITHOUT_CHECKSUMS];
const BUSY_TIMEOUT_MS = 5_000;
/** Sixteen MB of log between checkpoints: a page that many commits change is copied back once. */
const CHECKPOINT_PAGES = 4_096;

/** Makes the file what it has to be and returns its store's id. Throws with a sentence when the file is another's. */
export const prepareFile = (path: string): string => {
  const database = openForWriting(path);
  try {
    return database.transaction(() => writeSchema(database)).immediate();
  } finally {
    database.close();
  }
};

/** Changes nothing, and returns the store's id. Throws with a sentence when there is no file, or when it is another's. */
export const readFile = (path: string): string => {
  const database = openForReading(path);
  try {
    refuseForeignFile(database);
    return readIdentity(database).storeId;
  } finally {
    database.close();
  }
};

const writeSchema = (database: Database.Database): string => {
  if (database.prepare('SELECT count(*) FROM sqlite_schema').pluck().get() === 0) {
    database.exec(SCHEMA);
    database.pragma(`application_id = ${APPLICATION_ID}`);
    database.pragma(`user_version = ${SCHEMA_VERSION}`);
    writeMeta(database, { store_id: randomUUID() });
  }
  addChecksums(database);
  refuseForeignFile(database);
  if (database.pragma('user_version', { simple: true }) === SCHEMA_WITHOUT_META_SUM) {
    writeMeta(database, {});
    database.pragma(`user_version = ${SCHEMA_VERSION}`);
  }
  return readIdentity(database).storeId;
};

/** From schema 1, which had none. The events that are there get theirs later (stamping.ts). */
const addChecksums = (database: Database.Database): void => {
  if (!isBeforeChecksums(database)) return;
  database.exec(
    'ALTER TABLE events ADD COLUMN checksum INTEGER; ALTER TABLE events ADD COLUMN chain INTEGER',
  );
  database.exec(
    "INSERT INTO meta SELECT 'checksums_after', CAST(coalesce(max(position), 0) AS TEXT) FROM events",
  );
  database.pragma(`user_version = ${SCHEMA_WITHOUT_META_SUM}`);
};

/** To a connection that changes nothing, such a file looks as if it had its columns already. */
const SHOW_CHECKSUMS = `
  CREATE TEMP VIEW events AS SELECT *, NULL AS checksum, NULL AS chain FROM main.events;
  CREATE TEMP VIEW meta AS SELECT name, value FROM main.meta UNION ALL
    SELECT 'checksums_after', CAST(coalesce(max(position), 0) AS TEXT) FROM main.events;
`;

const isBeforeChecksums = (database: Database.Database): boolean =>
  database.pragma('application_id', { simple: true }) === APPLICATION_ID &&
  database.pragma('user_version', { simple: true }) === SCHEMA_WITHOUT_CHECKSUMS;

export const readIdentity = (database: Database.Database): StoreIdentity => {
  const meta = readMeta(database);
  const written = meta.get('store_id');
  if (written === undefined) throw new Error('the event store has lost its id');
  const id = meta.get('installation_id');
  const epoch = Number(meta.get('restore_epoch') ?? 0);
  return { storeId: storeIdOf(written, epoch), installation: id === undefined ? null : { id, epoch } };
};

/** Writes the installation into the file. */
export const writeInstallation = (path: string, { id, epoch }: Installation): void => {
  const database = openForWriting(path);
  try {
    database
      .transaction(() => writeMeta(database, { installation_id: id, restore_epoch: String(epoch) }))
      .immediate();
  } finally {
    database.close();
  }
};

const refuseForeignFile = (database: Database.Database): void => {
  const version = database.pragma('user_version', { simple: true });
  if (database.pragma('application_id', { simple: true }) !== APPLICATION_ID) {
    throw new Error('the file is not an event store of Podium');
  }
  if (!KNOWN_VERSIONS.includes(Number(version))) {
    throw new Error(
      `the event store has schema ${version}, this Podium knows schema ${SCHEMA_VERSION}: start the newer Podium that wrote it`,
    );
  }
};

/** A connection that waits for other writers and makes every commit durable. */
export const openForWriting = (path: string): Database.Database => {
  const database = new SqliteDatabase(path, { timeout: BUSY_TIMEOUT_MS });
  database.pragma('journal_mode = WAL');
  database.pragma('synchronous = FULL');
  database.pragma(`wal_autocheckpoint = ${CHECKPOINT_PAGES}`);
  database.pragma('cache_size = -65536');
  return database;
};

/** A connection that cannot change anything. It is opened for writing because a reader may have to make the shared-memory file. */
export const openForReading = (path: string): Database.Database => {
  const database = new SqliteDatabase(path, { timeout: BUSY_TIMEOUT_MS, fileMustExist: true });
  if (isBeforeChecksums(database)) database.exec(SHOW_CHECKSUMS);
  database.pragma('query_only = ON');
  database.pragma('cache_size = -16384');
  return database;
};
