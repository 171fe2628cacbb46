/**
 * No sequence of entries and queries of one project changes a reply to another: its status, its body, the outline. `victim`
 * asks a list of questions on an idle store, then between whatever `evil` does, with entries and queries put together at random,
 * and with more results that are kept than there is room for.
 */
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it, jest } from '@jest/globals';
import fc from 'fast-check';
import { SqliteDatabase } from '../../../src/engines/sqlite/sqlite.js';
import { Client } from '../../support/client.js';
import { callOf, type EndpointApi, startEndpointApi, withToken } from '../../support/endpoint-api.js';
import { sendLogs } from '../../support/log-api.js';
import { propertyRuns } from '../../support/property-runs.js';
import { until } from '../../support/until.js';

jest.setTimeout(1_200_000);

let api: EndpointApi;
/** Whose answers are not held against the document: some are refusals of the engine. */
let client: Client;
let evil: string;
let victim: string;

const KEPT = { name: 'kept', query: 'select event_message, metadata from edge_logs', cachingSeconds: 1 };
/** Its body says when it was made, and stays the same for as long as the result is kept. */
const KEPT_LONG = {
  name: 'kept.long',
  query: 'select count(*) as entries, current_timestamp() as made_at, @key as k from edge_logs',
  cachingSeconds: 3_600,
};
/** Each result has nearly as many bytes as one that is kept may have. All together have more than all tenants may have. */
const FILLING = {
  name: 'filling',
  query: "select repeat('x', 60000) as x, @key as k from unnest(generate_array(1, 130))",
  cachingSeconds: 3_600,
};
/** Unix seconds. Entries of a fixed day are removed by retention at some time. */
const BEGUN_AT = Math.floor(Date.now() / 1_000) - 3_600;

const FILLING_KEYS = 40;
const FILLING_BYTES = 7_000_000;

beforeAll(async () => {
  api = await startEndpointApi({ PODIUM_LOG_QUERY_SECONDS: '20' });
  client = new Client(api.server.url);
  evil = await api.token(['ingest', 'query'], 'evil');
  victim = await api.token(['ingest', 'query'], 'victim');
  for (const endpoint of [KEPT, KEPT_LONG, FILLING]) {
    const body = { ...endpoint, sandboxing: false };
    const made = await api.client.post('/api/endpoints', body, withToken(api.tokens.admin));
    expect(made.status).toBe(201);
  }
  const entries = [
    {
      dur: 7,
      took: 1.5,
      path: 'above',
      request: { path: '/a', url: 'https://victim.example/rest', odd: [1] },
    },
    { dur: 9, ok: true, request: { path: '/b', headers: { host: 'x' } }, list: [{ a: 1 }, { a: 'x' }] },
  ].map((metadata, at) => ({ event_message: `m${at}`, timestamp: BEGUN_AT + at, metadata }));
  for (const source of ['edge_logs', 'storage_logs'])
    expect((await sendLogs(api.server.url, entries, { token: victim, source })).status).toBe(201);
});
afterAll(async () => {
  client?.close();
  await api?.close();
});

const R = 'from edge_logs t cross join unnest(t.metadata) as m cross join unnest(m.request) as r';
const QUESTIONS: readonly (readonly [language: 'sql' | 'lql', text: string])[] = [
  ['sql', `select path ${R}`],
  ['sql', `select url, dur ${R}`],
  ['sql', `select m.* ${R}`],
  ['sql', `select r.* ${R}`],
  ['sql', 'select m.dur + 1 as x from storage_logs cross join unnest(metadata) as m'],
  ['sql', 'select fresh from edge_logs cross join unnest(metadata) as m'],
  ['sql', 'select * from edge_logs order by timestamp'],
  ['lql', 'm.dur:>5'],
  ['lql', 'm.took:>1 s:m.took'],
  ['lql', 'm.ok:5'],
  ['lql', 'm.fresh:>5'],
  ['lql', 'm.dur:@>5'],
];

const FILES: readonly string[] = ['csv', 'ndjson', 'parquet'].flatMap((format) => [
  callOf('logs.all', { project: 'victim', format }),
  callOf('kept', { format, sql: 'select * from edge_logs order by id' }),
  ...['edge_logs', 'storage_logs'].map(
    (source) => `/api/logs/export?${new URLSearchParams({ source, format })}`,
  ),
]);

const answers = async (): Promise<readonly unknown[]> => {
  const headers = withToken(victim);
  const asked = QUESTIONS.flatMap(([language, text]) =>
    ['logs.all', 'kept'].map((endpoint) => callOf(endpoint, { project: 'victim', [language]: text })),
  );
  const seen: unknown[] = [];
  for (const path of FILES) {
    const { status, body } = await client.get(path, headers);
    seen.push([path, status, body.toString('base64')]);
  }
  const kept = ['1', '2', '3'].map((key) => callOf(KEPT_LONG.name, { key }));
  for (const path of [...asked, ...kept, '/api/endpoints/query/logs.all/outline']) {
    const { status, json } = await client.get(path, headers);
    const { instance: _, ...body } = json as Readonly<Record<string, unknown>>;
    seen.push([path, status, body]);
  }
  return seen;
};

const NAMES = [
  'dur',
  'took',
  'ok',
  'path',
  'url',
  'fresh',
  'request',
  'list',
  'a\0b',
  'Dur',
  'odd',
  'project',
];
const name = fc.constantFrom(...NAMES);
const { value } = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small' },
    fc.constantFrom<unknown>(1, 1.5, 'text', true, null, '\0', 'evil'),
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(name, tie('value'), { maxKeys: 4 }),
  ),
}));
const entries = fc.record({
  source: fc.constantFrom('edge_logs', 'storage_logs'),
  metadata: fc.oneof(
    { weight: 9, arbitrary: fc.dictionary(name, value, { maxKeys: 6 }) },
    {
      weight: 1,
      arbitrary: fc
        .nat()
        .map((seed) => Object.fromEntries(Array.from({ length: 1_500 }, (_, at) => [`k${seed}_${at}`, at]))),
    },
  ),
});
const query = fc.constantFrom(
  ...QUESTIONS.map(([, text]) => text),
  "select repeat('a', 60000) like '%a%a%a%a_%a%a%a%b' as x from edge_logs",
  "select parse_json(concat(repeat('[', 5000), repeat(']', 5000))) as x from edge_logs",
  'select count(*) as n from edge_logs a, edge_logs b, edge_logs c, edge_logs d, edge_logs e, edge_logs f, edge_logs g',
  'select string_agg(concat(a.id, b.id, c.id, d.id)) as x from edge_logs a, edge_logs b, edge_logs c, edge_logs d',
);
const step = fc.oneof(
  entries.map((sent) => ({ ...sent, kind: 'entries' as const })),
  fc.record({ kind: fc.constant('query' as const), text: query, leaves: fc.boolean() }),
);

/** Large results in the file of kept results. */
const filledUp = (): number => {
  const file = new SqliteDatabase(join(api.server.dataDir, 'read-models.sqlite-results'), { readonly: true });
  try {
    return Number(file.prepare('SELECT count(*) FROM results WHERE bytes > ?').pluck().get(FILLING_BYTES));
  } finally {
    file.close();
  }
};

/** `evil` asks for many results that are kept. Resolves when there was no room for all of them. */
const fillCache = async (): Promise<void> => {
  const round = String(Math.random());
  for (let key = 0; key < FILLING_KEYS; key++) {
    const path = callOf(FILLING.name, { key: `${round} ${key}` });
    expect((await client.get(path, withToken(evil))).status).toBe(200);
  }
  await until(
    async () => filledUp(),
    (results) => results < FILLING_KEYS,
  );
};

it('nothing that one project does changes a reply to another', async () => {
  const before = await answers();
  let statuses = 0;
  const fills = fc.oneof(
    { weight: 3, arbitrary: fc.constant(false) },
    { weight: 1, arbitrary: fc.constant(true) },
  );
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 8 }), fills, async (steps, isFilled) => {
      const underWay = steps.map(async (one) => {
        if (one.kind === 'entries') {
          const body = [{ event_message: 'x', metadata: one.metadata }];
          return (await sendLogs(api.server.url, body, { token: evil, source: one.source })).status;
        }
        const path = callOf('logs.all', { project: 'victim', sql: one.text });
        const signal = AbortSignal.timeout(one.leaves ? 50 : 1_500);
        return fetch(`${api.server.url}${path}`, { headers: withToken(evil), signal }).then(
          ({ status }) => status,
          () => 0,
        );
      });
      expect(await answers()).toEqual(before);
      for (const status of await Promise.all(underWay)) if (status === 201) statuses++;
      if (isFilled) await fillCache();
      expect(await answers()).toEqual(before);
    }),
    { ...propertyRuns(15), examples: [[[], true]] },
  );
  expect(statuses).toBeGreaterThan(0);
});
