/** Queries that once were a 500, or cost the engine its process: each is answered in words that help, and the next is answered. */
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
