/** What a call costs at most: its time, and how many of them one token may have under way. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { MAX_CONCURRENT } from '../../../src/logs/query/running-queries.js';
import { Client, type Reply, refusalOf } from '../../support/client.js';
import { callOf, type EndpointApi, startEndpointApi, withToken } from '../../support/endpoint-api.js';

let api: EndpointApi;
/** Whose answers are not held against the document, since they are 504s. */
let client: Client;

/** Time for any machine to answer a small query, and to have all calls of a test under way at once. */
const SECONDS = '5';

beforeAll(async () => {
  api = await startEndpointApi({ PODIUM_LOG_QUERY_SECONDS: SECONDS });
  client = new Client(api.server.url);
  const entries = Array.from({ length: 1_000 }, (_, index) => ({
    event_message: `m${index}`,
    project: 'p1',
  }));
  await api.ingest(entries);
});
afterAll(async () => {
  client?.close();
  await api?.close();
});

/** Pairs of pairs of a thousand entries: more than any machine does in this time. */
const ENDLESS = `select count(*) as n from edge_logs as a cross join edge_logs as b cross join edge_logs as c
  cross join edge_logs as d where concat(a.event_message, b.event_message, c.event_message, d.event_message) = 'x'`;

const call = (sql: string, token: string): Promise<Reply> =>
  client.get(callOf('logs.all', { project: 'p1', sql }), withToken(token));

describe('a call', () => {
  it('that takes longer than it may is ended with 504, and the next is answered', async () => {
    const reply = await call(ENDLESS, api.tokens.query);
    expect(refusalOf(reply)).toBe('504 query-time');
    expect(reply.json).toMatchObject({ error: expect.any(String) });
    const next = await call('select count(*) as n from edge_logs', api.tokens.query);
    expect(next.json).toEqual({ result: [{ n: 1_000 }] });
  });

  it('is refused with 429 while its token has as many under way as it may, and other tokens are not', async () => {
    const token = await api.token(['query']);
    const other = await api.token(['query']);
    const many = Array.from({ length: MAX_CONCURRENT + 4 }, () => call(ENDLESS, token));
    const replies = await Promise.all(many);
    const refused = replies.filter(({ status }) => status === 429);
    expect(refused.length).toBeGreaterThanOrEqual(4);
    for (const reply of refused) {
      expect(refusalOf(reply)).toMatch(/^429 (too-many-queries|log-store-busy)$/);
      expect(Number(reply.headers['retry-after'])).toBeGreaterThan(0);
    }
    expect(refused.map(refusalOf)).toContain('429 too-many-queries');
    expect((await call('select 1 as one from edge_logs limit 1', other)).status).toBe(200);
    expect((await call('select 1 as one from edge_logs limit 1', token)).status).toBe(200);
  });
});
