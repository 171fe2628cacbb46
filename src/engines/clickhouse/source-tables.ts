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
import { LogStoreUnavailableError } from '../../foundation/log-store/log-store.js';
import { BUILT_IN_SOURCES, type LogSource } from '../../foundation/log-store/sources.js';
import type { ClickhouseConnection } from './connection.js';
import {
  type Cluster,
  deduplicated,
  durable,
  onCluster,
  onEachServer,
  systemTable,
  tableEngine,
} from './replicas.js';
import { identifier } from './sql/clickhouse-sql.js';

const DAY_OF_RECEIPT = "toDate(fromUnixTimestamp64Micro(_position, 'UTC'))";

export const sourceTable = (source: LogSource, cluster: Cluster): string => `
  CREATE TABLE IF NOT EXISTS ${identifier(source)}${onCluster(cluster)} (
    id UUID,
    timestamp DateTime64(6, 'UTC') CODEC(Delta, ZSTD),
    event_message String CODEC(ZSTD),
    metadata String CODEC(ZSTD),
    project Nullable(String),
    _owner LowCardinality(String),
    _position Int64 CODEC(Delta, ZSTD),
    _entry_key UInt64 CODEC(NONE),
    INDEX _times timestamp TYPE minmax
  ) ENGINE = ${tableEngine(cluster, 'MergeTree')}
  PARTITION BY ${DAY_OF_RECEIPT}
  ORDER BY (_owner, timestamp)
  SETTINGS ${durable(cluster)}`;

interface StoreTable {
  readonly columns: string;
  /** The column whose highest value counts: a merge leaves that row alone. See write-turns.ts, stored-fields.ts. */
  readonly version?: string;
  readonly order: string;
  readonly settings: readonly string[];
}

/** Those that belong to the store, by name. */
const storeTables = (cluster: Cluster): Readonly<Record<string, StoreTable>> => ({
  _turns: {
    columns:
      'seq Int64, epoch Int64, holder String, position Int64, fields Int64, sources Int64, until Int64, nonce String',
    version: 'seq',
    order: 'tuple()',
    settings: [durable(cluster), deduplicated(cluster)],
  },
  _wanted: { columns: 'epoch Int64', version: 'epoch', order: 'tuple()', settings: [] },
  _fields: {
    columns: 'source String, owner String, fields String, version Int64',
    version: 'version',
    order: '(source, owner)',
    settings: [durable(cluster)],
  },
  _sources: { columns: 'name String, place Int64', order: 'place', settings: [durable(cluster)] },
  _secret: {
    columns: 'value String',
    order: 'tuple()',
    settings: [durable(cluster), deduplicated(cluster)],
  },
});

/** The statements that make the tables of the store, by name. */
export const storeTableStatements = (cluster: Cluster): ReadonlyMap<string, string> =>
  new Map(
    Object.entries(storeTables(cluster)).map(([name, { columns, version, order, settings }]) => {
      const engine = tableEngine(
        cluster,
        version === undefined ? 'MergeTree' : 'ReplacingMergeTree',
        version,
      );
      const set = settings.length === 0 ? '' : ` SETTINGS ${settings.join(', ')}`;
      const table = `CREATE TABLE IF NOT EXISTS ${name}${onCluster(cluster)} (${columns})`;
      return [name, `${table} ENGINE = ${engine} ORDER BY ${order}${set}`];
    }),
  );

/** Makes what is missing. Safe beside other nodes that do the same. */
export const makeTables = async (connection: ClickhouseConnection): Promise<void> => {
  const { cluster } = connection;
  await connection.makeDatabase();
  const tables = await connection.rows<[name: string, engine: string, isOnEach: 0 | 1]>(
    `SELECT name, any(engine), ${onEachServer(cluster)} FROM ${systemTable(cluster, 'tables')}
     WHERE database = {database:String} GROUP BY name`,
    { database: connection.database },
  );
  const known = new Set(tables.flatMap(([name, , isOnEach]) => (isOnEach ? name : [])));
  for (const [name, engine] of tables) requireReplicated(connection, name, engine);
  for (const [name, statement] of storeTableStatements(cluster))
    if (!known.has(name)) await connection.command(statement);
  for (const source of await allSources(connection))
    if (!known.has(source)) await connection.command(sourceTable(source, cluster));
};

/** Tables of one server do not become replicated ones by another URL, and inserts without a majority must not go into those that are. */
const requireReplicated = ({ cluster, shown }: ClickhouseConnection, name: string, engine: string): void => {
  const isReplicated = engine.startsWith('Replicated');
  if (!engine.endsWith('MergeTree') || isReplicated === (cluster !== null)) return;
  const fault = isReplicated
    ? 'is replicated: add cluster=NAME to LOG_STORE_URL'
    : 'is not replicated: take another database, and copy the entries there (podium logs copy)';
  throw new LogStoreUnavailableError(`table ${name} of ${shown} ${fault}`);
};

/** All sources: those of each installation, then its own in the order of their creation. */
export const allSources = async (connection: ClickhouseConnection): Promise<readonly LogSource[]> => [
  ...BUILT_IN_SOURCES,
  ...(await ownSources(connection)),
];

const ownSources = async (connection: ClickhouseConnection): Promise<readonly LogSource[]> => {
  const rows = await connection.rows<[string]>('SELECT name FROM _sources GROUP BY name ORDER BY min(place)');
  return rows.map(([name]) => name);
};

/** In the writer's turn. The table is there before any node learns of the source. */
export const addOwnSource = async (
  connection: ClickhouseConnection,
  source: LogSource,
  place: number,
): Promise<void> => {
  await connection.command(sourceTable(source, connection.cluster));
  await connection.command('INSERT INTO _sources VALUES ({source:String}, {place:Int64})', { source, place });
};
