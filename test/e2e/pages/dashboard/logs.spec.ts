/** Logs over HTTP for signed-in users: queries, saved endpoints, tokens, and what each account may not do. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { IssueToken } from '../../../../src/logs/tokens/token.commands.js';
import { type Api, startApi } from '../../../support/api.js';
import { CONTEXT } from '../../../support/api-world.js';
import { podiumOn } from '../../../support/cli.js';
import { refusalOf } from '../../../support/client.js';
import { type SignedInClient, signIn } from '../../../support/dashboard.js';
import { callOf, rowsOf, withToken } from '../../../support/endpoint-api.js';
import { sendLogs } from '../../../support/log-api.js';

const TOKENS = '/api/moderation/logs/tokens';
const FIRST = { project: 'todo-app', event_message: 'from 203.0.113.9' };

let api: Api;
let reader: SignedInClient;
let others: readonly SignedInClient[];

const issue = async (scopes: readonly string[], project: string | null = null): Promise<string> =>
  (await api.commands.execute(new IssueToken({ name: 'test', scopes, project }, CONTEXT))).token;

beforeAll(async () => {
  api = await startApi();
  reader = await signIn(api, { role: 'moderator', readsLogs: true });
  others = [await signIn(api, { role: 'moderator' }), await signIn(api, { role: 'admin' })];
  const token = await issue(['ingest']);
  const entries = [
    {
      ...FIRST,
      metadata: { request: { path: '/rest/v1' }, response: { status_code: 200 }, shelf: { row: 7 } },
    },
    { ...FIRST, metadata: { request: { path: '/auth/v1' }, response: { status_code: 500 } } },
  ];
  const sent = await sendLogs(api.server.url, entries, { token });
  if (sent.status !== 201) throw new Error(JSON.stringify(sent.json));
});
afterAll(() => api?.close());

describe('the refused entries', () => {
  it('are those of all projects for an account that reads logs, and hidden from others', async () => {
    const token = await issue(['ingest'], 'todo-app');
    const sent = await sendLogs(api.server.url, [{ ...FIRST, id: 7 }], { token });
    expect(sent.status).toBe(422);
    const listed = await reader.get('/api/logs/refused?project=todo-app');
    expect([listed.status, listed.json]).toMatchObject([200, [{ project: 'todo-app', index: 0 }]]);
    for (const other of others)
      expect(refusalOf(await other.get('/api/logs/refused'))).toBe(
        refusalOf(await other.get('/api/logs/queries')),
      );
    expect((await others[0]?.get('/api/logs/refused'))?.status).toBe(403);
  });
});

describe('a query', () => {
  it('runs for an account that reads logs, by GET and by POST, over all projects', async () => {
    const lql = 'm.response.status_code:>=500 s:m.request.path';
    const got = await reader.get(callOf('logs.all', { project: 'todo-app', lql }));
    expect(rowsOf(got.json)).toEqual([{ path: '/auth/v1' }]);
    const posted = await reader.send('POST', '/api/endpoints/query/logs.all', { project: 'todo-app', lql });
    expect(posted.json).toEqual(got.json);
  });

  it('is redacted where it asks for it', async () => {
    const path = callOf('logs.all', {
      project: 'todo-app',
      sql: 'select event_message from edge_logs limit 1',
    });
    expect(rowsOf((await reader.get(path)).json)).toEqual([{ event_message: 'from 203.0.113.9' }]);
    const redacted = await reader.get(path, { 'svc-endpoint-redact-pii': 'true' });
    expect(rowsOf(redacted.json)).toEqual([{ event_message: 'from REDACTED' }]);
  });

  it('is confined to the tables of the endpoint, as a token’s is, and points at its fault', async () => {
    const asked = { project: 'todo-app', sql: 'select id\nfrom secrets' };
    const reply = await reader.send('POST', '/api/endpoints/query/logs.all', asked);
    expect(refusalOf(reply)).toBe('400 sql-refused');
    expect(reply.json).toMatchObject({ position: { line: 2, column: 6 } });
  });

  it('is refused to other accounts, without a session, and to another site', async () => {
    for (const account of others)
      expect(refusalOf(await account.get(callOf('logs.all')))).toBe('403 account-not-allowed');
    expect(refusalOf(await api.client.get(callOf('logs.all')))).toBe('401 token-missing');
    const foreign = { origin: 'https://elsewhere.example', 'sec-fetch-site': 'cross-site' };
    expect(refusalOf(await reader.send('POST', '/api/endpoints/query/logs.all', {}, foreign))).toBe(
      '403 cross-site',
    );
  });

  it('with a token counts for the token, also where a user is signed in', async () => {
    const tied = await issue(['query'], 'elsewhere');
    const reply = await reader.get(callOf('logs.all', { project: 'todo-app' }), withToken(tied));
    expect(rowsOf(reply.json)).toEqual([]);
  });
});

describe('the outline of an endpoint', () => {
  it('names its parameters, its tables with all fields seen, and the functions', async () => {
    const { json } = await reader.get('/api/endpoints/query/logs.all/outline');
    expect(json).toMatchObject({ name: 'logs.all', reads: 'edge_logs' });
    const { parameters, tables, functions } = json as {
      readonly parameters: readonly object[];
      readonly tables: readonly { readonly name: string; readonly columns: readonly object[] }[];
      readonly functions: readonly string[];
    };
    expect(parameters).toContainEqual({ name: 'iso_timestamp_start', use: 'timestamp', among: [] });
    expect(tables).toHaveLength(9);
    expect(JSON.stringify(tables[0])).toContain('{"name":"row","type":"integer","fields":[]}');
    expect(functions).toEqual(expect.arrayContaining(['timestamp_trunc', 'countif', 'row_number', 'if']));
  });

  it('says what a choice is among', async () => {
    const { json } = await reader.get('/api/endpoints/query/usage.api-counts/outline');
    const among = ['hourly', 'daily', 'minutely'];
    expect(json).toMatchObject({
      parameters: expect.arrayContaining([
        { name: 'interval', use: 'choice', among: expect.arrayContaining(among) },
      ]),
    });
  });

  it('tells a token that is tied to a project nothing of fields that others have', async () => {
    const tied = await issue(['query'], 'elsewhere');
    const { text } = await api.client.get('/api/endpoints/query/logs.all/outline', withToken(tied));
    expect(text).toContain('status_code');
    expect(text).not.toContain('shelf');
  });

  it('is refused to a token without the scope, and of an endpoint that there is none', async () => {
    const token = await issue(['ingest']);
    const refused = await api.client.get('/api/endpoints/query/logs.all/outline', withToken(token));
    expect(refusalOf(refused)).toBe('403 token-scope');
    expect(refusalOf(await reader.get('/api/endpoints/query/nothing/outline'))).toBe(
      '404 endpoint-not-found',
    );
  });
});

describe('the projects with entries', () => {
  const PROJECTS = '/api/moderation/logs/projects';

  it('are listed with how many there are and from when, in each source', async () => {
    const token = await issue(['ingest']);
    const entries = [
      { metadata: { project_ref: 'by-metadata' }, event_message: 'a', timestamp: '2026-03-10T06:00:00Z' },
      { metadata: { project_ref: 'by-metadata' }, event_message: 'b', timestamp: '2026-03-17T14:47:02.5Z' },
      { metadata: {}, event_message: 'of no project' },
    ];
    const sent = await sendLogs(api.server.url, entries, { token, source: 'function_logs' });
    expect(sent.status).toBe(201);
    const { json } = await reader.get(PROJECTS);
    const newest = '2026-03-17T14:47:02.500000Z';
    expect(json).toContainEqual({
      ...{ project: 'by-metadata', entries: 2, newest },
      sources: [{ source: 'function_logs', entries: 2, newest }],
    });
    expect(json).toMatchObject(
      expect.arrayContaining([
        expect.objectContaining({
          ...{ project: 'todo-app', entries: 2 },
          sources: [expect.objectContaining({ source: 'edge_logs', entries: 2 })],
        }),
      ]),
    );
  });

  it('are refused to other accounts', async () => {
    for (const account of others)
      expect(refusalOf(await account.get(PROJECTS))).toBe('403 account-not-allowed');
    expect(refusalOf(await api.client.get(PROJECTS))).toBe('401 session-missing');
  });
});

describe('a check', () => {
  const check = (body: object) => reader.send('POST', '/api/endpoints/query/logs.all/check', body);

  it('says whether a query of one’s own could run, and where not', async () => {
    expect((await check({ sql: 'select id from auth_logs' })).json).toEqual({ fault: null });
    expect((await check({ lql: 'm.request.path:/rest t:last@1hour' })).json).toEqual({ fault: null });
    const wrong = await check({ lql: 'error t:last@5fortnights' });
    expect(wrong.json).toMatchObject({ fault: { code: 'lql-syntax', position: { offset: 14 } } });
    expect(refusalOf(await check({}))).toBe('400 invalid-request');
  });

  it('says what a query would offer before it is stored', async () => {
    const query =
      'with mine as (select timestamp from edge_logs where project = @project) select * from mine';
    const good = await reader.send('POST', '/api/endpoints/check', { query });
    const outline = { parameters: [{ name: 'project' }], tables: [{ name: 'mine' }], reads: 'mine' };
    expect(good.json).toMatchObject({ fault: null, outline });
    const bad = await reader.send('POST', '/api/endpoints/check', { query: 'select nothing from edge_logs' });
    expect(bad.json).toMatchObject({
      fault: { code: 'sql-refused', position: { offset: 7 } },
      outline: null,
    });
  });

  it('is refused to other accounts', async () => {
    for (const account of others) {
      const path = '/api/endpoints/query/logs.all/check';
      expect(refusalOf(await account.send('POST', path, { lql: 'x' }))).toBe('403 account-not-allowed');
      const stored = await account.send('POST', '/api/endpoints/check', { query: 'select 1' });
      expect(refusalOf(stored)).toBe('403 account-not-allowed');
    }
  });
});

describe('saved endpoints', () => {
  it('are made, changed and removed, each version with who made it', async () => {
    const config = { name: 'mine.errors', query: 'select id from edge_logs', maxRows: 5 };
    const made = await reader.send('POST', '/api/endpoints', config);
    expect(made.status).toBe(201);
    expect(made.headers['podium-position']).toBeDefined();
    const changed = await reader.send('PATCH', '/api/endpoints/mine.errors', { maxRows: 6, redactPii: true });
    expect(changed.json).toMatchObject({ version: 2, maxRows: 6 });
    const { json } = await reader.get('/api/endpoints/mine.errors/versions');
    const { accountId } = reader;
    expect(json).toMatchObject([
      { version: 2, maxRows: 6, actor: 'moderator', accountId, keyId: null },
      { version: 1, maxRows: 5, actor: 'moderator', accountId },
    ]);
    expect((await reader.send('DELETE', '/api/endpoints/mine.errors')).status).toBe(204);
    expect(refusalOf(await reader.get('/api/endpoints/mine.errors/versions'))).toBe('404 endpoint-not-found');
  });

  it('are for other accounts neither to see nor to change', async () => {
    for (const account of others) {
      expect(refusalOf(await account.get('/api/endpoints'))).toBe('403 account-not-allowed');
      expect(refusalOf(await account.send('POST', '/api/endpoints', { name: 'x', query: 'x' }))).toBe(
        '403 account-not-allowed',
      );
      expect(refusalOf(await account.send('DELETE', '/api/endpoints/logs.all'))).toBe(
        '403 account-not-allowed',
      );
    }
    const bare = await api.client.send('/api/endpoints/logs.all', {
      method: 'DELETE',
      headers: { cookie: reader.cookie },
    });
    expect(refusalOf(bare)).toBe('403 cross-site');
  });
});

describe('tokens', () => {
  it('are issued, shown once, used, listed with their use, and revoked', async () => {
    const wanted = { name: 'Board', scopes: ['query:logs.all', 'ingest'], project: 'todo-app' };
    const issued = await reader.send('POST', TOKENS, wanted);
    expect(issued.status).toBe(201);
    const { token, tokenId } = issued.json as { readonly token: string; readonly tokenId: string };
    const call = callOf('logs.all', { project: 'todo-app' });
    expect((await api.client.get(call, withToken(token))).status).toBe(200);
    const listed = await reader.get(TOKENS);
    expect(listed.text).not.toContain(token);
    expect(listed.json).toContainEqual(
      expect.objectContaining({ tokenId, name: 'Board', project: 'todo-app', state: 'active' }),
    );
    expect((await reader.send('DELETE', `${TOKENS}/${tokenId}`)).status).toBe(204);
    expect(refusalOf(await api.client.get(call, withToken(token)))).toBe('401 token-revoked');
    expect((await reader.get(TOKENS)).json).toContainEqual(
      expect.objectContaining({ tokenId, state: 'revoked' }),
    );
  });

  it.each([
    [{ scopes: ['query'] }, '400 invalid-request'],
    [{ name: 'x', scopes: ['everything'] }, '400 invalid-request'],
    [{ name: 'x', scopes: [] }, '400 invalid-request'],
    [{ name: 'x', scopes: ['admin'], project: 'p' }, '400 invalid-request'],
    [{ name: 'x', scopes: ['query:nothing'] }, '404 endpoint-not-found'],
  ])('as %j are refused with %s', async (wanted, code) => {
    expect(refusalOf(await reader.send('POST', TOKENS, wanted))).toBe(code);
  });

  it('are not for an account that may only read the logs', async () => {
    const only = await signIn(api, { role: 'moderator', readsLogs: true, managesTokens: false });
    expect((await only.get('/api/endpoints')).status).toBe(200);
    const wanted = { name: 'Left behind', scopes: ['admin', 'ingest'] };
    for (const refused of [
      await only.send('POST', TOKENS, wanted),
      await only.get(TOKENS),
      await only.send('DELETE', `${TOKENS}/nothing`),
    ])
      expect(refusalOf(refused)).toBe('403 account-not-allowed');
  });

  it('name their maker, and end with the account that made them', async () => {
    const admin = await signIn(api, { role: 'admin' });
    const maker = await signIn(api, { role: 'moderator', readsLogs: true, name: 'Max Maker' });
    const wanted = { name: 'Its own', scopes: ['admin'] };
    const issued = (await maker.send('POST', TOKENS, wanted)).json as { token: string; tokenId: string };
    const fromLine = await issue(['ingest']);
    const { token, tokenId } = issued;
    const listed = async () => (await reader.get(TOKENS)).json;
    expect(await listed()).toContainEqual(
      expect.objectContaining({ tokenId, madeBy: { accountId: maker.accountId, name: 'Max Maker' } }),
    );
    expect(await listed()).toContainEqual(expect.objectContaining({ madeBy: null, state: 'active' }));
    expect((await api.client.get('/api/endpoints', withToken(token))).status).toBe(200);
    const removed = await admin.send('DELETE', `/api/moderation/users/${maker.accountId}`);
    expect(removed.status).toBe(204);
    expect(refusalOf(await api.client.get('/api/endpoints', withToken(token)))).toBe('401 token-revoked');
    expect(await listed()).toContainEqual(
      expect.objectContaining({
        ...{ tokenId, state: 'revoked', madeBy: { accountId: maker.accountId, name: null } },
      }),
    );
    // Those of others and of the command line go on.
    const sent = await sendLogs(api.server.url, [FIRST], { token: fromLine });
    expect(sent.status).toBe(201);
  });

  it('go on with the account that they are handed over to', async () => {
    const admin = await signIn(api, { role: 'admin', readsLogs: true, managesTokens: true });
    const maker = await signIn(api, { role: 'moderator', readsLogs: true, managesTokens: true });
    const heir = await signIn(api, { role: 'moderator', readsLogs: true, managesTokens: true, name: 'Ida' });
    const wanted = { name: 'Kept', scopes: ['admin'] };
    const { token, tokenId } = Object((await maker.send('POST', TOKENS, wanted)).json);
    const remove = (who: { accountId: string }, by: SignedInClient, to: { accountId: string }) =>
      by.send('DELETE', `/api/moderation/users/${who.accountId}?handTokensTo=${to.accountId}`);
    const without = await signIn(api, { role: 'admin' });
    expect(refusalOf(await remove(maker, without, heir))).toBe('403 account-not-allowed');
    expect(refusalOf(await remove(maker, admin, without))).toBe('400 invalid-request');
    expect(refusalOf(await remove(maker, admin, maker))).toBe('400 invalid-request');
    expect(refusalOf(await remove(maker, admin, { accountId: 'nobody' }))).toBe('404 account-not-found');
    expect((await maker.get('/api/session')).status).toBe(200);
    expect((await remove(maker, admin, heir)).status).toBe(204);
    expect((await api.client.get('/api/endpoints', withToken(token))).status).toBe(200);
    expect((await reader.get(TOKENS)).json).toContainEqual(
      expect.objectContaining({
        tokenId,
        state: 'active',
        madeBy: { accountId: maker.accountId, name: null },
        handedTo: { accountId: heir.accountId, name: 'Ida' },
      }),
    );
    const audit = await admin.get('/api/moderation/audit?action=token-handed-over');
    expect(audit.json).toMatchObject([
      { accountId: admin.accountId, subject: tokenId, details: [`to=${heir.accountId}`] },
    ]);
    const podium = podiumOn(api.server.dataDir);
    const listed = await podium('tokens', 'list');
    expect(listed.stdout).toMatch(new RegExp(`${tokenId}.*Ida`));
    const other = await podium('users', 'remove', heir.email, '--hand-tokens-to', admin.email);
    expect(other).toMatchObject({ status: 0 });
    expect((await api.client.get('/api/endpoints', withToken(token))).status).toBe(200);
    expect((await podium('users', 'remove', admin.email)).status).toBe(0);
    expect(refusalOf(await api.client.get('/api/endpoints', withToken(token)))).toBe('401 token-revoked');
  });

  it('are neither shown to other accounts nor made by a token', async () => {
    for (const account of others)
      expect(refusalOf(await account.get(TOKENS))).toBe('403 account-not-allowed');
    const admin = withToken(await issue(['admin']));
    expect(refusalOf(await api.client.get(TOKENS, admin))).toBe('401 session-missing');
    expect(refusalOf(await reader.send('DELETE', `${TOKENS}/nothing`))).toBe('404 token-not-found');
  });
});
