/** Sources of one's own over real HTTP, with two nodes: adding them, and all that a source can do. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { podiumOn } from '../../support/cli.js';
import { Client } from '../../support/client.js';
import { signIn } from '../../support/dashboard.js';
import { callOf, type EndpointApi, rowsOf, startEndpointApi, withToken } from '../../support/endpoint-api.js';
import { issueTokens, sendLogs } from '../../support/log-api.js';
import { jsonPush } from '../../support/loki-pushes.js';
import { encodedExport, logsExport } from '../../support/otlp-exports.js';
import { newDataDir, startServer, type TestServer } from '../../support/server.js';
import { TailReader } from '../../support/tail-reader.js';

let owner: EndpointApi;
let node: TestServer;
let client: Client;
let admin: Readonly<Record<string, string>>;
let reader: Readonly<Record<string, string>>;

beforeAll(async () => {
  owner = await startEndpointApi();
  node = await startServer({ dataDir: owner.server.dataDir, env: { LOG_STORE_URL: owner.server.url } });
  client = new Client(node.url);
  admin = withToken(owner.tokens.admin);
  reader = withToken(owner.tokens.query);
  const open = { name: 'open', query: 'select 1 as one from edge_logs', sandboxing: false };
  expect((await owner.client.post('/api/endpoints', open, admin)).status).toBe(201);
});
afterAll(async () => {
  client?.close();
  await node?.stop();
  await owner?.close();
});

const PROJECT = 'p';
const create = (body: object, headers = admin) => owner.client.post('/api/logs/sources', body, headers);
const send = (url: string, source: string, ...entries: readonly object[]) =>
  sendLogs(
    url,
    entries.map((entry) => ({ project: PROJECT, ...entry })),
    { token: owner.tokens.ingest, source },
  );
const messages = async (source: string, by: Pick<Client, 'get'> = owner.client) => {
  const sql = `select event_message as m from ${source} order by m`;
  const { status, json, text } = await by.get(callOf('open', { sql }), reader);
  return status === 200 ? rowsOf(json).map(({ m }) => m) : text;
};
const listed = async () => {
  const { json } = await owner.client.get('/api/logs/sources', admin);
  return new Map(
    (Array.isArray(json) ? json : []).map(({ name, ...rest }: { readonly name: string }) => [name, rest]),
  );
};

describe('a source added on one node', () => {
  it('takes entries and answers queries on both at once, and not before', async () => {
    expect(await send(node.url, 'audit_logs', { event_message: 'early' })).toMatchObject({
      status: 400,
      json: {
        errors: [{ field: 'source', rule: 'source', message: expect.stringContaining('one of edge_logs') }],
      },
    });
    expect(await messages('audit_logs')).toContain('there is no table audit_logs');
    const created = await client.post('/api/logs/sources', { name: 'audit_logs' }, admin);
    expect([created.status, created.json]).toEqual([
      201,
      { name: 'audit_logs', state: 'own', projectField: 'project', inLogsAll: false, description: null },
    ]);
    expect((await send(node.url, 'audit_logs', { event_message: 'by the node' })).status).toBe(201);
    expect((await send(owner.server.url, 'audit_logs', { event_message: 'by the owner' })).status).toBe(201);
    for (const by of [client, owner.client])
      expect(await messages('audit_logs', by)).toEqual(['by the node', 'by the owner']);
    expect((await client.get('/api/logs/sources', admin)).json).toContainEqual(created.json);
    expect((await create({ name: 'audit_logs' })).status).toBe(200);
  });

  it('takes what every dialect sends', async () => {
    expect((await create({ name: 'mixed' })).status).toBe(201);
    const post = async (path: string, type: string, body: string | Uint8Array) => {
      const headers = { 'content-type': type, 'x-api-key': owner.tokens.ingest, 'x-source': 'mixed' };
      return (await fetch(node.url + path, { method: 'POST', headers, body: Buffer.from(body) })).status;
    };
    const json = 'application/json';
    const record = { timeUnixNano: 1n, body: { stringValue: 'otlp' } };
    const exported = encodedExport({ signal: 'logs', encoding: 'json' }, logsExport('svc', record));
    const pushed = jsonPush({ labels: { project: PROJECT }, lines: [[1n, 'loki']] });
    const syslog = '<40>1 2026-03-17T14:47:02+00:00 host app web.1 - logplex';
    expect([
      await post('/v1/logs', json, exported),
      await post('/loki/api/v1/push', json, pushed),
      await post('/api/logs/logplex', 'application/logplex-1', `${syslog.length} ${syslog}`),
      await post('/api/logs/cloudflare', 'application/x-ndjson', '{"ClientRequestPath":"/cf"}'),
      await post('/api/logs', json, '{"message":"vector"}'),
    ]).toEqual([200, 204, 201, 201, 201]);
    expect(await messages('mixed')).toEqual(
      expect.arrayContaining(['otlp', 'loki', expect.stringContaining('logplex'), 'vector']),
    );
    expect(await messages('mixed')).toHaveLength(5);
  });

  it('is followed, filtered in LQL and redacted as the others', async () => {
    expect((await create({ name: 'followed', in: 'logs.all' })).status).toBe(201);
    const asked = { project: PROJECT, lql: 'f:followed m.size:>1' };
    const query = String(new URLSearchParams(asked));
    const redacted = { ...reader, 'SVC-ENDPOINT-REDACT-PII': 'true' };
    const tail = await TailReader.open(`${node.url}/api/logs/tail?${query}`, redacted);
    await send(node.url, 'followed', { event_message: 'small', metadata: { size: 1 } });
    await send(node.url, 'followed', { event_message: 'big, from 203.0.113.9', metadata: { size: 2 } });
    await tail.until('entry');
    expect(tail.messages).toEqual(['big, from REDACTED']);
    tail.close();
    const { json } = await client.get(callOf('logs.all', asked), redacted);
    expect(rowsOf(json).map((row) => row.event_message)).toEqual(['big, from REDACTED']);
  });

  it('is named by the tail only when it is there', async () => {
    const { status, text } = await client.get('/api/logs/tail?source=nothing_here', reader);
    expect([status, text]).toEqual([400, expect.stringContaining('source must be one of edge_logs')]);
  });

  it('has the fields of each project for that project alone', async () => {
    expect((await create({ name: 'fielded', in: 'logs.all' })).status).toBe(201);
    await send(owner.server.url, 'fielded', { event_message: 'a', metadata: { secret_field: 1 } });
    const ask = async (project: string) => {
      const token = withToken(await owner.token(['query'], project));
      const sql = 'select secret_field as x from fielded cross join unnest(metadata) as m';
      return (await owner.client.get(callOf('logs.all', { project, sql }), token)).status;
    };
    expect([await ask(PROJECT), await ask('other')]).toEqual([200, 400]);
  });

  it('is compiled with the fields of the one project that a stored query compares with', async () => {
    expect((await create({ name: 'compared' })).status).toBe(201);
    await send(owner.server.url, 'compared', { event_message: 'a', metadata: { took: 9 } });
    const other = { event_message: 'b', project: 'other', metadata: { theirs: 1 } };
    await send(owner.server.url, 'compared', other);
    const ask = async (name: string, condition: string) => {
      const query = `select m.* from compared as c cross join unnest(c.metadata) as m where ${condition}`;
      expect((await owner.client.post('/api/endpoints', { name, query }, admin)).status).toBe(201);
      return rowsOf((await owner.client.get(callOf(name, { project: PROJECT }), reader)).json);
    };
    expect(await ask('compares', 'c.project = @project')).toEqual([{ took: 9 }]);
    expect(await ask('compares.nothing', "c.event_message = 'a'")).toEqual([{ took: 9, theirs: null }]);
  });
});

describe('logs.all', () => {
  const tables = async () => {
    const { json } = await owner.client.get('/api/endpoints/logs.all', admin);
    return [...String(Object(json).query).matchAll(/^(?:with )?(\w+) as \(/gm)].map(([, name]) => name);
  };

  it('keeps its nine tables, and gets another when it is told to', async () => {
    const before = await tables();
    expect(before.slice(0, 9)).toContain('pgbouncer_logs');
    expect((await create({ name: 'inside' })).status).toBe(201);
    expect(await tables()).toEqual(before);
    expect((await listed()).get('inside')).toMatchObject({ inLogsAll: false });
    const sql = 'select event_message from inside';
    const call = () => owner.client.get(callOf('logs.all', { project: PROJECT, sql }), reader);
    expect((await call()).status).toBe(400);
    for (const _ of [1, 2]) {
      const told = await create({ name: 'inside', in: 'logs.all' });
      expect([told.status, told.json]).toEqual([200, expect.objectContaining({ inLogsAll: true })]);
      expect(await tables()).toEqual([...before, 'inside']);
    }
    await send(
      owner.server.url,
      'inside',
      { event_message: 'mine' },
      { event_message: 'theirs', project: 'other' },
    );
    expect(rowsOf((await call()).json)).toEqual([{ event_message: 'mine' }]);
  });

  it('gets one of OpenTelemetry’s when it is told to', async () => {
    expect((await listed()).get('otel_traces')).toMatchObject({ state: 'built-in', inLogsAll: false });
    expect((await create({ name: 'otel_traces', in: 'logs.all' })).status).toBe(200);
    expect((await listed()).get('otel_traces')).toMatchObject({ state: 'built-in', inLogsAll: true });
  });

  it('has all of several that are added at once', async () => {
    const names = ['at_once_1', 'at_once_2', 'at_once_3'];
    const add = async (name: string): Promise<void> => {
      const { status } = await create({ name, in: 'logs.all' });
      // As the reply to a change that another came before asks for.
      if (status === 409) return add(name);
      expect(status).toBeLessThan(300);
    };
    await Promise.all(names.map(add));
    expect((await tables()).slice(-3).sort()).toEqual(names);
  });
});

describe('a ready choice', () => {
  it('is listed until it is added, and its fields are known before the first entry', async () => {
    expect((await listed()).get('auth_audit_logs')).toMatchObject({
      state: 'ready',
      description: 'The audit trail of sign-ins and accounts',
    });
    expect((await create({ name: 'auth_audit_logs' })).status).toBe(201);
    expect((await listed()).get('auth_audit_logs')).toMatchObject({ state: 'own' });
    const sql = `select e.action from auth_audit_logs cross join unnest(metadata) as m
      cross join unnest(m.auth_audit_event) as e`;
    expect((await owner.client.get(callOf('open', { sql }), reader)).json).toEqual({ result: [] });
  });

  it.each([
    ['supavisor_logs', 'm.region = m.peer_ip'],
    ['pg_upgrade_logs', "m.host = 'a'"],
    ['etl_replication_logs', 'pipeline_id = 42'],
  ])('%s has its own', async (name, condition) => {
    expect((await create({ name })).status).toBe(201);
    const sql = `select id from ${name} cross join unnest(metadata) as m where ${condition}`;
    expect((await owner.client.get(callOf('open', { sql }), reader)).json).toEqual({ result: [] });
  });
});

it('the projects with entries are listed with it, also by the node that does not own the logs', async () => {
  const session = await signIn(owner, { role: 'moderator', readsLogs: true });
  for (const by of [owner.client, client]) {
    const { status, text } = await by.get('/api/moderation/logs/projects', { cookie: session.cookie });
    expect([status, text]).toEqual([200, expect.stringContaining('"source":"audit_logs"')]);
  }
});

describe('what is refused', () => {
  it.each([
    '',
    'Audit',
    '1st',
    '_podium',
    'with-dash',
    'main.edge_logs',
    'a"; drop table edge_logs; --',
    'a'.repeat(64),
    'select',
    'unnest',
  ])('is the name %j', async (name) => {
    const { status, json } = await create({ name });
    expect([status, json]).toMatchObject([400, { errors: [{ field: 'name', rule: 'source' }] }]);
    expect((await listed()).has(name)).toBe(false);
  });

  it.each<[string, object]>([
    ['name', {}],
    ['name', { name: 7 }],
    ['in', { name: 'fine', in: 'usage.api-counts' }],
    ['note', { name: 'fine', note: 'a' }],
  ])('is a body that is wrong in %s, and nothing is added', async (field, body) => {
    expect(await create(body)).toMatchObject({ status: 400, json: { errors: [{ field }] } });
    expect((await listed()).has('fine')).toBe(false);
  });

  it('is a token without the scope admin', async () => {
    for (const token of [owner.tokens.query, owner.tokens.ingest])
      expect((await create({ name: 'fine' }, withToken(token))).status).toBe(403);
    expect((await owner.client.get('/api/logs/sources', reader)).status).toBe(403);
  });
});

describe('a quota for a source of one’s own', () => {
  it('holds once the source is there, and keeps a server from starting before', async () => {
    const dataDir = await newDataDir();
    const tokens = await issueTokens(dataDir);
    const env = { PODIUM_LOG_QUOTA: 'audit_logs=2' };
    await expect(startServer({ dataDir, env })).rejects.toThrow(
      'PODIUM_LOG_QUOTA names audit_logs, and there is no such source',
    );
    expect((await podiumOn(dataDir)('sources', 'create', 'audit_logs')).status).toBe(0);
    const server = await startServer({ dataDir, env });
    const statuses: number[] = [];
    for (const event_message of ['1', '2', '3']) {
      const sending = { token: tokens.ingest, source: 'audit_logs' };
      statuses.push((await sendLogs(server.url, { event_message, project: PROJECT }, sending)).status);
    }
    expect(statuses).toEqual([201, 201, 429]);
    await server.stop();
    await server.remove();
  });
});

describe('podium sources', () => {
  it('lists and adds them beside a running server, which takes entries at once', async () => {
    const podium = podiumOn(owner.server.dataDir);
    const created = await podium('sources', 'create', 'by_command', '--in', 'logs.all');
    expect([created.status, created.stdout.trim()]).toEqual([
      0,
      'source by_command takes entries, also in logs.all',
    ]);
    expect((await podium('sources', 'create', 'by_command')).stdout).toContain('was there already');
    expect((await send(node.url, 'by_command', { event_message: 'a' })).status).toBe(201);
    expect(await messages('by_command')).toEqual(['a']);
    const { stdout } = await podium('sources', 'list');
    expect(stdout).toMatch(/by_command +own +project +(?:true|yes)/);
    expect(stdout).toMatch(/function_logs +built-in +metadata\.project_ref/);
    const query = 'select event_message from by_command';
    expect((await podium('endpoints', 'create', 'own.source', '--query', query)).status).toBe(0);
    expect((await podium('sources', 'create', 'No')).status).not.toBe(0);
    expect((await podium('sources', 'create', 'fine', '--in', 'other')).status).not.toBe(0);
  });
});
