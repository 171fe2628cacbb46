/**
 * What differs where the tables are replicated over the servers of a cluster (`?cluster=NAME`). An insert is answered when a majority
 * of the replicas have it, and inserts into a table follow each other (`insert_quorum_parallel = 0`). A read is of all inserts that were
 * answered before (`select_sequential_consistency`), or the server refuses it, because its copy is behind. Not tried on a cluster.
 */
import type { ClickHouseSettings } from '@clickhouse/client';
import { identifier } from './sql/clickhouse-sql.js';

/** The cluster as the servers' `remote_servers` names it; null: one server. */
export type Cluster = string | null;

/** How long an insert waits for a majority. */
const QUORUM_TIMEOUT_MS = 10_000;
/** How long an insert of entries may run before that. */
const INSERT_LIMIT_SECONDS = 10;
/** How long a statement waits for the servers of the cluster. One that is away does it when it is back. */
const DDL_TIMEOUT_SECONDS = 10;

export const replicaSettings = (cluster: Cluster): ClickHouseSettings =>
  cluster === null
    ? {}
    : {
        insert_quorum: 'auto',
        insert_quorum_parallel: 0,
        insert_quorum_timeout: QUORUM_TIMEOUT_MS,
        select_sequential_consistency: '1',
        distributed_ddl_task_timeout: String(DDL_TIMEOUT_SECONDS),
        distributed_ddl_output_mode: 'null_status_on_timeout',
        skip_unavailable_shards: 1,
      };

/** For inserts of entries. */
export const insertLimit = (cluster: Cluster): ClickHouseSettings =>
  cluster === null ? {} : { max_execution_time: INSERT_LIMIT_SECONDS };

/** After this time no insert of a server that cannot be asked is under way. */
export const INSERTS_HAVE_ENDED_MS = 2 * (INSERT_LIMIT_SECONDS * 1_000 + QUORUM_TIMEOUT_MS);

/** For a removal of rows: it waits for one server, not for one that is away. */
export const removalSettings = (cluster: Cluster): ClickHouseSettings => ({
  lightweight_deletes_sync: cluster === null ? '2' : '1',
});

/** Goes behind the name in CREATE, and behind QUERY in KILL. */
export const onCluster = (cluster: Cluster): string =>
  cluster === null ? '' : ` ON CLUSTER ${identifier(cluster)}`;

/** A MergeTree or one of its kinds. `version`: the column whose highest value a ReplacingMergeTree keeps. */
export const tableEngine = (
  cluster: Cluster,
  kind: 'MergeTree' | 'ReplacingMergeTree',
  version?: string,
): string => {
  const place = cluster === null ? [] : ["'/podium/{database}/{table}'", "'{replica}'"];
  const parameters = [...place, ...(version === undefined ? [] : [version])];
  const engine = cluster === null ? kind : `Replicated${kind}`;
  return parameters.length === 0 ? engine : `${engine}(${parameters.join(', ')})`;
};

/** An answered insert is on disk, with the directory that names it; on replicas, on the disks of those that answered. */
export const durable = (cluster: Cluster): string =>
  `fsync_after_insert = 1, fsync_part_directory = 1${cluster === null ? '' : ', min_compressed_bytes_to_fsync_after_fetch = 1'}`;

/** A second insert with the token of an earlier one is dropped; on replicas, wherever it comes in. */
export const deduplicated = (cluster: Cluster): string =>
  cluster === null
    ? 'non_replicated_deduplication_window = 1000'
    : 'replicated_deduplication_window = 1000, replicated_deduplication_window_seconds = 604800';

/** A system table, with the rows of all servers that can be reached. */
export const systemTable = (cluster: Cluster, name: 'databases' | 'one' | 'processes' | 'tables'): string =>
  cluster === null ? `system.${name}` : `clusterAllReplicas(${identifier(cluster)}, system.${name})`;

/** In a query that is grouped by what servers have: whether each has it. A new server has nothing. */
export const onEachServer = (cluster: Cluster): string =>
  `uniqExact(hostName()) = (SELECT uniqExact(hostName()) FROM ${systemTable(cluster, 'one')})`;

/** How many servers there are. */
export const SERVERS_OF_CLUSTER = 'SELECT count() FROM system.clusters WHERE cluster = {cluster:String}';

/** Inserts that have not reached a majority yet. No other insert into their tables gets through before it is known whether they do. */
export const UNDECIDED_INSERTS = `SELECT count() FROM system.zookeeper WHERE name = 'status' AND path IN (
  SELECT concat(zookeeper_path, '/quorum') FROM system.replicas WHERE database = currentDatabase())`;

/** No majority or no Keeper can be reached now, or it is not known whether the insert had its effect. */
const AWAY: ReadonlySet<number | null> = new Set([225, 242, 285, 286, 319, 999]);
/** This copy lacks an insert that was answered. It will have it soon. */
const BEHIND = 289;

export const isAway = (code: number | null): boolean => AWAY.has(code);
export const isBehind = (code: number | null): boolean => code === BEHIND;
