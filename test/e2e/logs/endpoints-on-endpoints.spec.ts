/** Endpoints whose queries read other endpoints as tables, over HTTP and on the real log store. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Reply, refusalOf } from '../../support/client.js';
import { callOf, type EndpointApi, rowsOf, startEndpointApi, withToken } from '../../support/endpoint-api.js';

let api: EndpointApi;
let admin: Readonly<Record<string, string>>;
let reader: Readonly<Record<string, string>>;

const PATH = '/api/endpoints';
const ADDRESS = '203.0.113.77';

beforeAll(async () => {
  api = await startEndpointApi();
  admin = withToken(await api.token(['admin']));
  reader = withToken(await api.token(['query']));
  const calls = ['mine', 'mine', 'yours'].map((project, index) => ({
    event_message: `call ${index} from ${ADDRESS}`,
    project,
    metadata: { request: { path: `/${index}` } },
  }));
  await api.ingest(calls);
});
afterAll(() => api?.close());

const create = (name: string, query: string, more: object = {}) =>
  api.client.post(PATH, { name, query, ...more }, admin);
const made = async (name: string, query: string, more: object = {}): Promise<void> => {
  const { status, text } = await create(name, query, more);
  if (status !== 201) throw new Error(`${name} was not made: ${text}`);
};
const edit = (name: string, body: object) =>
  api.client.send(`${PATH}/${name}`, { method: 'PATCH', headers: admin, body });
const remove = (name: string) => api.client.send(`${PATH}/${name}`, { method: 'DELETE', headers: admin });
const rows = async (name: string, parameters: Readonly<Record<string, string>> = {}, token = reader) =>
  rowsOf((await api.client.get(callOf(name, parameters), token)).json);
const messages = async (...call: Parameters<typeof rows>) =>
  (await rows(...call)).map(({ event_message }) => event_message).sort();

const problemOf = (reply: Reply) => ({ refusal: refusalOf(reply), detail: Object(reply.json).detail });

const MINE = [`call 0 from ${ADDRESS}`, `call 1 from ${ADDRESS}`];

describe('an endpoint that reads another', () => {
  it('has its rows, its columns and its parameters', async () => {
    await made('calls.of', 'select event_message, metadata from edge_logs where project = @project');
    await made(
      'paths.of',
      'select c.metadata.request.path as path, @label as label from `calls.of` as c order by path',
    );
    expect(await rows('paths.of', { project: 'mine', label: 'x' })).toEqual([
      { path: '/0', label: 'x' },
      { path: '/1', label: 'x' },
    ]);
    const described = await api.client.get(`${PATH}/query/paths.of/outline`, reader);
    expect((described.json as { parameters: { name: string }[] }).parameters.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['project', 'label']),
    );
  });

  it('reads logs.all, with what it defines for itself', async () => {
    await made('newest', 'select event_message from `logs.all`');
    expect(await messages('newest', { project: 'mine' })).toEqual(MINE);
  });

  it('stays in the project of a token that is tied to one', async () => {
    await made('all_calls', "select event_message from edge_logs where project in ('mine', 'yours')");
    await made('all_again', 'select event_message from all_calls');
    expect(await messages('all_again')).toHaveLength(3);
    const tied = withToken(await api.token(['query'], 'yours'));
    expect(await messages('all_again', {}, tied)).toEqual([`call 2 from ${ADDRESS}`]);
  });

  it('reads its own named subquery of the same name', async () => {
    await made(
      'by_name',
      "with all_calls as (select 'own' as event_message) select event_message from all_calls",
    );
    expect(await messages('by_name')).toEqual(['own']);
    // What the reader names is nothing to the endpoint that it reads.
    await made(
      'apart',
      "with edge_logs as (select 'own' as event_message) select event_message from all_calls union all select event_message from edge_logs",
    );
    expect(await messages('apart')).toHaveLength(4);
  });

  it('shows a change of the other at once, also where its results are kept', async () => {
    await made('inner', "select 'old' as value");
    await made('outer.kept', 'select value from `inner`', { cachingSeconds: 600, cacheWarmingSeconds: 300 });
    expect(await rows('outer.kept')).toEqual([{ value: 'old' }]);
    expect(await rows('outer.kept')).toEqual([{ value: 'old' }]);
    expect((await edit('inner', { query: "select 'new' as value" })).status).toBe(200);
    expect(await rows('outer.kept')).toEqual([{ value: 'new' }]);
  });

  it('finds the others by their names as they are: numbers, and in upper or lower case', async () => {
    await made('z', 'select 1 as n');
    await made('7', 'select n from z');
    await made('of_7', 'select n from `7`');
    expect(await rows('of_7')).toEqual([{ n: 1 }]);
    await made('Daily', "select 'upper' as event_message");
    await made('daily', "select 'lower' as event_message");
    await made('both', 'select event_message from Daily union all select event_message from daily');
    expect(await messages('both')).toEqual(['lower', 'upper']);
    expect(
      problemOf(await create('neither', 'select * from daily union all select * from DAILY')),
    ).toMatchObject({
      refusal: '400 sql-refused',
      detail: expect.stringContaining('there is no table DAILY here'),
    });
  });

  it('redacts when the other does', async () => {
    await made('redacted', "select event_message from edge_logs where project = 'mine'", { redactPii: true });
    await made('through', 'select r.event_message from redacted as r');
    await made('further', 'select count(*) as n, max(event_message) as event_message from through');
    expect(await messages('through')).toEqual(['call 0 from REDACTED', 'call 1 from REDACTED']);
    expect(await rows('further')).toEqual([{ n: 2, event_message: 'call 1 from REDACTED' }]);
  });

  it('offers a sandboxed query its own tables only', async () => {
    await made('boxed', 'with shown as (select event_message from all_calls) select * from shown');
    expect(await messages('boxed', { sql: 'select event_message from shown' })).toHaveLength(3);
    const refused = await api.client.get(callOf('boxed', { sql: 'select * from all_calls' }), reader);
    expect(problemOf(refused)).toMatchObject({ refusal: '400 sql-refused' });
  });
});

describe('refused is', () => {
  it('a circle, however long, with the way that it takes', async () => {
    expect(problemOf(await create('self', 'select * from self'))).toMatchObject({
      refusal: '400 sql-refused',
      detail: 'endpoints read each other in a circle: self, self',
    });
    await made('a', 'select 1 as n');
    await made('b', 'select n from a');
    await made('c', 'select n from b');
    expect(problemOf(await edit('a', { query: 'select n from c' }))).toMatchObject({
      refusal: '400 sql-refused',
      detail: 'endpoints read each other in a circle: a, c, b, a',
    });
  });

  it('to remove or rename what others read, which are named', async () => {
    for (const reply of [await remove('b'), await edit('b', { name: 'b2' })])
      expect(problemOf(reply)).toMatchObject({
        refusal: '409 endpoint-in-use',
        detail: 'c reads b as a table; change them first',
      });
    expect((await edit('c', { query: 'select 2 as n' })).status).toBe(200);
    expect((await remove('b')).status).toBe(204);
  });

  it('the name of a source, in any case, and a source with the name of an endpoint', async () => {
    const addSource = (name: string) => api.client.post('/api/logs/sources', { name }, admin);
    expect((await addSource('payments')).status).toBe(201);
    await made('refunds', 'select event_message from payments');
    await made('Chargebacks', 'select event_message from refunds');
    const hiddenBy = (name: string, source: string) => ({
      refusal: '409 endpoint-name-taken',
      detail: `an endpoint ${name} would be hidden by the source ${source} from queries that read it; give it another name`,
    });
    expect(problemOf(await create('payments', 'select 1 as n'))).toEqual(hiddenBy('payments', 'payments'));
    expect(problemOf(await create('Edge_Logs', 'select 1 as n'))).toEqual(hiddenBy('Edge_Logs', 'edge_logs'));
    expect(problemOf(await edit('refunds', { name: 'PAYMENTS' }))).toEqual(hiddenBy('PAYMENTS', 'payments'));
    for (const [source, endpoint] of [
      ['refunds', 'refunds'],
      ['chargebacks', 'Chargebacks'],
    ] as const)
      expect(problemOf(await addSource(source))).toEqual({
        refusal: '409 source-name-taken',
        detail: `a source ${source} would hide the endpoint ${endpoint} from queries that read it; rename the endpoint first`,
      });
    expect((await addSource('payments')).status).toBe(200);
    expect((await remove('Chargebacks')).status).toBe(204);
    expect((await addSource('chargebacks')).status).toBe(201);
  });

  it('to read an endpoint by its id, since that would not keep it from being removed', async () => {
    const { json } = await create('named', 'select 1 as n');
    const { id } = json as { id: string };
    expect(problemOf(await create('by_id', `select n from \`${id}\``))).toMatchObject({
      refusal: '400 sql-refused',
      detail: expect.stringContaining(`there is no table ${id} here`),
    });
  });

  it('a table that is neither a source nor an endpoint', async () => {
    expect(problemOf(await create('lost', 'select * from nowhere'))).toMatchObject({
      refusal: '400 sql-refused',
      detail: expect.stringContaining('there is no table nowhere here'),
    });
  });

  it('a fault in an endpoint that was read before the fault came, with its name', async () => {
    await made('columns', 'select 1 as n, 2 as m');
    await made('sum', 'select n + m as s from columns');
    await made('top', 'select s from sum');
    expect((await edit('columns', { query: 'select 1 as n' })).status).toBe(200);
    expect(problemOf(await api.client.get(callOf('top'), reader))).toMatchObject({
      refusal: '400 sql-refused',
      detail: expect.stringMatching(/^in the endpoint sum: .*m/),
    });
  });
});
