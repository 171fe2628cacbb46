/**
 * Tenants that keep the log engine busy do not let another wait. Other tokens send five-fold cross joins, each up to its limit
 * and without a pause. Ten seconds later one token sends light queries, one after the other. Each is answered, at most a
 * second later than on an idle store beside. PODIUM_TEST_LIGHT_QUERIES sets how many.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { MAX_CONCURRENT } from '../../src/logs/query/running-queries.js';
import { Client } from '../support/client.js';
import { callOf, type EndpointApi, startEndpointApi, withToken } from '../support/endpoint-api.js';

const LIGHT_QUERIES = Number(process.env.PODIUM_TEST_LIGHT_QUERIES ?? 10);
const BEGUN_LATER_MS = 10_000;
const AT_MOST_LATER_MS = 1_000;
const ENTRIES = 1_000;

interface Store {
  readonly api: EndpointApi;
  readonly client: Client;
  readonly light: string;
}

let busy: Store;
let idle: Store;

const openStore = async (): Promise<Store> => {
  const api = await startEndpointApi();
  const client = new Client(api.server.url);
  await api.ingest(
    Array.from({ length: ENTRIES }, (_, at) => ({
      event_message: `entry ${at}`,
      project: 'light',
      metadata: { request: { path: `/rest/v1/${at % 50}` }, response: { status_code: 200 + (at % 4) } },
    })),
  );
  return { api, client, light: await api.token(['query'], 'light') };
};

beforeAll(async () => {
  busy = await openStore();
  idle = await openStore();
});
afterAll(async () => {
  for (const store of [busy, idle]) {
    store?.client.close();
    await store?.api.close();
  }
});

const inLogsAll = (sql: string): string => callOf('logs.all', { project: 'light', sql });
const LIGHT_QUERY = inLogsAll(
  `select r.path, count(*) as requests from edge_logs
   cross join unnest(metadata) as m cross join unnest(m.request) as r group by 1`,
);
const CROSS_JOIN = inLogsAll(
  'select count(*) as n from edge_logs a, edge_logs b, edge_logs c, edge_logs d, edge_logs e',
);
/** Milliseconds until the answer. */
const timeOf = async ({ client, light }: Store): Promise<number> => {
  const began = performance.now();
  const { status, text } = await client.get(LIGHT_QUERY, withToken(light));
  if (status !== 200) throw new Error(`a light query was answered with ${status}: ${text}`);
  return performance.now() - began;
};

/** Sends cross joins with each token, up to its limit and without a pause. Returns a function that ends it. */
const keepBusy = async (tokens: number): Promise<() => Promise<unknown>> => {
  const stop = new AbortController();
  const { signal } = stop;
  const keepSending = async (headers: Readonly<Record<string, string>>): Promise<void> => {
    while (!signal.aborted)
      await fetch(`${busy.api.server.url}${CROSS_JOIN}`, { headers, signal }).then(
        (reply) => reply.text(),
        () => undefined,
      );
  };
  const loops: Promise<void>[] = [];
  for (let token = 0; token < tokens; token++) {
    const headers = withToken(await busy.api.token(['query']));
    for (let at = 0; at < MAX_CONCURRENT; at++) loops.push(keepSending(headers));
  }
  return () => {
    stop.abort();
    return Promise.allSettled(loops);
  };
};

it.each([1, 8, 32])(
  'beside %i tokens that send cross joins, a light query waits for a second at most',
  async (tokens) => {
    const end = await keepBusy(tokens);
    await pause(BEGUN_LATER_MS);
    const onBusy: number[] = [];
    const onIdle: number[] = [];
    for (let at = 0; at < LIGHT_QUERIES; at++) {
      onIdle.push(await timeOf(idle));
      onBusy.push(await timeOf(busy));
    }
    await end();
    // The idle store is on the same machine, and waits as long for its processors.
    expect(Math.max(...onBusy)).toBeLessThanOrEqual(Math.max(...onIdle) + AT_MOST_LATER_MS);
  },
);
