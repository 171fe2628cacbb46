/** A query ends with the connection that asked for it: a query that no client waits for takes no turn of another. */
import { once } from 'node:events';
import { type ClientRequest, request } from 'node:http';
import { json } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { MAX_CONCURRENT } from '../../../src/logs/query/running-queries.js';
import { refusalOf } from '../../support/client.js';
import { callOf, type EndpointApi, startEndpointApi, withToken } from '../../support/endpoint-api.js';
import { until } from '../../support/until.js';

/** As logs.all, but its results are kept: a client that asks the same waits for the same query. */
const KEPT = {
  name: 'kept',
  query: `with edge_logs as (select id, timestamp, event_message, metadata from edge_logs where project = @project)
    select id from edge_logs`,
  cachingSeconds: 60,
};

let api: EndpointApi;

beforeAll(async () => {
  // Longer than a test may take: nothing here ends by its time.
  api = await startEndpointApi({ PODIUM_LOG_QUERY_SECONDS: '300' });
  await api.ingest(
    Array.from({ length: 1_000 }, (_, index) => ({ event_message: `m${index}`, project: 'p1' })),
  );
  await api.client.post('/api/endpoints', KEPT, withToken(api.tokens.admin));
});
afterAll(() => api?.close());

/** Pairs of pairs of a thousand entries, another query for each number. */
const endless = (
  number: number,
): string => `select count(*) as n from edge_logs as a cross join edge_logs as b
  cross join edge_logs as c cross join edge_logs as d
  where concat(a.event_message, b.event_message, c.event_message, d.event_message) = '${number}'`;

/** A call whose answer never comes, unless it is refused. */
const begin = (token: string, endpoint: string, number: number): ClientRequest => {
  const path = callOf(endpoint, { project: 'p1', sql: endless(number) });
  const call = request(new URL(path, api.server.url), { headers: withToken(token), agent: false });
  // That its connection is closed is what the test is about.
  call.on('error', () => undefined);
  return call.end();
};

const leave = (call: ClientRequest): Promise<void> =>
  new Promise((resolve) => {
    call.once('close', resolve).destroy();
  });

const statusOf = async (token: string): Promise<number> => {
  const sql = 'select 1 as one from edge_logs limit 1';
  return (await api.client.get(callOf('logs.all', { project: 'p1', sql }), withToken(token))).status;
};

interface Running {
  readonly id: string;
  readonly endpoint: string;
  readonly query: string;
}

const running = async (token: string): Promise<readonly Running[]> =>
  (await api.client.get('/api/logs/queries', withToken(token))).json as Running[];
const cancel = (token: string, id: string) =>
  api.client.send(`/api/logs/queries/${id}`, { method: 'DELETE', headers: withToken(token) });

describe('a running query', () => {
  it.each(['logs.all', 'kept'])(
    'of %s is listed to its tenant and to admins, and cancelled by id',
    async (endpoint) => {
      const token = await api.token(['query'], 'p1');
      const [other, admin] = [await api.token(['query'], 'p2'), api.tokens.admin];
      const call = begin(token, endpoint, 100);
      const response = once(call, 'response');
      const [seen] = await until(
        () => running(token),
        (queries) => queries.length === 1,
      );
      expect(seen).toEqual({
        id: expect.any(String),
        endpoint,
        language: 'sql',
        query: endless(100),
        startedAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
      });
      const id = seen?.id ?? '';
      expect(await running(other)).toEqual([]);
      expect(await running(admin)).toEqual([seen]);
      expect(refusalOf(await cancel(other, id))).toBe('404 query-not-found');
      expect((await cancel(token, id)).status).toBe(204);
      const [reply] = await response;
      expect(reply.statusCode).toBe(499);
      expect(await json(reply)).toMatchObject({ detail: 'The query was cancelled before it ended.' });
      await until(
        () => running(admin),
        (queries) => queries.length === 0,
      );
      expect(refusalOf(await cancel(admin, id))).toBe('404 query-not-found');
    },
  );

  it('is no concern of a token that may not query', async () => {
    for (const scopes of [['ingest'], ['query:kept']]) {
      const reply = await api.client.get('/api/logs/queries', withToken(await api.token(scopes)));
      expect(refusalOf(reply)).toBe('403 token-scope');
    }
    expect(refusalOf(await api.client.get('/api/logs/queries'))).toBe('401 token-missing');
  });
});

describe('a call whose client has gone', () => {
  it.each(['logs.all', 'kept'])('of %s is ended, and its turn is free again', async (endpoint) => {
    const token = await api.token(['query']);
    const calls = Array.from({ length: MAX_CONCURRENT + 1 }, (_, number) => begin(token, endpoint, number));
    // The one too many: all others are under way.
    const refused = await Promise.race(calls.map((call) => once(call, 'response')));
    expect(refused).toMatchObject([{ statusCode: 429 }]);
    await Promise.all(calls.map(leave));
    expect(
      await until(
        () => statusOf(token),
        (status) => status !== 429,
      ),
    ).toBe(200);
  });
});
