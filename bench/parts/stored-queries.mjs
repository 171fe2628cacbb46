/**
 * The stored queries of logs.all and usage.api-counts in the log store, against our best hand-written SQL for
 * the engine, in this process on the same file.
 */
import { join } from 'node:path';
import { BIGINT, DuckDBInstance } from '@duckdb/node-api';
import { openLogStore } from '../../dist/app/stores/open-log-store.js';
import { LOGS_ALL_QUERY } from '../../dist/logs/endpoints/stored/logs-all.js';
import { API_COUNTS_QUERY } from '../../dist/logs/endpoints/stored/usage-api-counts.js';
import { compile } from '../../dist/logs/sql/compile.js';
import { makeLogWorld } from '../lib/log-world.mjs';
import { median } from '../lib/numbers.mjs';
import { inTurn } from '../lib/turns.mjs';

const DAYS = 7;
const RUNS = 15;
const MAX_ROWS = 1_000;
/** Milliseconds that a call may cost beyond the work of the engine. */
const ALLOWANCE = 2;

const LOGS_ALL_BY_HAND = `select id, "timestamp", event_message, metadata from edge_logs
  where project = $project order by "timestamp" desc limit 100`;

const counted = (name) => `coalesce(sum(contains(path, '/${name}')::int), 0) as total_${name}_requests`;

const API_COUNTS_BY_HAND = `select date_trunc('day', "timestamp") as "timestamp",
    ${['rest', 'storage', 'auth', 'realtime'].map(counted).join(', ')}
  from (
    select "timestamp", json_extract_string(metadata, '$.request.path') as path from edge_logs
    where "timestamp" > make_timestamp($now) - interval 7 day and "timestamp" <= make_timestamp($now)
      and regexp_matches(json_extract_string(metadata, '$.request.url'), $project)
  ) group by 1 order by 1`;

const QUERIES = [
  { name: 'logs.all', text: LOGS_ALL_QUERY, parameters: {}, byHand: LOGS_ALL_BY_HAND, timed: false },
  {
    name: 'usage.api-counts',
    text: API_COUNTS_QUERY,
    parameters: { interval: 'daily' },
    byHand: API_COUNTS_BY_HAND,
    timed: true,
  },
];

/** Median milliseconds of a run after two warm-up runs, with the number of rows. */
const timed = async (run) => {
  const took = [];
  let rows = 0;
  for (let count = -2; count < RUNS; count += 1) {
    const began = performance.now();
    rows = await run();
    if (count >= 0) took.push(performance.now() - began);
  }
  return { ms: median(took), rows };
};

const byStore = async (file, { now, project }) => {
  const store = await openLogStore(`duckdb:${file}`);
  const measured = [];
  for (const { text, parameters } of QUERIES) {
    const stored = { text, sandboxed: true };
    const { query } = compile({
      stored,
      consumer: null,
      onlyProject: null,
      catalogue: await store.catalogue(null),
    });
    const options = { parameters: { project, ...parameters }, now, maxRows: MAX_ROWS, timeoutMs: 60_000 };
    measured.push(await timed(async () => (await store.run(query, options)).rows.length));
  }
  await store.close();
  return measured;
};

const inProcess = async (file, { now, project }) => {
  const instance = await DuckDBInstance.create(file);
  const connection = await instance.connect();
  await connection.run("SET TimeZone = 'UTC'");
  const measured = [];
  for (const { byHand, timed: hasNow } of QUERIES) {
    const values = hasNow ? { project, now: BigInt(now) } : { project };
    const types = hasNow ? { now: BIGINT } : {};
    measured.push(
      await timed(
        async () => (await connection.runAndReadAll(byHand, values, types)).getRowObjectsJson().length,
      ),
    );
  }
  connection.closeSync();
  instance.closeSync();
  return measured;
};

export const storedQueries = async ({ worlds, settings }) => {
  const dataDir = join(worlds.root, 'logs-stored-queries');
  const { projects } = makeLogWorld(dataDir, { entries: settings.entries, days: DAYS });
  const file = join(dataDir, 'logs.duckdb');
  const asked = { now: Date.now() * 1_000, project: projects[0] };
  const [ours, theirs] = await inTurn(
    settings.turns,
    () => byStore(file, asked),
    () => inProcess(file, asked),
  );
  return QUERIES.map(({ name }, at) => {
    const [our, their] = [ours, theirs].map((turns) => median(turns.map((queries) => queries[at].ms)));
    const [ourRows, theirRows] = [ours[0][at].rows, theirs[0][at].rows];
    if (ourRows !== theirRows) throw new Error(`${name} gives ${ourRows} rows, and ${theirRows} by hand`);
    const value = (our - ALLOWANCE) / their;
    return {
      what: `${name}, less ${ALLOWANCE} ms, against SQL by hand in process`,
      value,
      text: `${value.toFixed(2)} x`,
      wanted: { atMost: 1.5 },
      note: `${our.toFixed(1)} against ${their.toFixed(1)} ms, ${ourRows} rows, ${settings.entries.toLocaleString('en')} log entries of ${projects.length} projects`,
    };
  });
};
