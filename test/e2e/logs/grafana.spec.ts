/** The Grafana dashboard of deploy/, tried by its requests: each panel gets the rows and columns that it names. */
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { parse } from 'yaml';
import { type EndpointApi, rowsOf, startEndpointApi } from '../../support/endpoint-api.js';
import { type Dashboard, type DashboardState, type PanelColumn, panelPath } from '../../support/grafana.js';

const read = (name: string): string =>
  readFileSync(new URL(`../../../deploy/grafana/${name}`, import.meta.url), 'utf8');

const dashboard: Dashboard = JSON.parse(read('podium-logs.json'));
const {
  datasources: [datasource],
} = parse(read('datasource.yml'));

const MINUTE_MS = 60_000;
const NOW = Date.now();
/** Five minutes apart, so that each is in a bucket of its own. */
const at = (index: number): number => (NOW - (index + 1) * 5 * MINUTE_MS) * 1_000;
const iso = (microseconds: number): string =>
  `${new Date(microseconds / 1_000).toISOString().slice(0, -1)}000Z`;

const request = (project: string, index: number, status: number, originTime: number) => ({
  timestamp: at(index),
  project,
  event_message: `GET ${status}`,
  metadata: {
    request: { path: `/rest/v1/${status}`, url: `https://${project}.example/rest/v1/${status}` },
    response: { status_code: status, origin_time: originTime },
  },
});
const message = (index: number, text: string, metadata: object) => ({
  timestamp: at(index),
  project: 'shop',
  event_message: text,
  metadata,
});

let api: EndpointApi;

const state = (project: string): DashboardState => ({
  variables: { project, interval: 'daily', datasource: datasource.uid, __interval_ms: String(MINUTE_MS) },
  from: new Date(NOW - 3_600_000),
  to: new Date(NOW),
});

const panelCalled = (title: string) => {
  const panel = dashboard.panels.find((each) => each.title === title);
  if (!panel) throw new Error(`there is no panel ${title}`);
  return panel;
};

const rowsFor = async (title: string, project = 'shop') => {
  const panel = panelCalled(title);
  const headers = { [datasource.jsonData.apiKeyKey]: api.tokens.query, 'content-type': 'application/json' };
  const { status, json } = await api.client.get(panelPath(panel, state(project)), headers);
  expect([title, status]).toEqual([title, 200]);
  expect(panel.targets[0].root_selector).toBe('result');
  return rowsOf(json);
};

beforeAll(async () => {
  api = await startEndpointApi();
  await api.ingest([
    request('shop', 0, 200, 12),
    request('shop', 1, 200, 30),
    request('shop', 2, 301, 1),
    request('shop', 3, 404, 5),
    request('shop', 4, 503, 900),
    { ...request('shop', 0, 500, 9_000), timestamp: (NOW - 7_200_000) * 1_000 },
    request('other', 0, 500, 7_000),
  ]);
  await api.ingest(
    [
      message(5, 'deadlock detected', { parsed: { error_severity: 'ERROR' } }),
      message(5, 'checkpoint', { parsed: { error_severity: 'LOG' } }),
    ],
    'postgres_logs',
  );
  await api.ingest([message(6, 'no such order', { project_ref: 'shop', level: 'error' })], 'function_logs');
  await api.ingest([message(7, 'invalid token', { level: 'Error' })], 'auth_logs');
});
afterAll(() => api?.close());

const TYPES: Readonly<Record<PanelColumn['type'], (value: unknown) => boolean>> = {
  timestamp: (value) => typeof value === 'string' && !Number.isNaN(Date.parse(value)) && value.endsWith('Z'),
  number: (value) => typeof value === 'number',
  string: (value) => typeof value === 'string',
};

it.each(dashboard.panels.map(({ title }) => title))(
  'the panel %s gets rows with the columns that it names',
  async (title) => {
    const rows = await rowsFor(title);
    expect(rows.length).toBeGreaterThan(0);
    for (const row of rows) {
      for (const { selector, type } of panelCalled(title).targets[0].columns)
        expect([title, selector, type, TYPES[type](row[selector])]).toEqual([title, selector, type, true]);
    }
  },
);

it('every panel reads the data source that the dashboard lets one choose', () => {
  const chosen = dashboard.templating.list.find(({ name }) => name === 'datasource');
  expect(chosen?.query).toBe(datasource.type);
  for (const { title, targets } of dashboard.panels)
    expect([title, targets[0].datasource.uid]).toEqual([title, expect.stringMatching(/^\$\{datasource\}$/)]);
});

describe('of the project and the range', () => {
  it('the requests', async () => {
    expect(await rowsFor('Requests')).toEqual([{ requests: 5, failed: 1, p95: 900 }]);
  });

  it('the requests by status, oldest first, in the buckets of the range', async () => {
    const rows = await rowsFor('Requests by status');
    const counts = rows.map(({ succeeded, redirected, refused, failed }) => [
      succeeded,
      redirected,
      refused,
      failed,
    ]);
    expect(counts).toEqual([
      [0, 0, 0, 1],
      [0, 0, 1, 0],
      [0, 1, 0, 0],
      [1, 0, 0, 0],
      [1, 0, 0, 0],
    ]);
    const bucket = Math.floor(at(0) / 1_000 / MINUTE_MS) * MINUTE_MS * 1_000;
    expect(rows.at(-1)?.time).toBe(iso(bucket));
  });

  it('the errors by source', async () => {
    const rows = await rowsFor('Errors by source');
    expect(rows.map(({ edge, postgres, functions, auth }) => [edge, postgres, functions, auth])).toEqual([
      [0, 0, 0, 1],
      [0, 0, 1, 0],
      [0, 1, 0, 0],
      [1, 0, 0, 0],
    ]);
  });

  it('the slowest paths', async () => {
    const rows = await rowsFor('Slowest paths');
    expect(rows.map(({ path, requests, slowest }) => [path, requests, slowest])).toEqual([
      ['/rest/v1/503', 1, 900],
      ['/rest/v1/200', 2, 30],
      ['/rest/v1/404', 1, 5],
      ['/rest/v1/301', 1, 1],
    ]);
  });

  it('the latest errors, newest first', async () => {
    expect(await rowsFor('Latest errors')).toEqual([
      { time: iso(at(4)), source: 'edge_logs', message: 'GET 503' },
      { time: iso(at(5)), source: 'postgres_logs', message: 'deadlock detected' },
      { time: iso(at(6)), source: 'function_logs', message: 'no such order' },
      { time: iso(at(7)), source: 'auth_logs', message: 'invalid token' },
    ]);
  });

  it('the requests by API, of its own window', async () => {
    const rows = await rowsFor('Requests by API');
    const total = rows.reduce((sum, row) => sum + Number(row.total_rest_requests), 0);
    expect(total).toBe(6);
  });

  it.each(dashboard.panels.map(({ title }) => title))(
    'the panel %s has an answer for a project without entries, whatever its name',
    async (title) => {
      const rows = await rowsFor(title, `shop' or 1=1 -- &sql=select (`);
      expect(rows.map(({ requests = 0 }) => requests)).toEqual(title === 'Requests' ? [0] : []);
    },
  );
});
