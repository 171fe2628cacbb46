/**
 * The log store on ClickHouse against the same work by hand on the same server, through the same client: batches that are
 * appended against INSERTs of the same blocks, and the stored queries of logs.all and usage.api-counts against our best SQL.
 */
import { appendSampleLogs } from '../../dist/app/generators/logs/sample-logs.js';
import { ClickhouseLogStore } from '../../dist/engines/clickhouse/clickhouse-log-store.js';
import { readClickhouseUrl } from '../../dist/engines/clickhouse/clickhouse-url.js';
import { ClickhouseConnection } from '../../dist/engines/clickhouse/connection.js';
import { nativeBlock, setPositions } from '../../dist/engines/clickhouse/native-block.js';
import { EntryKeyer } from '../../dist/foundation/log-store/entry-keys.js';
import { packEntries, readPacked } from '../../dist/foundation/log-store/packed-entries.js';
import { LOGS_ALL_QUERY } from '../../dist/logs/endpoints/stored/logs-all.js';
import { API_COUNTS_QUERY } from '../../dist/logs/endpoints/stored/usage-api-counts.js';
import { compile } from '../../dist/logs/sql/compile.js';
import { startClickhouse } from '../lib/clickhouse.mjs';
import { thousands } from '../lib/format.mjs';
import { BATCH, edgeEntries } from '../lib/log-batches.mjs';
import { median } from '../lib/numbers.mjs';
import { inTurn } from '../lib/turns.mjs';

const SENDERS = 8;
const BATCHES = 100;
const DAYS = 7;
const RUNS = 15;
const MAX_ROWS = 1_000;
/** Milliseconds that a call may cost beyond the work of the engine. */
const ALLOWANCE = 5;

const LOGS_ALL_BY_HAND = `SELECT toString(id), timestamp, event_message, metadata FROM edge_logs
  WHERE _owner = {project:String} ORDER BY timestamp DESC LIMIT 100`;

const API_COUNTS_BY_HAND = `SELECT toStartOfDay(timestamp) AS day,
    ${['rest', 'storage', 'auth', 'realtime'].map((name) => `countIf(path LIKE '%/${name}%')`).join(', ')}
  FROM (
    SELECT timestamp, JSONExtractString(metadata, 'request', 'path') AS path FROM edge_logs
    WHERE timestamp > fromUnixTimestamp64Micro({now:Int64}) - INTERVAL 7 DAY
      AND timestamp <= fromUnixTimestamp64Micro({now:Int64})
      AND match(JSONExtractString(metadata, 'request', 'url'), {project:String})
  ) GROUP BY day ORDER BY day`;

const QUERIES = [
  { name: 'logs.all', text: LOGS_ALL_QUERY, parameters: {}, byHand: LOGS_ALL_BY_HAND },
  {
    name: 'usage.api-counts',
    text: API_COUNTS_QUERY,
    parameters: { interval: 'daily' },
    byHand: API_COUNTS_BY_HAND,
  },
];

/** Milliseconds for all batches, sent by a few senders. */
const sent = async (batches, send) => {
  const left = [...batches];
  const began = performance.now();
  const sender = async () => {
    for (let batch = left.pop(); batch; batch = left.pop()) await send(batch);
  };
  await Promise.all(Array.from({ length: SENDERS }, sender));
  return performance.now() - began;
};

const packedBatches = (seed) => {
  const entries = edgeEntries({ batches: BATCHES, seed });
  return Array.from({ length: BATCHES }, (_, at) =>
    packEntries('edge_logs', entries.slice(at * BATCH, (at + 1) * BATCH)),
  );
};

const blockOf = ({ bytes }, at) => {
  const columns = readPacked(bytes);
  const keys = new EntryKeyer(Buffer.alloc(32)).keysOf(columns);
  const block = nativeBlock({ columns, keys, rows: Array.from({ length: columns.count }, (_, row) => row) });
  setPositions(block, Date.now() * 1_000 + at * BATCH);
  return block.bytes;
};

const ingest = async ({ store, connection, turns, on }) => {
  await connection.command('CREATE TABLE by_hand AS edge_logs');
  const insert =
    'INSERT INTO by_hand (id, timestamp, event_message, metadata, project, _owner, _entry_key, _position) FORMAT Native';
  const appended = (seed) => sent(packedBatches(seed), (batch) => store.append('edge_logs', batch));
  await appended(1_000);
  const [ours, theirs] = await inTurn(
    turns,
    (turn) => appended(100 + turn),
    (turn) => sent(packedBatches(100 + turn).map(blockOf), (block) => connection.insert(insert, [block], {})),
  );
  for (const statement of ['DROP TABLE by_hand', 'TRUNCATE TABLE edge_logs'])
    await connection.command(statement);
  const [our, their] = [ours, theirs].map((runs) => (BATCHES * BATCH * 1_000) / median(runs));
  return {
    what: `log entries appended to ClickHouse in batches of ${thousands(BATCH)} by ${SENDERS} senders, durable, against INSERTs of the same blocks`,
    value: our / their,
    text: `${(our / their).toFixed(2)} x`,
    wanted: { atLeast: 0.5 },
    note: `${thousands(our)} against ${thousands(their)} entries/s, ${on}`,
  };
};

const timed = async (run) => {
  const began = performance.now();
  const { length } = await run();
  return { ms: performance.now() - began, rows: length };
};

const asked = async ({ store, connection, now, project, on, entries }, query) => {
  const { query: compiled } = compile({
    stored: { text: query.text, sandboxed: true },
    consumer: null,
    onlyProject: null,
    catalogue: await store.catalogue(null),
  });
  const parameters = { project, ...query.parameters };
  const options = { parameters, now, maxRows: MAX_ROWS, timeoutMs: 60_000 };
  const byStore = () => timed(async () => (await store.run(compiled, options)).rows);
  const byHand = () => timed(() => connection.rows(query.byHand, { project, now }));
  await inTurn(2, byStore, byHand);
  const [ours, theirs] = await inTurn(RUNS, byStore, byHand);
  if (ours[0].rows !== theirs[0].rows)
    throw new Error(`${query.name} gives ${ours[0].rows} rows, and ${theirs[0].rows} by hand`);
  const [our, their] = [ours, theirs].map((runs) => median(runs.map(({ ms }) => ms)));
  const value = (our - ALLOWANCE) / their;
  return {
    what: `${query.name} on ClickHouse, less ${ALLOWANCE} ms, against SQL by hand`,
    value,
    text: `${value.toFixed(2)} x`,
    wanted: { atMost: 1.5 },
    note: `${our.toFixed(1)} against ${their.toFixed(1)} ms, ${ours[0].rows} rows, ${thousands(entries)} log entries, ${on}`,
  };
};

export const clickhouse = async ({ worlds, settings }) => {
  const server = await startClickhouse(worlds.root);
  if (server === null) {
    const note = 'there is no engine: PODIUM_TEST_CLICKHOUSE_URL may name a server';
    return [{ what: 'the log store on ClickHouse', value: null, text: 'not measured', wanted: null, note }];
  }
  const on = `on ${server.name}`;
  const connection = new ClickhouseConnection(readClickhouseUrl(server.url));
  const store = await ClickhouseLogStore.open(server.url);
  try {
    const ingested = await ingest({ store, connection, turns: settings.turns, on });
    const { entries } = settings;
    const now = Date.now() * 1_000;
    await appendSampleLogs(store, { entries, seed: 1, until: now, days: DAYS });
    const [[project]] = await connection.rows(
      'SELECT _owner FROM edge_logs GROUP BY _owner ORDER BY count() DESC LIMIT 1',
    );
    const rows = [ingested];
    for (const query of QUERIES)
      rows.push(await asked({ store, connection, now, project, on, entries }, query));
    return rows;
  } finally {
    await store.close();
    await connection.command(`DROP DATABASE \`${connection.database}\``);
    await connection.close();
    await server.stop();
  }
};
