/**
 * Tenants that keep the log engine busy do not let another wait. Other tokens send five-fold cross joins, each up to its limit
 * and without a pause. Ten seconds later one token sends light queries, one after the other. Each is answered at most a
 * second later than on an idle store beside. PODIUM_TEST_LIGHT_QUERIES sets how many.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { MAX_CONCURRENT } from '../../src/logs/query/token-concurrency.js';
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

const LIGHT_QUERY = callOf('logs.all', {
  project: 'light',
  sql: 'select r.path, count(*) as requests from edge_logs cross join unnest(metadata) as m cross join unnest(m.request) as r group by 1',
});
const CROSS_JOIN = callOf('logs.all', {
  project: 'light',
  sql: 'select count(*) as n from edge_logs a, edge_logs b, edge_logs c, edge_logs d, edge_logs e where a.id < b.id or c.id < d.id or d.id < e.id',
});

/** Milliseconds until the answer. */
const timeOf = async ({ client, light }: Store): Promise<number> => {
  const began = performance.now();
  const { status, text } = await client.get(LIGHT_QUERY, withToken(light));
  if (status !== 200) throw new Error(`a light query was answered with ${status}: ${text}`);
  return performance.now() - began;
};

it.each([1, 8, 32])(
  'beside %i tokens that send cross joins, light queries wait for a second at most',
  async (tokens) => {
    const stop = new AbortController();
    const heavy = await Promise.all(Array.from({ length: tokens }, () => busy.api.token(['query'])));
    let answered = 0;
    const keepSending = async (token: string): Promise<void> => {
      while (!stop.signal.aborted) {
        const sent = fetch(`${busy.api.server.url}${CROSS_JOIN}`, {
          headers: withToken(token),
          signal: stop.signal,
        });
        await sent
          .then((reply) => reply.text())
          .then(
            () => answered++,
            () => undefined,
          );
      }
    };
    const underWay = heavy.flatMap((token) =>
      Array.from({ length: MAX_CONCURRENT }, () => keepSending(token)),
    );
    await pause(BEGUN_LATER_MS);
    const later: number[] = [];
    const times: number[] = [];
    const beside: number[] = [];
    for (let at = 0; at < LIGHT_QUERIES; at++) {
      const onIdle = await timeOf(idle);
      const onBusy = await timeOf(busy);
      later.push(Math.round(onBusy - onIdle));
      times.push(Math.round(onBusy));
      beside.push(Math.round(onIdle));
    }
    stop.abort();
    await Promise.all(underWay);
    const sorted = (list: number[]) => [...list].sort((a, b) => a - b);
    const line = (list: number[]) =>
      `median ${sorted(list)[list.length >> 1]} p90 ${sorted(list)[Math.floor(list.length * 0.9)]} max ${sorted(list).at(-1)}`;
    process.stderr.write(
      `${tokens} tokens: busy ${line(times)}; idle beside ${line(beside)}; answered heavy ${answered}\n`,
    );
    expect(Math.max(...later)).toBeLessThanOrEqual(AT_MOST_LATER_MS);
  },
);
