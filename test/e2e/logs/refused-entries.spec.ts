/** The entries that were refused in the last day, as admins, tenants and the command line list them. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { podiumOn } from '../../support/cli.js';
import { Client, type Reply, refusalOf } from '../../support/client.js';
import { type EndpointApi, startEndpointApi, withToken } from '../../support/endpoint-api.js';
import { issueTokens, sendLogs } from '../../support/log-api.js';
import { jsonPush } from '../../support/loki-pushes.js';
import { encodedExport, logsExport } from '../../support/otlp-exports.js';
import { newDataDir, startServer } from '../../support/server.js';
import { until } from '../../support/until.js';

let api: EndpointApi;
/** The project of this test's entries. */
let project: string;

beforeAll(async () => {
  api = await startEndpointApi();
});
afterAll(() => api?.close());
beforeEach(() => {
  project = randomUUID();
});

const pathOf = (query: Readonly<Record<string, string>>): string =>
  `/api/logs/refused?${new URLSearchParams(query)}`;
const list = (query: Readonly<Record<string, string>>, token = api.tokens.admin): Promise<Reply> =>
  api.client.get(pathOf(query), withToken(token));
const send = (body: unknown, token = api.tokens.ingest) =>
  sendLogs(api.server.url, body, { token, source: 'auth_logs' });

const entry = (message: string, more: object = {}) => ({ event_message: message, project, ...more });
const TOO_LONG = 'x'.repeat(65_537);

describe('the refused entries of a project', () => {
  it('have index, reason, time, source and their start without addresses; what was good is not among them', async () => {
    const before = new Date().toISOString();
    const bad = entry('from 203.0.113.9', { id: 7 });
    const sent = await send([entry('good'), entry(TOO_LONG), bad]);
    expect(sent.status).toBe(422);
    const { status, json } = await list({ project });
    const same = {
      ...{ entryId: expect.any(String), refusedAt: expect.any(String) },
      ...{ source: 'auth_logs', project },
    };
    expect([status, json]).toEqual([
      200,
      [
        {
          ...same,
          ...{ index: 2, place: '[2]', reason: '[2].id must be a UUID' },
          entry: JSON.stringify({ ...bad, event_message: 'from REDACTED' }),
        },
        {
          ...same,
          ...{ index: 1, place: '[1]' },
          reason: '[1].event_message must be text of at most 65536 characters',
          entry: expect.stringMatching(/^\{"event_message":"x{982}$/),
        },
      ],
    ]);
    const times = Object(json).map(({ refusedAt }: { readonly refusedAt: string }) => refusedAt);
    for (const time of times) expect(time >= before && time <= new Date().toISOString()).toBe(true);
  });

  it('come also from exports and pushes whose other entries were written', async () => {
    const bodies: readonly (readonly [string, string | Uint8Array])[] = [
      [
        '/loki/api/v1/push',
        jsonPush({
          labels: { project },
          lines: [
            [1n, 'good'],
            [2n, TOO_LONG],
          ],
        }),
      ],
      [
        '/v1/logs',
        encodedExport(
          { signal: 'logs', encoding: 'json' },
          logsExport(project, { body: { stringValue: TOO_LONG } }, { body: { stringValue: 'good' } }),
        ),
      ],
    ];
    for (const [path, body] of bodies)
      await fetch(api.server.url + path, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...withToken(api.tokens.ingest) },
        body: Buffer.from(body),
      });
    expect((await list({ project })).json).toMatchObject([
      { source: 'otel_logs', index: 0, place: 'resourceLogs[0].scopeLogs[0].logRecords[0]' },
      { source: 'otel_logs', index: 1, place: 'streams[0].values[1]' },
    ]);
    expect(await api.rows(`SELECT event_message FROM otel_logs WHERE project = '${project}'`)).toHaveLength(
      2,
    );
  });

  it('come in pages, the newest first, and of one source', async () => {
    await send([1, 2, 3].map((id) => entry('a', { id })));
    const first = await list({ project, source: 'auth_logs', limit: '2' });
    expect(first.json).toMatchObject([{ index: 2 }, { index: 1 }]);
    const next = /^<(.+)>; rel="next"$/.exec(String(first.headers.link))?.[1] ?? '';
    const second = await api.client.get(next, withToken(api.tokens.admin));
    expect(second.json).toMatchObject([{ index: 0 }]);
    expect(second.headers.link).toBeUndefined();
    expect((await list({ project, source: 'edge_logs' })).json).toEqual([]);
  });

  it('are at most 20 of one body', async () => {
    await send(Array.from({ length: 30 }, (_, id) => entry('a', { id })));
    expect((await list({ project })).json).toHaveLength(20);
  });
});

describe('a token', () => {
  it('that is tied to a project sees what belongs to it, and nothing of another', async () => {
    const [sender, reader] = [await api.token(['ingest'], project), await api.token(['query'], project)];
    const foreign = randomUUID();
    await send({ event_message: 'foreign', project: foreign }, sender);
    await send({ event_message: 'own', id: 1 }, sender);
    await send({ event_message: 'shared', id: 1, project });
    await send({ event_message: 'of another', id: 1, project: foreign });
    const messages = ({ json }: Reply): unknown =>
      Object(json).map(({ entry: text }: { readonly entry: string }) => JSON.parse(text).event_message);
    expect(messages(await list({ project: foreign }, reader))).toEqual(['shared', 'own', 'foreign']);
    expect(messages(await list({ project: foreign }))).toEqual(['of another']);
  });

  it.each<[string, () => Promise<string>, string]>([
    ['may only write', async () => api.tokens.tied, '403 token-scope'],
    ['queries, but is tied to no project', async () => api.tokens.query, '403 token-scope'],
    ['is none', async () => 'nope', '401 token-unknown'],
  ])('that %s sees none', async (_, token, refusal) => {
    expect(refusalOf(await list({}, await token()))).toBe(refusal);
  });

  it.each<[Record<string, string>, string]>([
    [{ limit: '0' }, 'limit'],
    [{ limit: '501' }, 'limit'],
    [{ source: 'No-pe' }, 'source'],
  ])('that asks for %j is told what it may ask for', async (query, field) => {
    const reply = await list(query);
    expect([reply.status, reply.json]).toMatchObject([400, { errors: [{ field }] }]);
  });
});

describe('podium logs refused', () => {
  it('lists them beside a running server', async () => {
    await send([entry('a'), entry('b', { id: 7 })]);
    const podium = podiumOn(api.server.dataDir);
    const read = async () => (await podium('logs', 'refused', '--project', project, '--json')).json();
    const found = await until(read, (items) => Object(items).length > 0);
    expect(found).toMatchObject([{ project, index: 1, reason: '[1].id must be a UUID' }]);
    const shown = await podium('logs', 'refused', '--project', project, '--source', 'auth_logs');
    expect(shown.stdout).toContain('[1].id must be a UUID');
    expect((await podium('logs', 'refused', '--source', 'No-pe')).status).not.toBe(0);
  });
});

it('a restart of the server keeps them', async () => {
  const dataDir = await newDataDir();
  const tokens = await issueTokens(dataDir);
  const before = await startServer({ dataDir });
  const sent = await sendLogs(before.url, [entry('a', { id: 7 })], { token: tokens.ingest });
  expect(sent.status).toBe(422);
  await before.stop();
  const after = await startServer({ dataDir });
  const client = new Client(after.url);
  const { json } = await client.get(pathOf({ project }), withToken(tokens.admin));
  client.close();
  await after.stop();
  await after.remove();
  expect(json).toMatchObject([{ project, source: 'edge_logs', index: 0 }]);
});
