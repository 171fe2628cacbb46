/**
 * What is sent to the servers of a replicated ClickHouse. None can be had here, so a stand-in answers: these tests hold the statements
 * and settings, and what is done about the answers that only a cluster gives.
 */
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, expect, it, jest } from '@jest/globals';
import { readClickhouseUrl } from '../../../../src/engines/clickhouse/clickhouse-url.js';
import { ClickhouseConnection } from '../../../../src/engines/clickhouse/connection.js';
import {
  makeTables,
  sourceTable,
  storeTableStatements,
} from '../../../../src/engines/clickhouse/source-tables.js';
import { WriteTurns } from '../../../../src/engines/clickhouse/write-turns.js';
import { LogStoreUnavailableError } from '../../../../src/foundation/log-store/log-store.js';
import { BUILT_IN_SOURCES } from '../../../../src/foundation/log-store/sources.js';
import { notRunOn } from '../../../support/engines.js';

notRunOn({
  port: 'LogStore',
  engine: 'ClickHouse',
  what: 'replicas with Keeper and an insert quorum (docker-compose.clickhouse-replicas.yml)',
  why: 'no cluster can be had here; the tests hold the statements and settings',
});

interface Sent {
  readonly query: string;
  readonly settings: Readonly<Record<string, string>>;
}
type Answer = string | { readonly code: number; readonly name: string };

let server: Server;
let sent: Sent[];
let answer: (query: string) => Answer;

beforeEach(async () => {
  sent = [];
  answer = () => '';
  server = createServer(async (request, response) => {
    const { searchParams } = new URL(request.url ?? '', 'http://clickhouse');
    const body = await text(request);
    const query = (searchParams.get('query') ?? '') + body;
    sent.push({ query, settings: Object.fromEntries(searchParams) });
    const answered = answer(query);
    if (typeof answered === 'string') response.end(answered);
    else response.writeHead(500).end(`Code: ${answered.code}. DB::Exception: refused. (${answered.name})`);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
});
afterEach(async () => {
  jest.restoreAllMocks();
  server.closeAllConnections();
  server.close();
  await once(server, 'close');
});

const connect = (parameters = '?cluster=logs'): ClickhouseConnection => {
  const { port } = server.address() as AddressInfo;
  return new ClickhouseConnection(readClickhouseUrl(`clickhouse://127.0.0.1:${port}/podium${parameters}`));
};

const using = async (work: (connection: ClickhouseConnection) => Promise<unknown>, parameters?: string) => {
  const connection = connect(parameters);
  try {
    await work(connection);
  } finally {
    await connection.close();
  }
};

it('makes each table on all servers, in Keeper under the name of database and table', () => {
  const statements = [...storeTableStatements('logs').values(), sourceTable('edge_logs', 'logs')];
  for (const statement of statements) {
    expect(statement).toMatch(/CREATE TABLE IF NOT EXISTS \S+ ON CLUSTER `logs` \(/);
    expect(statement).toMatch(
      /ENGINE = Replicated(Replacing)?MergeTree\('\/podium\/\{database\}\/\{table\}', '\{replica\}'(, \w+)?\)/,
    );
    expect(statement).not.toContain('non_replicated');
  }
  const { _turns = '', _wanted = '' } = Object.fromEntries(storeTableStatements('logs'));
  expect(_turns).toContain("'{replica}', seq) ORDER BY tuple() SETTINGS fsync_after_insert = 1");
  expect(_turns).toContain('min_compressed_bytes_to_fsync_after_fetch = 1');
  expect(_turns).toContain('replicated_deduplication_window = 1000');
  expect(_wanted).toContain("'{replica}', epoch) ORDER BY tuple()");
  const alone = [...storeTableStatements(null).values(), sourceTable('edge_logs', null)];
  expect(alone.join()).not.toMatch(/Replicated|CLUSTER|fetch/);
});

it('makes only what a server lacks, as a statement waits for servers that are away', async () => {
  const tables = [...storeTableStatements('logs').keys()].filter((name) => name !== '_sources');
  // `_fields` is not on each server.
  const rows = tables.map((name) => [name, 'ReplicatedMergeTree', name === '_fields' ? 0 : 1]);
  answer = (query) => {
    if (query.includes('system.databases')) return 'podium\n';
    return query.includes('system.tables') ? rows.map((row) => `${JSON.stringify(row)}\n`).join('') : '';
  };
  await using(makeTables);
  const made = sent.flatMap(({ query }) => /CREATE (\w+ IF NOT EXISTS \S+)/.exec(query)?.[1] ?? []);
  const missing = ['_fields', '_sources', ...BUILT_IN_SOURCES.map((source) => `\`${source}\``)];
  expect(made).toEqual(missing.map((name) => `TABLE IF NOT EXISTS ${name}`));
  sent = [];
  answer = () => '';
  await using(makeTables);
  expect(sent.map(({ query }) => query).join()).toContain(
    'CREATE DATABASE IF NOT EXISTS `podium` ON CLUSTER `logs`',
  );
});

it.each([
  ['MergeTree', '?cluster=logs', 'table _turns of clickhouse://127.0.0.1:\\d+/podium is not replicated'],
  ['ReplicatedMergeTree', '', 'is replicated: add cluster=NAME'],
])('does not go on with tables of %s where the URL says %j', async (engine, parameters, fault) => {
  answer = (query) => (query.includes('system.tables') ? `["_turns","${engine}",1]\n` : '');
  await using((connection) => expect(makeTables(connection)).rejects.toThrow(new RegExp(fault)), parameters);
});

it('asks for a majority with each insert, and for what a majority has with each read', async () => {
  const replicated = {
    insert_quorum: 'auto',
    insert_quorum_parallel: '0',
    insert_quorum_timeout: '10000',
    select_sequential_consistency: '1',
  };
  const calls = async (connection: ClickhouseConnection): Promise<void> => {
    await connection.insert('INSERT INTO a FORMAT Native', [Buffer.from('x')], {});
    await connection.rows('SELECT 1');
    await connection.query('SELECT 1', {});
  };
  await using(calls, '?cluster=logs&reader=r:s');
  expect(sent).toHaveLength(3);
  for (const { settings } of sent) expect(settings).toMatchObject(replicated);
  sent = [];
  await using(calls, '');
  for (const { settings } of sent)
    for (const name of Object.keys(replicated)) expect(settings).not.toHaveProperty(name);
});

it('waits for a replica that is behind, and repeats the call with its data', async () => {
  answer = () => (sent.length < 3 ? { code: 289, name: 'REPLICA_IS_NOT_IN_QUORUM' } : '');
  await using((connection) => connection.insert('INSERT INTO a FORMAT Native', [Buffer.from('data')], {}));
  expect(sent.map(({ query }) => query.endsWith('data'))).toEqual([true, true, true]);
});

it('is away while the replica stays behind', async () => {
  const { now } = performance;
  jest.spyOn(performance, 'now').mockImplementation(() => now.call(performance) + 3_000 * sent.length);
  answer = () => ({ code: 289, name: 'REPLICA_IS_NOT_IN_QUORUM' });
  await using((connection) => expect(connection.rows('SELECT 1')).rejects.toThrow(LogStoreUnavailableError));
});

it.each([
  [285, 'TOO_FEW_LIVE_REPLICAS'],
  [286, 'UNSATISFIED_QUORUM_FOR_PREVIOUS_WRITE'],
  [319, 'UNKNOWN_STATUS_OF_INSERT'],
  [242, 'TABLE_IS_READ_ONLY'],
  [999, 'KEEPER_EXCEPTION'],
])('is away, and does not refuse the entries, when it answers %i %s', async (code, name) => {
  answer = () => ({ code, name });
  await using((connection) =>
    expect(connection.insert('INSERT INTO a FORMAT Native', [], {})).rejects.toThrow(
      LogStoreUnavailableError,
    ),
  );
  expect(sent).toHaveLength(1);
});

/** Answers for a turn whose holder ended in the middle. `left`: what is still there, by the look at it. */
const brokenTurn = (left: readonly { reached: number; running: number; undecided: number }[]): void => {
  let link = [1, 1, 'another', 5, 0, 0, 1, 'n'];
  let looks = 0;
  answer = (query) => {
    if (query.includes('system.processes')) looks++;
    const now = left[Math.min(looks, left.length) - 1];
    if (query.startsWith('INSERT INTO _turns')) {
      const { param_nonce: nonce = '' } = sent.at(-1)?.settings ?? {};
      link = [2, 2, 'this', 5, 0, 0, 0, nonce];
      return '';
    }
    if (query.includes('FROM _turns')) return `${JSON.stringify(link)}\n`;
    if (query.includes('system.processes')) return `[${now?.running},${now?.reached}]\n`;
    if (query.includes('system.clusters')) return '[3]\n';
    if (query.includes('system.zookeeper')) return `[${now?.undecided}]\n`;
    return '';
  };
};
const asked = (what: string): number => sent.filter(({ query }) => query.includes(what)).length;

it('begins a turn after one that ended in the middle when no insert of it runs on any server, or waits for a majority', async () => {
  const all = { reached: 3, running: 0, undecided: 0 };
  brokenTurn([{ ...all, running: 1 }, { ...all, undecided: 1 }, all]);
  await using(async (connection) => {
    const turn = await new WriteTurns(connection).take();
    expect(turn).toMatchObject({ epoch: 2, isTakeover: true });
  });
  expect(asked('FROM clusterAllReplicas(`logs`, system.processes)')).toBe(3);
  expect(asked('KILL QUERY ON CLUSTER `logs` WHERE')).toBe(1);
  expect(asked('system.zookeeper')).toBe(2);
  expect(sent.at(-1)?.query).toContain('system.zookeeper');
});

it('waits out the inserts of a server that it cannot reach', async () => {
  const { now } = performance;
  let ahead = 0;
  jest.spyOn(performance, 'now').mockImplementation(() => now.call(performance) + ahead);
  brokenTurn([{ reached: 2, running: 0, undecided: 0 }]);
  const first = answer;
  answer = (query) => {
    // The second look is before the end of that time, the third after it.
    if (query.includes('system.clusters')) ahead += 15_000;
    return first(query);
  };
  await using((connection) => new WriteTurns(connection).take());
  expect(asked('system.processes')).toBe(3);
  expect(asked('system.zookeeper')).toBe(1);
});
