/** Drains over HTTP: what arrives where, with whose rights, and what a receiver that is away changes for others. */
import { randomUUID } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Webhook } from 'standardwebhooks';
import type { DrainView } from '../../../src/logs/drains/drain-view.js';
import { done, podiumOn } from '../../support/cli.js';
import { type Reply, refusalOf } from '../../support/client.js';
import { type EndpointApi, startEndpointApi, withToken } from '../../support/endpoint-api.js';
import { type LocalObjectStore, startObjectStore } from '../../support/local-object-store.js';
import { type LocalReceiver, startReceiver } from '../../support/local-receiver.js';
import { ENTRY_TYPES, readParquet } from '../../support/parquet.js';
import { until } from '../../support/until.js';

const PATH = '/api/logs/drains';

let api: EndpointApi;
let receiver: LocalReceiver;
let bucket: LocalObjectStore;
let settings: Readonly<Record<string, string>>;
let project: string;

beforeAll(async () => {
  receiver = await startReceiver();
  bucket = await startObjectStore();
  settings = { PODIUM_ALERT_HOSTS: '127.0.0.1', ...bucket.settings };
  api = await startEndpointApi(settings);
});
afterAll(async () => {
  await api?.close();
  await receiver.close();
  await bucket.close();
});

beforeEach(() => {
  receiver.received.length = 0;
  receiver.statuses.length = 0;
  bucket.objects.clear();
  project = randomUUID();
});

const send = (method: string, path: string, body?: unknown, token = api.tokens.admin): Promise<Reply> =>
  api.client.send(path, { method, headers: withToken(token), ...(body !== undefined && { body }) });
const drainIn = ({ status, json }: Reply): DrainView => {
  if (status !== 200 && status !== 201) throw new Error(`${status} ${JSON.stringify(json)}`);
  return json as DrainView;
};
const fieldsOf = (change: object = {}): object => ({
  ...{ name: 'Archive', source: 'edge_logs', project },
  destination: { kind: 'http', url: `${receiver.url}/logs`, format: 'ndjson' },
  ...change,
});
const create = async (change: object = {}, token = api.tokens.admin): Promise<DrainView> =>
  drainIn(await send('POST', PATH, fieldsOf(change), token));
const get = async (id: string): Promise<DrainView> => drainIn(await send('GET', `${PATH}/${id}`));
const act = async (id: string, action: 'pause' | 'resume', token?: string): Promise<DrainView> =>
  drainIn(await send('POST', `${PATH}/${id}/${action}`, undefined, token));
const remove = async (id: string): Promise<void> => {
  expect((await send('DELETE', `${PATH}/${id}`)).status).toBe(204);
};
const entry = (event_message: string, metadata: object = {}) => ({ event_message, project, metadata });

const signedIn = (headers: IncomingHttpHeaders) =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]));
const messagesIn = (body: string): readonly string[] =>
  body
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line).event_message);
const arrived = () => receiver.received.flatMap(({ body }) => messagesIn(body));

const arrives = (count: number) =>
  until(
    async () => arrived(),
    ({ length }) => length >= count,
  );
const becomes = (id: string, isSo: (drain: DrainView) => boolean) => until(() => get(id), isSo);

describe('a drain', () => {
  it('sends on what arrives and matches, signed, with the ids that the entries have', async () => {
    await api.ingest([entry('before it was made')]);
    const drain = await create({ lql: 'm.level:error' });
    const id = randomUUID();
    await api.ingest([
      { ...entry('one', { level: 'error' }), id },
      entry('quiet', { level: 'info' }),
      { ...entry('of another', { level: 'error' }), project: 'another' },
    ]);
    await arrives(1);
    await api.ingest([entry('two', { level: 'error' })]);
    await arrives(2);
    expect(arrived()).toEqual(['one', 'two']);
    const [first] = receiver.received;
    const { secret } = drain.destination;
    if (!first || secret === null) throw new Error('a batch and a secret');
    const verify = (body: string) =>
      new Webhook(secret).verify(body, signedIn(first.headers), { jsonParse: false });
    expect(() => verify(first.body)).not.toThrow();
    expect(() => verify(`${first.body} `)).toThrow();
    expect(JSON.parse(first.body)).toMatchObject({ id, metadata: { level: 'error' } });
    expect(first.headers['webhook-id']).toMatch(new RegExp(`^drain_${drain.id}_\\d+_\\d+$`));
    const after = await becomes(drain.id, ({ sent }) => sent.entries === 2);
    expect(after).toMatchObject({
      state: 'running',
      skipped: 0,
      lastError: null,
      destination: { secret: null },
    });
    await remove(drain.id);
  });

  it('sends the same batch until the receiver takes it, delays no ingest meanwhile, and tells its state', async () => {
    const drain = await create();
    receiver.statuses.push(...Array.from({ length: 3 }, () => 503));
    await api.ingest([entry('one')]);
    const failing = await becomes(drain.id, ({ state }) => state === 'failing');
    expect(failing).toMatchObject({
      sent: { entries: 0 },
      lastError: { problem: 'the receiver answered 503' },
      nextAttemptAt: expect.any(String),
    });
    await api.ingest([entry('two')]);
    await arrives(5);
    expect(arrived()).toEqual(['one', 'one', 'one', 'one', 'two']);
    const ids = receiver.received.map(({ headers }) => headers['webhook-id']);
    expect(new Set(ids.slice(0, 4)).size).toBe(1);
    expect(ids[4]).not.toBe(ids[0]);
    await remove(drain.id);
  });

  it('stays where it is while it is paused, and goes on there', async () => {
    const drain = await create();
    expect((await act(drain.id, 'pause')).state).toBe('paused');
    await api.ingest([entry('while it was paused')]);
    const other = await create({ name: 'Other' });
    await api.ingest([entry('later')]);
    await becomes(other.id, ({ sent }) => sent.entries === 1);
    expect(arrived()).toEqual(['later']);
    expect((await get(drain.id)).lagSeconds).toBeGreaterThan(0);
    expect((await act(drain.id, 'resume')).state).toBe('running');
    await arrives(3);
    expect(arrived()).toEqual(['later', 'while it was paused', 'later']);
    for (const { id } of [drain, other]) await remove(id);
  });

  it('is changed, and goes on where it was with its secret', async () => {
    const drain = await create();
    await api.ingest([entry('one')]);
    await becomes(drain.id, ({ sent }) => sent.entries === 1);
    receiver.statuses.push(410);
    await api.ingest([entry('two')]);
    await becomes(drain.id, ({ state }) => state === 'stopped');
    await api.ingest([entry('while it had stopped'), entry('kept out')]);
    const destination = { kind: 'http', url: `${receiver.url}/other`, format: 'ndjson' };
    const change = { name: 'Renamed', lql: '-"kept out"', destination };
    const changed = drainIn(await send('PATCH', `${PATH}/${drain.id}`, change));
    expect(changed).toMatchObject({
      ...{ id: drain.id, name: 'Renamed', lql: '-"kept out"', source: 'edge_logs', project },
      ...{ state: 'running', sent: { entries: 1 }, createdAt: drain.createdAt, batchSeconds: 1 },
      destination: { url: `${receiver.url}/other`, secret: null },
    });
    await becomes(drain.id, ({ sent }) => sent.entries === 3);
    expect(arrived()).toEqual(['one', 'two', 'two', 'while it had stopped']);
    const last = receiver.received.at(-1);
    const { secret } = drain.destination;
    if (!last || secret === null) throw new Error('a batch and a secret');
    expect(last.url).toBe('/other');
    expect(() =>
      new Webhook(secret).verify(last.body, signedIn(last.headers), { jsonParse: false }),
    ).not.toThrow();
    const moved = await send('PATCH', `${PATH}/${drain.id}`, {
      destination: { kind: 'http', url: receiver.url },
    });
    expect(drainIn(moved).destination).toMatchObject({ url: receiver.url, format: 'ndjson' });
    await remove(drain.id);
  });

  it('becomes one of files and one of posts again, with a new secret', async () => {
    const drain = await create();
    await api.ingest([entry('posted')]);
    await becomes(drain.id, ({ sent }) => sent.entries === 1);
    const edit = async (body: object) => drainIn(await send('PATCH', `${PATH}/${drain.id}`, body));
    expect(await edit({ destination: { kind: 's3' } })).toMatchObject({
      destination: { kind: 's3', secret: null },
      sent: { entries: 1 },
    });
    await api.ingest([entry('in a file')]);
    await becomes(drain.id, ({ sent }) => sent.entries === 2);
    expect([bucket.objects.size, arrived()]).toEqual([1, ['posted']]);
    const { destination } = await edit({ destination: { kind: 'http', url: `${receiver.url}/` } });
    expect(destination.secret).toMatch(/^whsec_/);
    expect(destination.secret).not.toBe(drain.destination.secret);
    await remove(drain.id);
  });

  it('is changed by those who see it, to what they may read', async () => {
    const [mine, other] = [await api.token(['query'], project), await api.token(['query'], 'another')];
    const drain = await create({}, mine);
    const edit = (body: object, token: string) => send('PATCH', `${PATH}/${drain.id}`, body, token);
    expect(refusalOf(await edit({ name: 'Theirs' }, other))).toBe('404 drain-not-found');
    expect(refusalOf(await edit({ project: 'another' }, mine))).toBe('403 token-project');
    expect(refusalOf(await edit({ destination: { kind: 's3' } }, mine))).toBe('403 token-project');
    expect(refusalOf(await edit({ lql: 't:today' }, mine))).toBe('400 lql-refused');
    for (const body of [
      { nme: 'x' },
      { batchSeconds: 0 },
      { destination: null },
      { source: 'none' },
      { lql: 5 },
      {},
    ])
      expect(refusalOf(await edit(body, mine))).toBe('400 invalid-request');
    expect(drainIn(await edit({ name: 'Mine' }, mine))).toMatchObject({ name: 'Mine', project });
    const seen = { revision: drain.revision };
    expect(refusalOf(await edit({ name: 'Yours', ...seen }, mine))).toBe('409 drain-changed');
    // One who sees all gives it the entries of another project: it leaves those who see only this one.
    expect(drainIn(await edit({ project: 'another' }, api.tokens.admin))).toMatchObject({
      project: 'another',
    });
    expect(refusalOf(await edit({ name: 'Mine' }, mine))).toBe('404 drain-not-found');
    await remove(drain.id);
  });

  it('halves a batch that is too large for its receiver, and passes over one entry that is', async () => {
    const drain = await create();
    await act(drain.id, 'pause');
    const id = randomUUID();
    await api.ingest([entry('one'), { ...entry('large'), id }, entry('three'), entry('four')]);
    receiver.statuses.push(413, 413, 200, 413, 200);
    await act(drain.id, 'resume');
    const after = await becomes(drain.id, ({ sent }) => sent.entries === 3);
    expect(arrived()).toEqual([
      'one',
      'large',
      'three',
      'four',
      'one',
      'large',
      'one',
      'large',
      'three',
      'four',
    ]);
    expect(after).toMatchObject({
      ...{ state: 'running', tooLarge: 1, skipped: 0 },
      lastError: { problem: `the receiver answered 413 to the entry ${id} alone, which was passed over` },
    });
    await remove(drain.id);
  });

  it('writes Parquet files into the bucket, by source, date and hour', async () => {
    const drain = await create({ destination: { kind: 's3' }, batchSeconds: 1 });
    bucket.statuses.push(503);
    await api.ingest([entry('one', { level: 'error' }), entry('two')]);
    await becomes(drain.id, ({ sent }) => sent.entries === 2);
    const [[key, file] = ['', Buffer.alloc(0)], ...others] = bucket.objects;
    expect(others).toEqual([]);
    expect(key).toMatch(
      new RegExp(
        `^drain=${drain.id}/source=edge_logs/date=\\d{4}-\\d\\d-\\d\\d/hour=\\d\\d/\\d+-\\d+\\.parquet$`,
      ),
    );
    const { types, rows } = await readParquet(file);
    expect(types).toEqual(ENTRY_TYPES);
    expect(rows).toMatchObject([
      { event_message: 'one', metadata: '{"level":"error"}' },
      { event_message: 'two' },
    ]);
    await remove(drain.id);
  });

  it('is tested with an empty batch', async () => {
    const drain = await create();
    const test = await send('POST', `${PATH}/${drain.id}/test`);
    expect([test.status, test.json]).toEqual([200, { problem: null }]);
    expect(receiver.received.map(({ body }) => body)).toEqual(['']);
    receiver.statuses.push(500);
    const failed = await send('POST', `${PATH}/${drain.id}/test`);
    expect(failed.json).toEqual({ problem: 'the receiver answered 500' });
    await remove(drain.id);
  });
});

describe('the rights', () => {
  it('are those of its owner: a token that is tied to a project sends that project, and sees its drains alone', async () => {
    const tied = await api.token(['query'], project);
    const free = await create({ project: null, lql: 'nothing like it' });
    const own = await create({ project: null }, tied);
    expect(own.project).toBe(project);
    const listed = (await send('GET', PATH, undefined, tied)).json;
    expect(Object(listed).map(({ id }: DrainView) => id)).toEqual([own.id]);
    for (const [method, path] of [
      ['GET', free.id],
      ['DELETE', free.id],
      ['POST', `${free.id}/pause`],
      ['POST', `${free.id}/resume`],
      ['POST', `${free.id}/test`],
    ] as const)
      expect(refusalOf(await send(method, `${PATH}/${path}`, undefined, tied))).toBe('404 drain-not-found');
    const another = fieldsOf({ project: 'another' });
    expect(refusalOf(await send('POST', PATH, another, tied))).toBe('403 token-project');
    const files = fieldsOf({ destination: { kind: 's3' } });
    expect(refusalOf(await send('POST', PATH, files, tied))).toBe('403 token-project');
    await api.ingest([{ ...entry('theirs'), project: 'another' }, entry('mine')]);
    await arrives(1);
    expect(arrived()).toEqual(['mine']);
    // Who resumes it reads more, and the drain still sends this project alone.
    await act(own.id, 'resume');
    await api.ingest([{ ...entry('theirs'), project: 'another' }, entry('mine again')]);
    await arrives(2);
    expect(arrived()).toEqual(['mine', 'mine again']);
    for (const { id } of [free, own]) await remove(id);
  });

  it('end with the token: then it stops, says why, and goes on when it is resumed', async () => {
    const token = await api.token(['admin']);
    const drain = await create({}, token);
    await api.revoke(token);
    await api.ingest([entry('one')]);
    const stopped = await becomes(drain.id, ({ state }) => state === 'stopped');
    expect(stopped.lastError?.problem).toBe('the access token of its owner was revoked');
    expect(arrived()).toEqual([]);
    await act(drain.id, 'resume');
    await arrives(1);
    expect(arrived()).toEqual(['one']);
    await remove(drain.id);
  });

  it('to have drains of all projects are those of the scope admin', async () => {
    expect(refusalOf(await send('GET', PATH, undefined, api.tokens.query))).toBe('403 token-scope');
    expect(refusalOf(await send('POST', PATH, fieldsOf(), api.tokens.query))).toBe('403 token-scope');
  });
});

describe('a drain that cannot be', () => {
  it.each<[string, object, string]>([
    ['has no name', { name: ' ' }, 'name'],
    ['has a misspelt field', { batchSecond: 5 }, 'batchSecond'],
    ['is of no source', { source: 'edge_log' }, 'source'],
    ['waits too long', { batchSeconds: 901 }, 'batchSeconds'],
    ['has no destination', { destination: undefined }, 'destination'],
    [
      'has no kind of destination',
      { destination: { kind: 'kafka', url: 'https://logs.example/' } },
      'destination.kind',
    ],
    ['has no URL', { destination: { kind: 'http' } }, 'destination.url'],
    [
      'goes into this network',
      { destination: { kind: 'http', url: 'https://10.0.0.1/' } },
      'destination.url',
    ],
    ['names its bucket', { destination: { kind: 's3', url: 'https://s3.example/b' } }, 'destination.url'],
    ['sends entries without an id', { lql: 's:event_message' }, 'lql'],
  ])('%s', async (_, change, field) => {
    const reply = await send('POST', PATH, fieldsOf(change));
    expect(reply.status).toBe(400);
    expect(Object(reply.json).errors).toMatchObject([{ field }]);
  });

  it.each(['error t:last@5minutes', 'c:count(*)', 'm.level:'])('filters by %p', async (lql) => {
    expect((await send('POST', PATH, fieldsOf({ lql }))).status).toBe(400);
  });
});

it('is made, listed, paused, resumed, tested and removed by the command line', async () => {
  const podium = podiumOn(api.server.dataDir, settings);
  const asked = [
    '--source',
    'edge_logs',
    '--project',
    project,
    '--lql',
    'm.level:error',
    '--format',
    'ndjson',
  ];
  const created: DrainView = Object(
    await done(podium, 'drains', 'create', 'By the operator', ...asked, '--url', `${receiver.url}/cli`),
  );
  const { id, destination } = created;
  expect(destination).toMatchObject({ format: 'ndjson', secret: expect.stringMatching(/^whsec_/) });
  expect(await get(id)).toMatchObject({ owner: { kind: 'operator', id: null }, lql: 'm.level:error' });
  expect(await done(podium, 'drains', 'pause', id)).toMatchObject({ state: 'paused' });
  expect(await done(podium, 'drains', 'resume', id)).toMatchObject({ state: 'running' });
  expect(await done(podium, 'drains', 'test', id)).toEqual({ problem: null });
  expect((await podium('drains', 'list')).stdout).toContain('By the operator');
  expect(await done(podium, 'drains', 'show', id)).toMatchObject({ id, name: 'By the operator' });
  const edited = await done(podium, 'drains', 'edit', id, '--lql', 'm.level:error', '--redact-pii', 'on');
  expect(edited).toMatchObject({ id, name: 'By the operator', lql: 'm.level:error', redactPii: true });
  expect((await podium('drains', 'edit', id)).stderr).toBe(
    'podium: the change names no field: nothing would change but the owner\n',
  );
  expect((await podium('drains', 'update', id, '--format', 'json')).stderr).toContain(
    '--format goes with --url',
  );
  expect((await podium('drains', 'edit', id, '--project', 'p', '--all-projects')).stderr).toContain(
    'either --project or --all-projects',
  );
  await done(podium, 'drains', 'remove', id);
  expect(refusalOf(await send('GET', `${PATH}/${id}`))).toBe('404 drain-not-found');
  const both = await podium(
    'drains',
    'create',
    'Both',
    '--source',
    'edge_logs',
    '--s3',
    '--url',
    'https://a.example/',
  );
  expect(both.stderr).toContain('--url or --s3');
});
