/**
 * The tables of one database. Each source has one that is named like it; those whose names begin with an underscore belong to the
 * store.
 *
 * Columns of a source: `id UUID`, `timestamp DateTime64(6, 'UTC')`, `event_message String`, `metadata String` (JSON text as it was
 * appended), `project Nullable(String)`. `_owner` is the project that the entry belongs to, an empty text for none: the
 * condition of a query of one project, as it is the first column of the order. `_position` is the entry's position, microseconds
 * since 1970. `_entry_key` is the hash of owner, source and id: see EntryKeyer.
 *
 * A partition is a day of receipt, not of `timestamp`, which senders choose: a batch with times of a thousand days would
 * be a thousand parts. As `_position` is in the key of the partition, each part knows its first and its last one, so a tail reads new
 * parts only.
 */
import { BUILT_IN_SOURCES, type LogSource } from '../../foundation/log-store/sources.js';
import type { ClickhouseConnection } from './connection.js';
import { identifier } from './sql/clickhouse-sql.js';

/** An answered insert is on disk, and the directory that names it. */
const DURABLE = 'fsync_after_insert = 1, fsync_part_directory = 1';

const DAY_OF_RECEIPT = "toDate(fromUnixTimestamp64Micro(_position, 'UTC'))";

const sourceTable = (source: LogSource): string => `
  CREATE TABLE IF NOT EXISTS ${identifier(source)} (
    id UUID,
    timestamp DateTime64(6, 'UTC') CODEC(Delta, ZSTD),
    event_message String CODEC(ZSTD),
    metadata String CODEC(ZSTD),
    project Nullable(String),
    _owner LowCardinality(String),
    _position Int64 CODEC(Delta, ZSTD),
    _entry_key UInt64 CODEC(NONE),
    INDEX _times timestamp TYPE minmax
  ) ENGINE = MergeTree
  PARTITION BY ${DAY_OF_RECEIPT}
  ORDER BY (_owner, timestamp)
  SETTINGS ${DURABLE}`;

/** The last row of each counts: a merge leaves that alone. See write-turns.ts, stored-fields.ts. */
const STORE_TABLES = [
  `CREATE TABLE IF NOT EXISTS _turns (
    seq Int64, epoch Int64, holder String, position Int64, fields Int64, sources Int64, until Int64,
    nonce String
  ) ENGINE = ReplacingMergeTree(seq) ORDER BY tuple()
  SETTINGS ${DURABLE}, non_replicated_deduplication_window = 1000`,
  'CREATE TABLE IF NOT EXISTS _wanted (epoch Int64) ENGINE = ReplacingMergeTree(epoch) ORDER BY tuple()',
  `CREATE TABLE IF NOT EXISTS _fields (source String, owner String, fields String, version Int64)
  ENGINE = ReplacingMergeTree(version) ORDER BY (source, owner) SETTINGS ${DURABLE}`,
  `CREATE TABLE IF NOT EXISTS _sources (name String, place Int64)
  ENGINE = MergeTree ORDER BY place SETTINGS ${DURABLE}`,
  `CREATE TABLE IF NOT EXISTS _secret (value String)
  ENGINE = MergeTree ORDER BY tuple() SETTINGS ${DURABLE}, non_replicated_deduplication_window = 1000`,
];

/** Makes what is missing. Safe beside other nodes that do the same. */
export const makeTables = async (connection: ClickhouseConnection): Promise<void> => {
  await connection.makeDatabase();
  for (const statement of STORE_TABLES) await connection.command(statement);
  for (const source of await allSources(connection)) await connection.command(sourceTable(source));
};

/** All sources: those of each installation, then its own in the order of their creation. */
export const allSources = async (connection: ClickhouseConnection): Promise<readonly LogSource[]> => [
  ...BUILT_IN_SOURCES,
  ...(await ownSources(connection)),
];

const ownSources = async (connection: ClickhouseConnection): Promise<readonly LogSource[]> => {
  const rows = await connection.rows<[string]>('SELECT name FROM _sources ORDER BY place');
  return rows.map(([name]) => name);
};

/** In the writer's turn. The table is there before any node learns of the source. */
export const addOwnSource = async (
  connection: ClickhouseConnection,
  source: LogSource,
  place: number,
): Promise<void> => {
  await connection.command(sourceTable(source));
  await connection.command('INSERT INTO _sources VALUES ({source:String}, {place:Int64})', { source, place });
};
