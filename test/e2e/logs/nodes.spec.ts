/**
 * Two nodes on the same stores, one of which owns the logs: what the other does with queries, and that its own requests are
 * among the owner's edge_logs.
 */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { CONFIG, type PodiumConfig } from '../../../src/foundation/config.js';
import { READ_MODELS, type ReadModels } from '../../../src/foundation/projections/read-models.js';
import { nodesIn } from '../../../src/foundation/projections/runner/nodes.js';
import {
  READ_MODEL_STORE,
  type ReadModelStore,
} from '../../../src/foundation/read-models/read-model-store.js';
import { CHECKS_UNTIL_DEAD, NodeTokens } from '../../../src/logs/tokens/node-tokens.js';
import { ListTokens } from '../../../src/logs/tokens/token.queries.js';
import { Client } from '../../support/client.js';
import { type EndpointApi, startEndpointApi } from '../../support/endpoint-api.js';
import { sendLogs } from '../../support/log-api.js';
import { startServer, type TestServer } from '../../support/server.js';
import { until } from '../../support/until.js';

/** Names a field that no platform has and only an entry brought. */
const STORED = 'select flavour from edge_logs cross join unnest(metadata) as m where flavour is not null';

let owner: EndpointApi;
let node: TestServer;
let client: Client;
let manages: Readonly<Record<string, string>>;

beforeAll(async () => {
  owner = await startEndpointApi();
  node = await startServer({ dataDir: owner.server.dataDir, env: { LOG_STORE_URL: owner.server.url } });
  client = new Client(node.url);
  manages = { 'x-api-key': owner.tokens.admin };
  const entry = { event_message: 'learned', metadata: { flavour: 'sweet' } };
  expect((await sendLogs(node.url, entry, { token: owner.tokens.ingest })).status).toBe(201);
});
afterAll(async () => {
  client.close();
  await node.stop();
  await owner.close();
});

describe('a stored query on a node that does not own the logs', () => {
  it('is checked against the fields that the entries have', async () => {
    const reply = await client.post('/api/endpoints/check', { query: STORED }, manages);
    expect(reply).toMatchObject({ status: 200, json: { fault: null, outline: { reads: 'edge_logs' } } });
    const wrong = await client.post(
      '/api/endpoints/check',
      { query: STORED.replaceAll('flavour', 'taste') },
      manages,
    );
    expect(wrong).toMatchObject({ status: 200, json: { fault: { code: 'sql-refused' }, outline: null } });
  });

  it('is saved, and shown here to clients that send the position along', async () => {
    const saved = await client.post('/api/endpoints', { name: 'flavours', query: STORED }, manages);
    expect(saved.status).toBe(201);
    const position = saved.headers['podium-position'];
    expect(position).toEqual(expect.any(String));
    const listed = await client.after(position, '/api/endpoints', manages);
    expect(listed.json).toContainEqual(expect.objectContaining({ name: 'flavours' }));
    const called = await client.get('/api/endpoints/query/flavours', { 'x-api-key': owner.tokens.query });
    expect(called.json).toEqual({ result: [{ flavour: 'sweet' }] });
  });
});

/** Requests that were let go since the node's start. */
const droppedBy = async (its: Client): Promise<number> =>
  Number(/^podium_own_requests_dropped (\d+)$/m.exec((await its.get('/metrics')).text)?.[1]);

describe('requests of a node that does not own the logs', () => {
  const noted = (agent: string) => () =>
    owner.rows(
      `SELECT json_extract_string(metadata, '/request/path') AS path, project FROM edge_logs WHERE json_extract_string(metadata, '/request/headers/user_agent') = '${agent}'`,
    );

  /** Asks as this client; gives what the owner has noted of it, or null where the node had to let something go. */
  const notedOf = async (name: string) => {
    const agent = { 'user-agent': name };
    const before = await droppedBy(client);
    await client.get('/api/events', agent);
    await client.get('/api/nowhere', agent);
    await client.get('/api/endpoints/query/flavours', { ...agent, 'x-api-key': owner.tokens.query });
    await client.get('/api/competitions', agent);
    const { rows, dropped } = await until(
      async () => ({ rows: await noted(name)(), dropped: (await droppedBy(client)) > before }),
      (seen) => seen.dropped || seen.rows.length >= 4,
    );
    return dropped ? null : rows;
  };

  it('are noted by the owner, once each, and what it was sent is not noted twice', async () => {
    let asked = 0;
    const rows = await until(
      () => {
        asked += 1;
        return notedOf(`node-tester/${asked}`);
      },
      (found) => found !== null,
    );
    if (!rows) throw new Error('nothing was noted');
    expect(rows.map(({ path }) => path).sort()).toEqual([
      '/api/competitions',
      '/api/endpoints/query/flavours',
      '/api/events',
      '/api/nowhere',
    ]);
    expect(new Set(rows.map(({ project }) => project))).toEqual(new Set(['podium']));
  });

  /** Another node whose log store is the owner's, and a client of it. */
  const startThird = async () => {
    const third = await startServer({
      dataDir: owner.server.dataDir,
      env: { LOG_STORE_URL: owner.server.url },
    });
    return { third, its: new Client(third.url) };
  };

  /** Asks through a node until the owner has noted it: what an owner is too busy for is let go. */
  const untilNoted = (through: Client, name: string) =>
    until(
      async () => {
        await through.get('/api/events', { 'user-agent': name });
        return noted(name)();
      },
      (found) => found.length > 0,
    );

  it('come with a token that may write them and nothing else, which ends with the node', async () => {
    const { third, its } = await startThird();
    await untilNoted(its, 'third-tester/1');
    const itsOwn = async () =>
      (await owner.app.queries.execute(new ListTokens())).find(({ name }) =>
        name.endsWith(`process ${third.process.pid}`),
      );
    expect(await until(itsOwn, (token) => token !== undefined)).toMatchObject({
      scopes: ['ingest'],
      project: 'podium',
      state: 'active',
    });
    its.close();
    expect(await third.stop()).toBe(0);
    await until(itsOwn, (token) => token === undefined);
  });

  it('leave no token behind when the node is killed, and those of living nodes stay', async () => {
    const { third, its } = await startThird();
    await untilNoted(its, 'killed-tester/1');
    await untilNoted(client, 'living-tester/1');
    const stateOf = (process: number | undefined) => async () =>
      (await owner.app.queries.execute(new ListTokens())).find(({ name }) =>
        name.endsWith(`process ${process}`),
      )?.state;
    await until(stateOf(third.process.pid), (state) => state === 'active');
    its.close();
    await third.kill();
    const store = owner.app.get<ReadModelStore>(READ_MODEL_STORE);
    await until(
      async () => nodesIn(await store.leases()).map(({ pid }) => pid),
      (pids) => !pids.includes(third.process.pid ?? 0),
    );
    const nodeTokens = new NodeTokens(
      owner.app.get<PodiumConfig>(CONFIG),
      owner.app.get<ReadModels>(READ_MODELS),
      store,
      owner.app.commands,
    );
    for (let look = 1; look < CHECKS_UNTIL_DEAD; look++) await nodeTokens.revokeDead();
    expect(await stateOf(third.process.pid)()).toBe('active');
    await nodeTokens.revokeDead();
    await until(stateOf(third.process.pid), (state) => state === undefined);
    expect(await stateOf(node.process.pid)()).toBe('active');
  });

  it('are let go, counted, while the owner is away, and hold up nothing', async () => {
    const away = await startServer({
      dataDir: owner.server.dataDir,
      env: { LOG_STORE_URL: 'http://127.0.0.1:9' },
    });
    const its = new Client(away.url);
    await its.get('/api/events');
    await until(
      () => droppedBy(its),
      (count) => count > 0,
    );
    expect((await its.get('/api/events')).status).toBe(200);
    its.close();
    expect(await away.stop()).toBe(0);
  });
});
