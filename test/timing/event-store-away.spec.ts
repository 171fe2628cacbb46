/**
 * A server under load whose EventStoreDB is killed, shut down, cut off, replaced by another leader, and whose deliveries come
 * late and more than once. Commands are answered 503 with Retry-After meanwhile, reads go on, everything catches up by
 * itself, and afterwards nothing acknowledged is missing and every read is that of a replay. The outages last 30 seconds,
 * or as long as PODIUM_TEST_OUTAGE_SECONDS says.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { notRunOn } from '../support/engines.js';
import { EntryLoad } from '../support/entry-load.js';
import { EsdbTestCluster } from '../support/eventstoredb/cluster.js';
import { startEsdbTestServer, type TestServerEngine } from '../support/eventstoredb/engine.js';
import { EsdbServerProcess } from '../support/eventstoredb/server-process.js';

const SECONDS = Number(process.env.PODIUM_TEST_OUTAGE_SECONDS ?? 30);
const LONG = 300_000 + SECONDS * 4_000;
/** After an outage, entries have to go on this soon: tries that are made ever more seldom would take about as long as it was. */
const SOON_MS = Math.max(10_000, (SECONDS * 1_000) / 2);

const started: { readonly stop: () => Promise<void> }[] = [];

/** It ends before the store that it is on. */
const startLoad = async (url: string): Promise<EntryLoad> => {
  const load = await EntryLoad.start({ EVENT_STORE_URL: url });
  started.unshift({ stop: () => load.end() });
  return load;
};

beforeAll(() => {
  if (SECONDS >= 30) return;
  notRunOn({
    port: 'EventStore',
    engine: 'the test server',
    what: 'an outage of 30 seconds',
    why: `PODIUM_TEST_OUTAGE_SECONDS made them ${SECONDS} seconds`,
  });
});
afterEach(async () => {
  for (const { stop } of started.splice(0)) await stop();
});

const expectAllIsWell = async (load: EntryLoad): Promise<void> => {
  const { faults, live, replayed } = await load.verdict();
  expect(faults).toEqual([]);
  expect(live).toEqual(replayed);
  expect(live.get('contest load/Load2024')).toContain('"best":');
};

const readsGoOn = async (load: EntryLoad): Promise<void> => {
  const { status, text } = await load.ranking();
  expect(status).toBe(200);
  expect(text).toContain('"ranking":1');
};

/** Reads and turns devices away as long as the outage lasts, from now on. */
const lastOut = async (load: EntryLoad): Promise<void> => {
  const over = performance.now() + SECONDS * 1_000;
  while (performance.now() < over) {
    await readsGoOn(load);
    await load.refusals(1);
    await pause(50);
  }
};

const expectEntriesSoon = async (load: EntryLoad): Promise<void> => {
  const back = performance.now();
  await load.progress(1);
  expect(performance.now() - back).toBeLessThan(SOON_MS);
  await load.progress(10);
};

describe('an event store of a process of its own', () => {
  const SIGNALS = ['SIGKILL', 'SIGTERM'] as const;
  const loadOn = async () => {
    const store = await EsdbServerProcess.start();
    started.push({ stop: () => store.remove() });
    const load = await startLoad(store.url);
    await load.progress(20);
    return { store, load };
  };

  it(
    `that is ended by ${SIGNALS.join(', or one by ')}, and comes back has lost nothing`,
    async () => {
      const loads = { SIGKILL: await loadOn(), SIGTERM: await loadOn() };
      // Both are away at once: an outage is a long wait.
      await Promise.all(
        SIGNALS.map(async (signal) => {
          const { store, load } = loads[signal];
          await store.end(signal);
          await lastOut(load);
        }),
      );
      for (const { store, load } of Object.values(loads)) {
        await store.start();
        await expectEntriesSoon(load);
        await expectAllIsWell(load);
      }
    },
    LONG,
  );
});

describe('an event store', () => {
  const startOn = async (): Promise<TestServerEngine & { readonly load: EntryLoad }> => {
    const engine = await startEsdbTestServer();
    started.push(engine);
    const load = await startLoad(engine.url);
    await load.progress(10);
    return { ...engine, load };
  };

  it(
    'whose connections break again and again loses nothing',
    async () => {
      const { server, load } = await startOn();
      for (let times = 0; times < 15; times += 1) {
        server.network.dropConnections();
        await load.progress(3);
      }
      await readsGoOn(load);
      await expectAllIsWell(load);
    },
    LONG,
  );

  it(
    'that takes everything and answers nothing for a while loses nothing',
    async () => {
      const { server, load } = await startOn();
      server.network.stall();
      await load.refusals(8);
      await readsGoOn(load);
      server.network.resume();
      await expectEntriesSoon(load);
      await expectAllIsWell(load);
    },
    LONG,
  );

  it(
    'whose leader changes again and again loses nothing',
    async () => {
      const { server, load } = await startOn();
      const other = await server.startSibling();
      started.push({ stop: () => other.stop() });
      for (let times = 0; times < 6; times += 1) {
        const [old, next] = times % 2 === 0 ? [server, other] : [other, server];
        next.behaviour.trouble = 'none';
        old.behaviour.trouble = { host: '127.0.0.1', port: next.port };
        await load.progress(5);
      }
      await expectAllIsWell(load);
    },
    LONG,
  );

  it(
    'whose leader stands still costs a device 8 s at most, with 5 s of the election',
    async () => {
      const cluster = await EsdbTestCluster.start();
      started.push({ stop: () => cluster.stop() });
      const load = await startLoad(cluster.url);
      await load.progress(5);
      const begun = performance.now();
      const electing = cluster.pauseLeader(5_000);
      // One may have been acknowledged just before.
      await load.progress(2);
      expect(performance.now() - begun).toBeLessThan(8_000);
      await electing;
      expect(load.turnedAway).toBe(0);
      await expectAllIsWell(load);
    },
    LONG,
  );

  it(
    'that delivers late and more than once is projected once',
    async () => {
      const { server, load } = await startOn();
      server.behaviour.deliveries = 3;
      server.behaviour.beforeDelivery = () => pause(Math.random() * 4);
      server.network.dropConnections();
      await load.progress(30);
      await readsGoOn(load);
      await expectAllIsWell(load);
    },
    LONG,
  );
});
