/** Tails of the logs over real HTTP: their order, their filters, who may read what, and how they end. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type EndpointApi, startEndpointApi, withToken } from '../../support/endpoint-api.js';
import { TailReader } from '../../support/tail-reader.js';

let api: EndpointApi;
const open: TailReader[] = [];

beforeAll(async () => {
  api = await startEndpointApi();
});
afterAll(async () => {
  for (const reader of open) reader.close();
  await api?.close();
});

type Asked = Readonly<Record<string, string>>;

const pathOf = (asked: Asked): string => `/api/logs/tail?${new URLSearchParams(asked)}`;

const follow = async (
  asked: Asked,
  { token = api.tokens.query, ...headers }: Asked = {},
): Promise<TailReader> => {
  const reader = await TailReader.open(`${api.server.url}${pathOf(asked)}`, {
    ...withToken(token),
    ...headers,
  });
  open.push(reader);
  return reader;
};

const entry = (project: string, message: string, more: object = {}) => ({
  event_message: message,
  project,
  ...more,
});

const refused = async (asked: Asked, token = api.tokens.query) => {
  const { status, json } = await api.client.get(pathOf(asked), withToken(token));
  return { status, json };
};

describe('what a tail shows', () => {
  it('has new entries in the order of their acknowledgement, late ones when they come, repeated ones never', async () => {
    const project = 'order';
    await api.ingest([entry(project, 'before')]);
    const reader = await follow({ project });
    const id = randomUUID();
    await api.ingest([entry(project, 'a', { id }), entry(project, 'b')]);
    await api.ingest([entry(project, 'late', { timestamp: '2020-01-02T03:04:05Z' })]);
    await api.ingest([entry(project, 'repeated', { id }), entry(project, 'c', { metadata: { n: 1 } })]);
    await reader.until('entry', 4);
    expect(reader.messages).toEqual(['a', 'b', 'late', 'c']);
    expect(reader.of('entry')[3]).toMatchObject({ metadata: { n: 1 } });
    const positions = reader.events.map((event) => Number(event.id));
    expect(positions).toEqual([...positions].sort((one, other) => one - other));
    expect(new Set(positions).size).toBe(positions.length);
  });

  it('has the entries that a query with the same filter finds', async () => {
    const project = 'filters';
    const lql = '"match" m.level:error m.n:>2 s:event_message s:m.n@n';
    const reader = await follow({ project, lql });
    const other = await follow({ project, lql: '-m.level:error' });
    await api.ingest([
      entry(project, 'match 1', { metadata: { level: 'error', n: 1 } }),
      entry(project, 'match 3', { metadata: { level: 'error', n: 3 } }),
      entry(project, 'other 3', { metadata: { level: 'error', n: 3 } }),
      entry(project, 'match 4', { metadata: { level: 'info', n: 4 } }),
    ]);
    await other.until('entry');
    await reader.until('entry');
    expect(reader.of('entry')).toEqual([{ event_message: 'match 3', n: 3 }]);
    expect(other.messages).toEqual(['match 4']);
    const asked = new URLSearchParams({ project, lql });
    const { json } = await api.client.get(
      `/api/endpoints/query/logs.all?${asked}`,
      withToken(api.tokens.query),
    );
    expect(json).toEqual({ result: reader.of('entry') });
  });

  it('knows fields that entries have only since it began', async () => {
    const project = 'fields';
    const reader = await follow({ project, lql: 'm.fresh.deep:yes' });
    await api.ingest([
      entry(project, 'without'),
      entry(project, 'with', { metadata: { fresh: { deep: 'yes' } } }),
    ]);
    await reader.until('entry');
    expect(reader.messages).toEqual(['with']);
  });

  it('reads the source that is given, and the one that the filter names', async () => {
    const project = 'sources';
    const given = await follow({ project, source: 'otel_logs' });
    const named = await follow({ project, lql: 'f:otel_logs "second"' });
    const edge = await follow({ project });
    await api.ingest([entry(project, 'first'), entry(project, 'second')], 'otel_logs');
    await api.ingest([entry(project, 'of edge_logs')]);
    await given.until('entry', 2);
    await named.until('entry');
    await edge.until('entry');
    expect(given.messages).toEqual(['first', 'second']);
    expect(named.messages).toEqual(['second']);
    expect(edge.messages).toEqual(['of edge_logs']);
  });

  it('resumes after a position without a gap and without a double', async () => {
    const project = 'resumed';
    const before = await follow({ project });
    await api.ingest([entry(project, '0'), entry(project, '1')]);
    await before.until('entry', 2);
    const [, first] = before.events;
    before.close();
    // More than one page.
    const missed = Array.from({ length: 2_500 }, (_, index) => entry(project, `${index + 2}`));
    for (let from = 0; from < missed.length; from += 500) await api.ingest(missed.slice(from, from + 500));
    const after = await follow({ project, after: '1' }, { 'last-event-id': first?.id ?? '' });
    await api.ingest([entry(project, '2502')]);
    await after.until('entry', 2_502);
    expect(after.messages).toEqual(Array.from({ length: 2_502 }, (_, index) => `${index + 1}`));
    const again = await follow({ project, after: after.lastEventId });
    await api.ingest([entry(project, 'last')]);
    await again.until('entry');
    expect(again.messages).toEqual(['last']);
  });
});

describe('who may read what', () => {
  it('shows a tied token the entries of its project only', async () => {
    const [mine, other] = ['mine', 'other'];
    const token = await api.token(['query'], mine);
    const readers = [
      await follow({}, { token }),
      await follow({ project: mine }, { token }),
      await follow({ project: mine }),
    ];
    const storage = await follow({ source: 'storage_logs' }, { token });
    const all = await follow({ lql: '"who reads"' });
    await api.ingest([entry(other, 'who reads, of the other'), entry(mine, 'who reads, of mine')]);
    await api.ingest(
      [other, mine].map((project) => entry(project, `storage of ${project}`, { metadata: { project } })),
      'storage_logs',
    );
    await all.until('entry', 2);
    await storage.until('entry');
    for (const reader of readers) {
      await reader.until('entry');
      expect(reader.messages).toEqual(['who reads, of mine']);
    }
    expect(storage.messages).toEqual([`storage of ${mine}`]);
    expect(await refused({ project: other }, token)).toMatchObject({
      status: 403,
      json: { type: expect.stringMatching(/\/token-project$/) },
    });
  });

  it('needs the scope of logs.all', async () => {
    expect(await refused({}, api.tokens.ingest)).toMatchObject({ status: 403 });
    expect(await refused({}, 'podium_log_none')).toMatchObject({ status: 401 });
    const token = await api.token(['query:logs.all']);
    const reader = await follow({ project: 'scoped' }, { token });
    expect(reader.reply.headers.get('content-type')).toBe('text/event-stream; charset=utf-8');
  });

  it('redacts addresses as queries do', async () => {
    const project = 'redacted';
    const plain = await follow({ project });
    const redacted = await follow({ project }, { 'svc-endpoint-redact-pii': 'true' });
    await api.ingest([entry(project, 'from 203.0.113.7', { metadata: { ip: '203.0.113.8' } })]);
    for (const reader of [plain, redacted]) await reader.until('entry');
    expect(plain.messages).toEqual(['from 203.0.113.7']);
    expect(redacted.messages).toEqual(['from REDACTED']);
    expect(redacted.of('entry')[0]).toMatchObject({ metadata: { ip: 'REDACTED' } });
  });

  it('ends when logs.all begins to redact, for the client to come back', async () => {
    const redactPii = async (value: boolean): Promise<void> => {
      const headers = withToken(api.tokens.admin);
      const change = { method: 'PATCH', headers, body: { redactPii: value } };
      expect(await api.client.send('/api/endpoints/logs.all', change)).toMatchObject({ status: 200 });
    };
    const project = 'redacted later';
    const reader = await follow({ project });
    await redactPii(true);
    await reader.ended();
    expect(reader.of('ended')).toEqual([]);
    const again = await follow({ project });
    await api.ingest([entry(project, 'from 203.0.113.7')]);
    await again.until('entry');
    expect(again.messages).toEqual(['from REDACTED']);
    await redactPii(false);
  });

  it('ends when the token is revoked, and says so', async () => {
    const token = await api.token(['query']);
    const reader = await follow({ project: 'revoked' }, { token });
    await api.revoke(token);
    await reader.ended();
    expect(reader.of('ended')).toEqual([{ code: 'token-revoked', detail: 'the access token was revoked' }]);
  });

  it('ends when the server stops, and the client may come back', async () => {
    const other = await startEndpointApi();
    const url = `${other.server.url}${pathOf({ project: 'stopped' })}`;
    const reader = await TailReader.open(url, withToken(other.tokens.query));
    await other.close();
    await reader.ended();
    expect(reader.of('ended')).toEqual([]);
  });
});

describe('what is refused', () => {
  it.each([
    ['a time', 'm.level:error t:last@1h', 14],
    ['a time that is negated', '-timestamp:today', 0],
    ['an aggregate', 'c:count(*)', 2],
    ['a grouping', 'error c:group_by(t::minute)', 8],
  ])('%s, with its place', async (_, lql, offset) => {
    expect(await refused({ lql })).toMatchObject({
      status: 400,
      json: { type: expect.stringMatching(/\/lql-refused$/), position: { offset } },
    });
  });

  it('a filter that no query has either', async () => {
    expect(await refused({ lql: 'm.a:"open' })).toMatchObject({
      status: 400,
      json: { type: expect.stringMatching(/\/lql-syntax$/) },
    });
    expect(await refused({ lql: 'f:other_logs x' })).toMatchObject({ status: 400 });
  });

  it.each([
    ['source', 'nothing'],
    ['after', 'yesterday'],
    ['project', ''],
  ])('a wrong %s, by its name', async (field, value) => {
    expect(await refused({ [field]: value })).toMatchObject({
      status: 400,
      json: { errors: [{ field, message: expect.stringContaining(`${field} must be`) }] },
    });
  });
});
