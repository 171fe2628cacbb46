/** A server that is killed again and again while it sends a drain brings each entry to the receiver, and no batch in two forms. */
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { Client } from '../support/client.js';
import { withToken } from '../support/endpoint-api.js';
import { type LocalReceiver, startReceiver } from '../support/local-receiver.js';
import { issueTokens, sendLogs } from '../support/log-api.js';
import { newDataDir, startServer, type TestServer } from '../support/server.js';
import { until } from '../support/until.js';

const KILLS = 4;
const ENTRIES = 50;

let receiver: LocalReceiver;
let server: TestServer;
beforeAll(async () => {
  receiver = await startReceiver();
});
afterAll(async () => {
  await server.stop();
  await server.remove();
  await receiver.close();
});

it('each entry arrives, and each batch with its id alone', async () => {
  const dataDir = await newDataDir();
  const tokens = await issueTokens(dataDir);
  const env = { PODIUM_ALERT_HOSTS: '127.0.0.1' };
  server = await startServer({ dataDir, env });
  const client = new Client(server.url);
  const { status } = await client.send('/api/logs/drains', {
    method: 'POST',
    headers: withToken(tokens.admin),
    body: { name: 'All', source: 'edge_logs', destination: { kind: 'http', url: receiver.url } },
  });
  expect(status).toBe(201);
  client.close();
  const acknowledged: string[] = [];
  for (let kill = 0; kill <= KILLS; kill += 1) {
    const before = receiver.received.length;
    // One more attempt is made of this batch, by the process or by the next one.
    receiver.statuses.push(503);
    const entries = Array.from({ length: ENTRIES }, (_, index) => ({ event_message: `${kill} ${index}` }));
    expect((await sendLogs(server.url, entries, { token: tokens.ingest })).status).toBe(201);
    acknowledged.push(...entries.map(({ event_message }) => event_message));
    await until(
      async () => receiver.received.length,
      (length) => length > before,
    );
    if (kill === KILLS) break;
    await server.kill();
    server = await startServer({ dataDir, env });
  }
  const messagesIn = (body: string): readonly string[] =>
    JSON.parse(body)
      // The server's own requests are in its edge_logs, too.
      .map((entry: { readonly event_message: string }) => entry.event_message)
      .filter((message: string) => /^\d+ \d+$/.test(message));
  const arrived = () => new Set(receiver.received.flatMap(({ body }) => messagesIn(body)));
  await until(
    async () => arrived().size,
    (size) => size >= acknowledged.length,
  );
  expect([...arrived()].sort()).toEqual([...acknowledged].sort());
  const bodies = new Map<string, string>();
  let repeated = 0;
  for (const { headers, body } of receiver.received) {
    const id = String(headers['webhook-id']);
    if (bodies.has(id)) repeated += 1;
    expect(bodies.get(id) ?? body).toBe(body);
    bodies.set(id, body);
  }
  expect(repeated).toBeGreaterThan(0);
}, 180_000);
