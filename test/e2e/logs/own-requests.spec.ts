/** The server's own requests among the edge_logs: what they say, and what must never be in them. */
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { Client } from '../../support/client.js';
import { type LogApi, sendLogs, startLogApi } from '../../support/log-api.js';
import { until } from '../../support/until.js';

let api: LogApi;
let client: Client;

beforeAll(async () => {
  api = await startLogApi();
  client = new Client(api.server.url);
});
afterAll(async () => {
  client.close();
  await api.close();
});

const own = () =>
  api.rows(
    'SELECT event_message, metadata, project FROM edge_logs WHERE project = \'podium\' ORDER BY "timestamp"',
  );

it('notes requests without credentials, queries and bodies, and none of those that bring entries', async () => {
  const secrets =
    '?sql=select+1&x=1&s%71l=secret-a&LQL=secret-b&api_key=secret-c&%zz=secret-d&search=secret-name';
  await client.get(`/api/events${secrets}`, { 'x-api-key': 'secret-e', 'user-agent': 'tester/1' });
  await client.get('/api/events');
  await client.get('/api/events');
  await client.post('/api/enter-attempt', { secret: 'secret-f' }, { authorization: 'Bearer secret-g' });
  await sendLogs(api.server.url, { event_message: 'mine' }, { token: api.tokens.ingest });
  await client.post('/v1/logs', {}, { 'x-api-key': api.tokens.ingest });
  await client.get('/api/nowhere');
  const rows = await until(own, (noted) =>
    noted.some(({ event_message: text }) => String(text).includes('/api/nowhere')),
  );
  const text = JSON.stringify(rows);
  expect(text).not.toContain('secret');
  expect(text).not.toContain('select');
  expect(text).not.toContain('/api/logs');
  expect(text).not.toContain('/v1/logs');
  const paths = rows.map(({ metadata }) => metadata);
  expect(paths).toContainEqual({
    request: {
      method: 'GET',
      path: '/api/events',
      search: '?x=1',
      host: expect.any(String),
      url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/api\/events\?x=1$/),
      headers: { user_agent: 'tester/1', x_real_ip: '127.0.0.1' },
    },
    response: { status_code: 200, origin_time: expect.any(Number) },
  });
  expect(paths).toContainEqual(
    expect.objectContaining({
      request: expect.objectContaining({ path: '/api/enter-attempt', method: 'POST' }),
    }),
  );
  // The second and third reading of the events came from ready bytes.
  expect(
    rows.filter(({ event_message: message }) => message === 'GET | 200 | 127.0.0.1 | /api/events').length,
  ).toBe(2);
});
