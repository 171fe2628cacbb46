/** Queries that once were a 500, or cost the engine its process: each is answered in words that help, and the next is answered. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { type Reply, refusalOf } from '../../support/client.js';
import { callOf, type EndpointApi, startEndpointApi, withToken } from '../../support/endpoint-api.js';

let api: EndpointApi;

beforeAll(async () => {
  api = await startEndpointApi({ PODIUM_LOG_QUERY_SECONDS: '5' });
  await api.ingest([{ event_message: 'x\0y', project: 'p1', metadata: { text: 'a' } }]);
});
afterAll(() => api?.close());

const ask = (text: string, language = 'sql'): Promise<Reply> =>
  api.client.get(callOf('logs.all', { project: 'p1', [language]: text }), withToken(api.tokens.query));

/** The process of the engine. */
const owner = async (): Promise<{ readonly pid: string }> => {
  const { stdout } = await promisify(execFile)('pgrep', ['-f', `log-store.child.js.*${api.server.dataDir}/`]);
  return { pid: stdout.trim() };
};

it.each([
  ["select parse_json(concat(repeat('[', 5000), repeat(']', 5000))) as x from edge_logs", 422],
  ["select parse_json(concat(repeat('[', 65000), repeat(']', 65000))) as x from edge_logs", 422],
  [`select [parse_json(concat(repeat('{"a":', 4000), '1', repeat('}', 4000)))] as x from edge_logs`, 422],
  ["select parse_json(concat(repeat('[', 200), repeat(']', 200))) as x from edge_logs", 200],
])('a result may nest so deep only: %s', async (sql, status) => {
  const reply = await ask(sql);
  expect(reply.status).toBe(status);
  if (status === 422) {
    expect(refusalOf(reply)).toBe('422 query-value');
    expect(reply.text).toContain('at most 500 levels');
  }
});

it.each(['x\0y', 'm.text:\0', 'm.text:"a\0b"', '~\0', 's:m.text m.\0:1'])(
  'LQL with the character of code 0 is refused: %j',
  async (lql) => {
    const reply = await ask(lql, 'lql');
    expect(refusalOf(reply)).toBe('400 invalid-request');
    expect(reply.json).toMatchObject({ errors: [{ field: 'lql', rule: 'characters' }] });
  },
);

it.each([
  ['select 1 as `a\0b` from edge_logs', 400],
  ["select m['a\\u0000b'] as x from edge_logs cross join unnest(metadata) as m", 400],
  ["select event_message = 'x\\u0000y' as x from edge_logs", 400],
  ["select json_object('a\\u0000b', 1) as x from edge_logs", 400],
])('SQL with the character of code 0 is refused: %j', async (sql, status) => {
  expect((await ask(sql)).status).toBe(status);
});

it.each([
  ["repeat('a', 60000) like '%a%a%a%a%a%a%a%a%a%a%a%a%a%b'", false],
  ["repeat('a', 60000) like '%a_%a%a%a_%a%a%a%a_%a%a%a%a%ab_%'", false],
  ["repeat('a', 60000) like concat('%a%a%a%a%a%a_%a%a%a%a%a%a%a', '%b')", false],
  ["repeat('a', 60000) like concat(repeat('%a', 400), 'b')", false],
  ["repeat('a', 60000) like concat(repeat('%a', 600), 'b')", null],
  ["'a%b\\nc' like r'_\\%%c'", true],
  ["'a.b' like 'a_b' and 'axb' like 'a_b' and not 'axb' like 'a.b'", true],
  ["'[x]*(y)+{z}^$|?' like concat('[x]*(y)', '+{z}^$|?')", true],
  ["'ä' like '_' and 'ä' like concat('_', '') and 'x' like '%' and '' like '%' and not '' like '_'", true],
])('%s is answered at once', async (condition, x) => {
  const { pid } = await owner();
  const reply = await ask(`select ${condition} as x from edge_logs`);
  expect(reply.json).toEqual({ result: [{ x }] });
  expect((await owner()).pid).toBe(pid);
});

it('a pattern of LIKE has a length that is said', async () => {
  const reply = await ask(`select 'a' like '${'_'.repeat(4_097)}' as x from edge_logs`);
  expect(refusalOf(reply)).toBe('400 sql-refused');
  expect(reply.text).toContain('at most 4096 characters');
});
