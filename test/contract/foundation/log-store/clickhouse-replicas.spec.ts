/** That ClickHouse's own parser reads the statements for replicas. The engine in process can run none of them. */
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { readClickhouseUrl } from '../../../../src/engines/clickhouse/clickhouse-url.js';
import { ClickhouseConnection } from '../../../../src/engines/clickhouse/connection.js';
import {
  onCluster,
  onEachServer,
  SERVERS_OF_CLUSTER,
  systemTable,
  UNDECIDED_INSERTS,
} from '../../../../src/engines/clickhouse/replicas.js';
import { sourceTable, storeTableStatements } from '../../../../src/engines/clickhouse/source-tables.js';
import {
  type ClickhouseServer,
  describeOnClickhouse,
  startClickhouse,
} from '../../../support/clickhouse/clickhouse-server.js';

const USERS = readFileSync(new URL('../../../../deploy/clickhouse-users.sql', import.meta.url), 'utf8');

describeOnClickhouse('statements for replicas', () => {
  let server: ClickhouseServer;
  let connection: ClickhouseConnection;
  beforeAll(async () => {
    server = await startClickhouse();
    connection = new ClickhouseConnection(readClickhouseUrl(server.url()));
    await connection.makeDatabase();
  });
  afterAll(async () => {
    await connection.close();
    await server.stop();
  });

  const read = (statement: string): Promise<readonly [string][]> =>
    connection.rows('SELECT formatQuery({statement:String})', { statement });

  it.each([
    ...[...storeTableStatements('logs').values()].map((statement) => [statement]),
    [sourceTable('edge_logs', 'logs')],
    [`CREATE DATABASE IF NOT EXISTS podium${onCluster('logs')}`],
    [`KILL QUERY${onCluster('logs')} WHERE Settings['log_comment'] = {mark:String} ASYNC FORMAT Null`],
    [`SELECT name, ${onEachServer('logs')} FROM ${systemTable('logs', 'tables')} GROUP BY name`],
    [SERVERS_OF_CLUSTER],
    [UNDECIDED_INSERTS],
    ...USERS.split(/;\n+/)
      .filter(Boolean)
      .map((statement) => [statement]),
  ])('are read: %s', async (statement) => {
    const [[formatted = ''] = []] = await read(statement);
    expect(formatted.replaceAll(/\s/g, '')).not.toBe('');
    await expect(read(`${statement} )`)).rejects.toThrow('Syntax error');
  });

  it('are those of an engine that knows replicas: it lacks the name of this one only', async () => {
    const [[, table = ''] = []] = storeTableStatements(null);
    const replicated = table.replace(
      'ReplacingMergeTree(',
      "ReplicatedReplacingMergeTree('/a', '{replica}', ",
    );
    const turns = replicated.replace('_turns', '_other').replace('non_replicated', 'replicated');
    await expect(connection.command(turns)).rejects.toThrow("No macro 'replica'");
  });
});
