/** A store that answers nothing: commands, early and routed, and reads are answered 503 in their time, and the server goes on. */
import { afterAll, afterEach, describe, expect, it } from '@jest/globals';
import { type Api, startApi } from '../../support/api.js';
import { CONTEST } from '../../support/api-world.js';
import { sendAttempt } from '../../support/attempts.js';
import { startEsdbTestServer } from '../../support/eventstoredb/engine.js';
import { Lateness } from '../../support/lateness.js';
import { TcpProxy } from '../../support/tcp-proxy.js';

/** The promise. Without it, the store's own time-out of a minute counts. */
const ANSWERED_WITHIN_MS = 10_000;

const lateness = new Lateness();
afterAll(() => lateness.stop());

const undo: (() => unknown)[] = [];
afterEach(async () => {
  for (const step of undo.splice(0).reverse()) await step();
});

const apiBehindProxy = async (): Promise<{ api: Api; proxy: TcpProxy }> => {
  const engine = await startEsdbTestServer();
  undo.push(() => engine.stop());
  const proxy = await TcpProxy.start(Number(new URL(engine.url).port));
  undo.push(() => proxy.close());
  const patient = 'defaultDeadline=60000&keepAliveInterval=60000&keepAliveTimeout=60000';
  const env = { EVENT_STORE_URL: `esdb://127.0.0.1:${proxy.port}?tls=false&${patient}` };
  const api = await startApi({}, async () => ({
    boundMs: 0,
    env,
    links: [],
    engines: [],
    dispose: async () => undefined,
  }));
  undo.push(() => {
    proxy.resume();
    return api.close();
  });
  return { api, proxy };
};

describe('while the event store answers nothing', () => {
  it('an attempt on either way is answered in time, and goes in when it is sent again', async () => {
    const { api, proxy } = await apiBehindProxy();
    const { client, world } = api;
    const [personId] = world.personIds;
    const attempt = { personId, attemptResult: 1_500 };
    const results = [{ personId: world.personIds[1], attempts: [{ result: 1_600 }] }];
    const body = { competitionId: CONTEST, eventId: '333', roundNumber: 1, results };
    const early = () => sendAttempt(client, world.keys.good, attempt);
    const routed = () => client.post('/api/enter-results', body, { 'x-api-key': world.keys.good });
    proxy.stall();
    const { result: replies, ms } = await lateness.timed(() => Promise.all([early(), routed()]));
    expect(ms).toBeLessThan(ANSWERED_WITHIN_MS);
    expect(replies.map(({ status }) => status)).toEqual([503, 503]);
    for (const { json, headers } of replies) {
      expect(json).toMatchObject({
        type: '/api/docs/problems/unavailable',
        detail: expect.stringContaining('it waited for the event store. It may still be done.'),
      });
      expect(headers['retry-after']).toBe('1');
    }
    proxy.resume();
    expect([(await early()).status, (await routed()).status]).toEqual([201, 201]);
  });
});
