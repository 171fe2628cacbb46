/**
 * A token of one project never gets or writes another's entry: by no parameter, no query, no endpoint, no cached result
 * and no field of an entry. Each project's entries carry a word of their own, and no reply to the other's token holds it.
 */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { BUILT_IN_SOURCES, PLATFORM_SOURCES } from '../../../src/foundation/log-store/sources.js';
import { callOf, type EndpointApi, rowsOf, startEndpointApi, withToken } from '../../support/endpoint-api.js';
import { sendLogs } from '../../support/log-api.js';
import { propertyRuns } from '../../support/property-runs.js';

let api: EndpointApi;
let mine: Readonly<Record<string, string>>;
let theirs: Readonly<Record<string, string>>;
let untied: Readonly<Record<string, string>>;

const MINE = 'projectmine';
const THEIRS = 'projecttheirs';
const MY_WORD = 'heron';
const THEIR_WORD = 'osprey';
/** Those of the installation's own: one in `logs.all`, and one outside. */
const OWN_IN_LOGS_ALL = 'audit_logs';
const OWN = 'supavisor_logs';
const SOURCES = [...BUILT_IN_SOURCES, OWN_IN_LOGS_ALL, OWN];
/** The endpoint that reads the source: `open` reads all. */
const endpointOf = (source: string): string =>
  Object.hasOwn(PLATFORM_SOURCES, source) || source === OWN_IN_LOGS_ALL ? 'logs.all' : 'open';

const entryOf = (project: string, word: string) => ({
  event_message: `a ${word} passed`,
  project,
  metadata: {
    project,
    project_ref: project,
    request: { path: `/rest/v1/${word}`, url: `https://${project}.example/rest/v1/${word}` },
    response: { status_code: 200 },
  },
});

beforeAll(async () => {
  api = await startEndpointApi();
  const admin = withToken(api.tokens.admin);
  for (const body of [{ name: OWN_IN_LOGS_ALL, in: 'logs.all' }, { name: OWN }])
    expect((await api.client.post('/api/logs/sources', body, admin)).status).toBe(201);
  for (const source of SOURCES) {
    await api.ingest([entryOf(MINE, MY_WORD), entryOf(MINE, MY_WORD)], source);
    await api.ingest([entryOf(THEIRS, THEIR_WORD), entryOf(THEIRS, THEIR_WORD)], source);
  }
  mine = withToken(await api.token(['query', 'ingest'], MINE));
  theirs = withToken(await api.token(['query'], THEIRS));
  untied = withToken(api.tokens.query);
  const open = { name: 'open', query: 'select event_message from edge_logs', sandboxing: false };
  const kept = { name: 'kept', query: open.query, cachingSeconds: 600 };
  for (const body of [open, kept])
    expect((await api.client.post('/api/endpoints', body, admin)).status).toBe(201);
});
afterAll(() => api?.close());

const call = (endpoint: string, parameters: Readonly<Record<string, string>>, headers = mine) =>
  api.client.get(callOf(endpoint, parameters), headers);

describe('a token of one project', () => {
  it('sees its own entries in every source', async () => {
    for (const source of SOURCES) {
      const sql = `select event_message from ${source}`;
      const rows = rowsOf((await call(endpointOf(source), { project: MINE, sql })).json);
      expect(rows.map((row) => row.event_message)).toEqual([`a ${MY_WORD} passed`, `a ${MY_WORD} passed`]);
    }
  });

  it.each([THEIRS, '%', '.*', '', `${MINE}' or '1'='1`, `${MINE}|${THEIRS}`])(
    'sees nothing of the other by project=%j',
    async (project) => {
      for (const source of SOURCES) {
        const sql = `select event_message, metadata from ${source}`;
        expect((await call(endpointOf(source), { project, sql })).text).not.toContain(THEIR_WORD);
      }
      for (const interval of ['hourly', 'daily', 'minutely']) {
        const counts = rowsOf((await call('usage.api-counts', { project, interval })).json);
        const total = counts.reduce((sum, row) => sum + Number(row.total_rest_requests), 0);
        expect(total).toBeLessThanOrEqual(2);
        if (project === THEIRS) expect(total).toBe(0);
      }
    },
  );

  it('counts only its own where the pattern takes in every tenant, and an untied token counts all', async () => {
    const total = async (headers: Readonly<Record<string, string>>) =>
      rowsOf(
        (await call('usage.api-counts', { project: 'project', interval: 'hourly' }, headers)).json,
      ).reduce((sum, row) => sum + Number(row.total_rest_requests), 0);
    // Each is asked twice: the second comes from the cache, and is not the other's.
    for (const [headers, count] of [
      [mine, 2],
      [untied, 4],
      [theirs, 2],
      [mine, 2],
      [untied, 4],
      [theirs, 2],
    ] as const)
      expect(await total(headers)).toBe(count);
  });

  it('gets nothing of the other from an endpoint that filters nothing, nor from its cache', async () => {
    for (const endpoint of ['open', 'kept', 'open', 'kept']) {
      expect((await call(endpoint, {}, untied)).text).toContain(THEIR_WORD);
      const { text } = await call(endpoint, {});
      expect(text).toContain(MY_WORD);
      expect(text).not.toContain(THEIR_WORD);
      expect((await call(endpoint, {}, theirs)).text).not.toContain(MY_WORD);
    }
  });

  it('gets nothing of the other by any query over tables that no stored query confines', async () => {
    const attempts = [
      'select * from edge_logs',
      `select event_message from postgres_logs where project = '${THEIRS}'`,
      'select m.project from storage_logs cross join unnest(metadata) as m',
      'with edge_logs as (select * from auth_logs) select event_message from edge_logs',
      'select a.event_message from edge_logs as a join postgres_logs as b on true',
      'select (select max(event_message) from auth_logs) as x from edge_logs',
      'select event_message from edge_logs union all select event_message from realtime_logs',
      'select event_message from edge_logs where exists (select 1 from function_logs) or true',
      'select string_agg(event_message) as x from function_edge_logs',
    ];
    let answered = 0;
    for (const sql of attempts) {
      const { status, text } = await call('open', { sql, project: THEIRS });
      if (status === 200) answered += 1;
      expect({ sql, found: text.includes(THEIR_WORD) || text.includes(THEIRS) }).toEqual({
        sql,
        found: false,
      });
    }
    expect(answered).toBeGreaterThan(attempts.length / 2);
  });

  it('does so for no query put together at random', async () => {
    const source = fc.constantFrom(...SOURCES);
    const column = fc.constantFrom('event_message', 'metadata', 'id', 'timestamp', '*', "'x' as x");
    const where = fc.constantFrom(
      '',
      ' where true',
      ' where event_message is not null',
      ` where event_message like '%${THEIR_WORD}%'`,
      ` where project = '${THEIRS}'`,
      ' where metadata is not null or false',
    );
    const leaf = fc
      .tuple(column, source, where)
      .map(([what, from, which]) => `select ${what} from ${from}${which}`);
    const query = fc.oneof(
      leaf,
      fc.tuple(leaf, source).map(([inner, from]) => `select * from (${inner}) as q cross join ${from} as s`),
      fc.tuple(leaf, leaf).map(([a, b]) => `with q as (${a}) select * from q union all ${b}`),
      fc.tuple(leaf, leaf).map(([a, b]) => `with q as (${a}), r as (${b}) select * from q, r`),
      leaf.map((inner) => `select to_json_string(q) as text from (${inner}) as q`),
    );
    const project = fc.constantFrom(MINE, THEIRS, '.*', '');
    let own = 0;
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom('open', 'logs.all', 'kept'),
        query,
        project,
        async (endpoint, sql, whose) => {
          const { status, json } = await call(endpoint, { sql, project: whose });
          const found = status === 200 ? JSON.stringify(rowsOf(json)) : '';
          if (found.includes(MY_WORD)) own += 1;
          expect(found).not.toContain(THEIR_WORD);
          expect(found).not.toContain(THEIRS);
        },
      ),
      propertyRuns(200),
    );
    // Not because nothing is ever found.
    expect(own).toBeGreaterThan(0);
  });

  it('writes nothing into the other’s, by any field of an entry', async () => {
    const token = mine['x-api-key'] ?? '';
    const before = (await call('open', {}, theirs)).text;
    const fields = [
      { project: THEIRS },
      { metadata: { project: THEIRS } },
      { metadata: { project_ref: THEIRS } },
      { project: MINE, metadata: { project: THEIRS, project_ref: MINE } },
      { project: MINE, metadata: { project_ref: THEIRS } },
    ];
    for (const source of SOURCES) {
      for (const field of fields) {
        const good = { event_message: 'fine', project: MINE };
        const reply = await sendLogs(api.server.url, [good, { event_message: 'smuggled', ...field }], {
          token,
          source,
        });
        expect({ source, field, status: reply.status }).toEqual({ source, field, status: 403 });
      }
      const seen = await call('open', { sql: `select event_message from ${source}` }, untied);
      expect(seen.text).not.toContain('smuggled');
    }
    expect((await call('open', {}, theirs)).text).toBe(before);
  });
});
