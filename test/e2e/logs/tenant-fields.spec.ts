/**
 * The fields of one project's entries do not reach another: not its replies, not its outline. `evil` sends entries with a
 * token tied to it, and `victim` asks the same before and after.
 */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { callOf, type EndpointApi, rowsOf, startEndpointApi, withToken } from '../../support/endpoint-api.js';
import { sendLogs } from '../../support/log-api.js';

let api: EndpointApi;
let evil: string;
let victim: string;

beforeAll(async () => {
  api = await startEndpointApi();
  evil = await api.token(['ingest', 'query'], 'evil');
  victim = await api.token(['ingest', 'query'], 'victim');
  await send(victim, { dur: 7, request: { path: '/rest', kind: 'mine' } });
});
afterAll(() => api?.close());

const send = async (token: string, metadata: object): Promise<void> => {
  const { status } = await sendLogs(api.server.url, [{ event_message: 'x', metadata }], { token });
  expect(status).toBe(201);
};

interface Seen {
  readonly status: number;
  readonly json: unknown;
}

const ask = async (token: string, text: string, language = 'sql', project = 'victim'): Promise<Seen> => {
  const { status, json } = await api.client.get(
    callOf('logs.all', { project, [language]: text }),
    withToken(token),
  );
  return { status, json };
};

const UNNESTED =
  'from edge_logs t cross join unnest(t.metadata) as m cross join unnest(m.request) as r where true';

describe('what one project sends', () => {
  it('(1) does not make a bare name of another ambiguous', async () => {
    const before = await ask(victim, `select path ${UNNESTED}`);
    expect(before.status).toBe(200);
    await send(evil, { path: 'x' });
    expect(await ask(victim, `select path ${UNNESTED}`)).toEqual(before);
    // For itself it does: there the name has two candidates.
    expect((await ask(evil, `select path ${UNNESTED}`, 'sql', 'evil')).status).toBe(400);
  });

  it('(2) shows no name and no type to another', async () => {
    await send(evil, { request: { secretfield: 1 }, response: { secretfield: true } });
    const star = await ask(victim, `select r.* ${UNNESTED}`);
    expect(star.status).toBe(200);
    expect(JSON.stringify(star.json)).not.toContain('secretfield');
    expect(JSON.stringify(star.json)).toContain('"kind":"mine"');
    expect((await ask(victim, 'm.response.secretfield:abc', 'lql')).status).toBe(200);
    const outline = await api.client.get('/api/endpoints/query/logs.all/outline', withToken(victim));
    expect(outline.text).not.toContain('secretfield');
    expect(outline.text).toContain('"kind"');
    const own = await api.client.get('/api/endpoints/query/logs.all/outline', withToken(evil));
    expect(own.text).toContain('secretfield');
  });

  it('(3) cannot end a query of another, nor its own, by a key with the character of code 0', async () => {
    await send(evil, { 'a\0b': 1, request: { '\0': 'x' } });
    for (const [token, project] of [
      [victim, 'victim'],
      [evil, 'evil'],
      [api.tokens.query, 'evil'],
    ] as const) {
      expect((await ask(token, `select m.* ${UNNESTED}`, 'sql', project)).status).toBe(200);
      expect((await ask(token, `select metadata from edge_logs`, 'sql', project)).status).toBe(200);
    }
  });

  it('(4) does not change the type of a field of another', async () => {
    expect(await ask(victim, 'm.took:>5', 'lql')).toEqual({ status: 200, json: { result: [] } });
    await send(evil, { took: true, dur: true });
    expect(await ask(victim, 'm.took:>5', 'lql')).toEqual({ status: 200, json: { result: [] } });
    const found = await ask(victim, 'm.dur:>5 s:m.dur', 'lql');
    expect(found).toMatchObject({ status: 200, json: { result: [{ dur: 7 }] } });
  });
});

describe('a token that is not tied', () => {
  it('sees the fields of the project that the stored query compares with', async () => {
    const asked = (project: string) => ask(api.tokens.query, `select path ${UNNESTED}`, 'sql', project);
    expect((await asked('victim')).status).toBe(200);
    expect((await asked('evil')).status).toBe(400);
    expect((await ask(api.tokens.query, 'm.dur:>5', 'lql')).status).toBe(200);
  });

  it('sees those of all where it compares none; a name that no project alone has twice is found', async () => {
    const query = 'select metadata from edge_logs';
    const body = { name: 'everything', query, sandboxing: false };
    const made = await api.client.post('/api/endpoints', body, withToken(api.tokens.admin));
    expect(made.status).toBe(201);
    await send(victim, { request: { odd: 'below' } });
    await send(evil, { odd: 'above' });
    const all = (sql: string) => api.client.get(callOf('everything', { sql }), withToken(api.tokens.query));
    const odd = await all(`select odd ${UNNESTED} and odd is not null`);
    expect(odd.status).toBe(200);
    expect(rowsOf(odd.json)).toEqual([{ odd: 'below' }]);
    const left = UNNESTED.replace('cross join unnest(m.request)', 'left join unnest(m.request)').replace(
      'as r',
      'as r on true',
    );
    const both = await all(`select odd ${left} and odd is not null`);
    expect(rowsOf(both.json).map((row) => row.odd)).toEqual(expect.arrayContaining(['above', 'below']));
    // evil alone has both of these.
    expect((await all(`select path ${UNNESTED}`)).status).toBe(400);
    // A number in one project, a boolean in the other.
    const mixed = await all(`select m.dur ${UNNESTED} and m.dur > 5`);
    expect(mixed).toMatchObject({ status: 200, json: { result: [{ dur: 7 }] } });
  });
});

describe('a bare name in the catalogue of all', () => {
  const asked = (sql: string) => api.client.get(callOf('everything', { sql }), withToken(api.tokens.query));
  const ingest = (project: string, metadata: object) =>
    api.ingest([{ event_message: 'x', project, metadata }]);

  it('is refused once one project alone has both places, however many projects there are', async () => {
    const query = `select place ${UNNESTED} and place is not null`;
    const entries = Array.from({ length: 300 }, (_, at) => ({
      event_message: 'x',
      project: `p${at}`,
      metadata: at % 2 === 0 ? { place: 'above', request: {} } : { request: { place: 'below' } },
    }));
    await api.ingest(entries);
    const found = await asked(query);
    expect(found.status).toBe(200);
    expect(rowsOf(found.json).length).toBeGreaterThan(100);
    await ingest('p299', { place: 'above' });
    const refused = await asked(query);
    expect(refused).toMatchObject({ status: 400, json: { position: { offset: query.indexOf('place is') } } });
    expect(refused.text).toContain('place can be m.place or r.place');
  });

  it('is judged by where it comes from, also through subqueries and unions', async () => {
    await ingest('q1', { spot: 'above', request: { kind: 'x' } });
    await ingest('q2', { request: { spot: 'below' } });
    const through = (source: string) =>
      `with both as (select metadata from ${source} union all select metadata from postgres_logs)
       select spot from both t cross join unnest(t.metadata) as m cross join unnest(m.request) as r where true`;
    const table = '(select metadata from edge_logs)';
    expect((await asked(through(`${table} as e`))).status).toBe(200);
    expect((await asked(`select spot ${UNNESTED.replace('edge_logs', table)}`)).status).toBe(200);
    await ingest('q1', { request: { spot: 'below' } });
    expect((await asked(through(`${table} as e`))).status).toBe(400);
    expect((await asked(`select spot ${UNNESTED.replace('edge_logs', table)}`)).status).toBe(400);
    // A record that the query makes has its field whatever a project has.
    const made = `select spot from edge_logs t cross join unnest(t.metadata) as m
      cross join unnest(struct(1 as spot)) as s`;
    expect((await asked(made)).status).toBe(400);
  });

  it('finds fields of several projects that differ in their case', async () => {
    await ingest('c1', { request: { Cased: 'one' } });
    await ingest('c2', { request: { CASED: 'two' } });
    const found = await asked(`select cased ${UNNESTED} and cased is not null order by 1`);
    expect(found).toMatchObject({ status: 200, json: { result: [{ cased: 'one' }, { cased: 'two' }] } });
  });
});

describe('at last, what one project sends', () => {
  it('(5) does not use up the names of another', async () => {
    await send(evil, Object.fromEntries(Array.from({ length: 1_500 }, (_, at) => [`k${at}`, at])));
    await send(victim, { late: 'here' });
    const found = await ask(
      victim,
      `select late ${UNNESTED.replace('cross join unnest(m.request) as r', '')}`,
    );
    expect(found.status).toBe(200);
    expect(rowsOf(found.json)).toContainEqual({ late: 'here' });
  });
});
