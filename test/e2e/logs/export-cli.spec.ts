/** `podium logs export` beside a server: whole files in each format, over broken connections and while entries come in. */
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { podiumProcess } from '../../support/cli.js';
import { type EndpointApi, startEndpointApi } from '../../support/endpoint-api.js';
import { readParquet } from '../../support/parquet.js';
import { TcpProxy } from '../../support/tcp-proxy.js';
import { until } from '../../support/until.js';

let api: EndpointApi;
let proxy: TcpProxy;
let folder: string;

const SOURCE = 'auth_logs';
const ENTRIES = 12_000;

const entriesFrom = (from: number, project = 'p1', size = 1_000) =>
  Array.from({ length: 1_000 }, (_, index) => ({
    event_message: `${from + index} ${'x'.repeat(size)} 203.0.113.9`,
    project,
    metadata: { n: from + index },
  }));

beforeAll(async () => {
  api = await startEndpointApi();
  proxy = await TcpProxy.start(Number(new URL(api.server.url).port));
  folder = await mkdtemp(join(tmpdir(), 'podium-exports-'));
  for (let from = 0; from < ENTRIES; from += 1_000) await api.ingest(entriesFrom(from), SOURCE);
});
afterAll(async () => {
  await proxy?.close();
  await api?.close();
  await rm(folder, { recursive: true });
});

const start = (token: string, ...args: readonly string[]) => {
  const child = podiumProcess(api.server.dataDir, { PODIUM_TOKEN: token }, 'logs', 'export', ...args);
  const output = { stdout: '', stderr: '' };
  child.stdout.on('data', (piece) => {
    output.stdout += piece;
  });
  child.stderr.on('data', (piece) => {
    output.stderr += piece;
  });
  const ended = once(child, 'close').then(([status]) => ({ status, ...output }));
  return { child, ended };
};

const run = (...args: readonly string[]) =>
  start(api.tokens.query, '--server', api.server.url, '--source', SOURCE, ...args).ended;

const ALL = Array.from({ length: ENTRIES }, (_, index) => index);

it('writes each entry once, over broken connections and while entries come in', async () => {
  const file = join(folder, 'all.ndjson');
  proxy.breakNext(4, 1_500_000);
  const { child, ended } = start(
    api.tokens.query,
    ...['--server', `http://127.0.0.1:${proxy.port}`, '--source', SOURCE, '--project', 'p1', '--out', file],
  );
  const come = once(child.stderr, 'data').then(() => api.ingest(entriesFrom(ENTRIES), SOURCE));
  const [{ status, stdout, stderr }] = await Promise.all([ended, come]);
  expect([status, stdout]).toEqual([0, `${file} has ${ENTRIES} entries\n`]);
  expect(stderr).toMatch(/^(the connection was lost \(.+\), and is made again\n){4}$/);
  const lines = (await readFile(file, 'utf8')).split('\n').slice(0, -1);
  expect(lines.map((line) => JSON.parse(line).metadata.n)).toEqual(ALL);
});

it('writes CSV, with the filter and redaction, to the next command', async () => {
  const { status, stdout } = await run(
    ...['--lql', 'm.n:<2 s:m.n@n s:event_message', '--format', 'csv', '--redact'],
  );
  const cells = [0, 1].map((n) => `${n},${n} ${'x'.repeat(1_000)} REDACTED\r\n`);
  expect([status, stdout]).toEqual([0, `n,event_message\r\n${cells.join('')}`]);
});

it('writes Parquet, and says so as JSON', async () => {
  const file = join(folder, 'all.parquet');
  const to = new Date(Date.now() + 3_600_000).toISOString();
  const { status, stdout } = await run(
    '--project',
    'p1',
    '--to',
    to,
    '--format',
    'parquet',
    '--out',
    file,
    '--json',
  );
  const { entries, ...facts } = JSON.parse(stdout);
  expect([status, facts]).toEqual([0, { file, format: 'parquet' }]);
  const { rows } = await readParquet(await readFile(file));
  expect(rows.slice(0, ENTRIES).map(({ metadata }) => JSON.parse(String(metadata)).n)).toEqual(ALL);
  expect(rows.length).toBe(entries);
});

it('leaves no file when it was refused or stopped', async () => {
  const before = await readdir(folder);
  const file = join(folder, 'none.ndjson');
  const refused = await run('--from', 'yesterday', '--out', file);
  expect([refused.status, refused.stderr]).toEqual([
    1,
    expect.stringContaining('podium: from must be ISO 8601'),
  ]);
  const missing = join(folder, 'none', 'none.ndjson');
  const nowhere = await run('--out', missing);
  expect([nowhere.status, nowhere.stderr]).toEqual([
    1,
    `podium: --out ${missing} cannot be written: no such file or directory\n`,
  ]);
  proxy.stall();
  const { child, ended } = start(
    api.tokens.query,
    ...['--server', `http://127.0.0.1:${proxy.port}`, '--out', file],
  );
  await until(
    () => readdir(folder),
    (names) => names.some((name) => name.endsWith('.part')),
  );
  child.kill('SIGINT');
  const stopped = await ended;
  expect([stopped.status, stopped.stderr]).toEqual([
    1,
    'podium: it was stopped, so the export is not whole\n',
  ]);
  expect(await readdir(folder)).toEqual(before);
});

it.each([
  ['no token', '', [], 'podium: give an access token with --token or in PODIUM_TOKEN\n'],
  ['an unknown token', 'podium_log_none', [], 'podium: the access token is not known\n'],
  ['an unknown format', 'x', ['--format', 'xlsx'], 'csv, ndjson, parquet'],
])('says what is wrong: %s', async (_, token, args, message) => {
  const { status, stderr } = await start(token, '--server', api.server.url, ...args).ended;
  expect(status).not.toBe(0);
  expect(stderr).toContain(message);
});
