/** Requests that a client sends before it has the reply to an earlier one, and leaves: nothing of them counts from then on. */
import { connect } from 'node:net';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { type LogApi, sendLogs, startLogApi } from '../../support/log-api.js';
import { until } from '../../support/until.js';

let api: LogApi;
beforeAll(async () => {
  api = await startLogApi();
});
afterAll(() => api?.close());

it('replies that wait behind another hold no room for entries when their client has gone', async () => {
  const { server, tokens } = api;
  const { hostname, port } = new URL(server.url);
  const head = (start: string, token: string): string =>
    `${start} HTTP/1.1\r\nHost: podium\r\nAuthorization: Bearer ${token}\r\n`;
  const tail = `${head('GET /api/logs/tail?source=edge_logs', tokens.query)}\r\n`;
  const entry = JSON.stringify([{ event_message: 'm' }]);
  // Of unknown length, so that each counts as if it were as large as it may be.
  const ingestion = [
    head('POST /api/logs?source=edge_logs', tokens.ingest),
    'Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n',
    `${entry.length.toString(16)}\r\n${entry}\r\n0\r\n\r\n`,
  ].join('');
  const client = connect(Number(port), hostname);
  client.on('error', () => undefined).write(tail + ingestion.repeat(2));
  const stored = async (): Promise<number> =>
    Number((await api.rows('select count(*) as n from edge_logs'))[0]?.n);
  await until(stored, (entries) => entries === 2);
  const status = async (): Promise<number> =>
    (await sendLogs(server.url, entry, { token: tokens.ingest })).status;
  expect(await status()).toBe(429);
  client.destroy();
  await until(status, (answered) => answered === 201);
});
