/**
 * The table `meta` of the event file: its identity, and how far the events from before checksums have come. One row is the
 * checksum of all others, so that `podium verify` names a change of any of them.
 */
import { crc32 } from 'node:zlib';
import type Database from 'better-sqlite3';

/** The version of the schema since which it has one. */
export const CHECKSUM_SINCE = 3;
const CHECKSUM = 'checksum';

type Row = readonly [name: string, value: string];

const rowsOf = (database: Database.Database): readonly Row[] =>
  database.prepare<[], Row>('SELECT name, value FROM meta ORDER BY name').raw().all();

const checksumOf = (rows: readonly Row[]): string =>
  String(crc32(JSON.stringify(rows.filter(([name]) => name !== CHECKSUM))));

/** The caller runs the transaction. */
export const writeMeta = (database: Database.Database, values: Readonly<Record<string, string>>): void => {
  const put = database.prepare<[string, string]>('INSERT OR REPLACE INTO meta VALUES (?, ?)');
  for (const [name, value] of Object.entries(values)) put.run(name, value);
  put.run(CHECKSUM, checksumOf(rowsOf(database)));
};

export const readMeta = (database: Database.Database): ReadonlyMap<string, string> =>
  new Map(rowsOf(database));

/** Whether no row was changed. True for a file that older code has written, which has no checksum here. */
export const isMetaWhole = (database: Database.Database): boolean => {
  const rows = rowsOf(database);
  const stored = rows.find(([name]) => name === CHECKSUM)?.[1];
  const isOlder = Number(database.pragma('user_version', { simple: true })) < CHECKSUM_SINCE;
  return isOlder || stored === checksumOf(rows);
};
