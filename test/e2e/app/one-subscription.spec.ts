/** A node on EventStoreDB: its read models and its cached states follow the store from one live subscription. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { type ApiWorld, CONTEST, makeApiWorld } from '../../support/api-world.js';
import { sendAttempt } from '../../support/attempts.js';
import { done, podiumOn } from '../../support/cli.js';
import { Client } from '../../support/client.js';
import { EsdbTestServer } from '../../support/eventstoredb/test-server.js';
import { openPodiumApp } from '../../support/podium-app.js';
import { startServer, type TestServer } from '../../support/server.js';
import { until } from '../../support/until.js';

let root: string;
let store: EsdbTestServer;
let world: ApiWorld;
let node: TestServer;
let client: Client;

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'podium-subscription-'));
  store = await EsdbTestServer.start({ file: join(root, 'events.sqlite') });
  const app = await openPodiumApp(root, { EVENT_STORE_URL: store.url });
  world = await makeApiWorld(app.commands);
  await app.close();
  node = await startServer({ dataDir: root, env: { EVENT_STORE_URL: store.url } });
  client = new Client(node.url);
});
afterAll(async () => {
  await node?.stop();
  await store?.stop();
  await rm(root, { recursive: true, force: true });
});

const openSubscriptions = (count: number): Promise<number> =>
  until(
    async () => store.behaviour.openSubscriptions,
    (open) => open === count,
  );
const enter = (attemptNumber: number) =>
  sendAttempt(client, world.keys.good, { personId: world.personIds[0], attemptResult: 1_500, attemptNumber });

it('hears of what another process appended, over one subscription', async () => {
  await openSubscriptions(1);
  expect((await enter(1)).status).toBe(201);
  const podium = podiumOn(root, { EVENT_STORE_URL: store.url });
  const keys = await done(podium, 'keys', 'list', '--contest', CONTEST);
  for (const { keyId } of keys as readonly { keyId: string }[]) await podium('keys', 'revoke', keyId);
  await until(
    async () => (await enter(2)).status,
    (status) => status === 401,
  );
  await openSubscriptions(1);
});
