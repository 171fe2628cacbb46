/**
 * A server under load whose EventStoreDB is killed, shut down, cut off, or without a leader. Commands are answered 503 with
 * Retry-After meanwhile, reads go on, everything catches up by itself and soon, and afterwards nothing acknowledged is missing
 * and every read is that of a replay. The outages last 30 seconds, or as long as PODIUM_TEST_OUTAGE_SECONDS says.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { notRunOn } from '../support/engines.js';
import type { EntryLoad } from '../support/entry-load.js';
import {
  expectAllIsWell,
  readsGoOn,
  startLoad,
  startLoadedStore,
  stopAfterTest,
} from '../support/event-store-load.js';
import { EsdbTestCluster } from '../support/eventstoredb/cluster.js';
import { EsdbServerProcess } from '../support/eventstoredb/server-process.js';

const SECONDS = Number(process.env.PODIUM_TEST_OUTAGE_SECONDS ?? 30);
const LONG = 300_000 + SECONDS * 4_000;
/** After an outage, entries have to go on this soon: tries that are made ever more seldom would take about as long as it was. */
const SOON_MS = Math.max(10_000, (SECONDS * 1_000) / 2);

beforeAll(() => {
  if (SECONDS >= 30) return;
  notRunOn({
    port: 'EventStore',
    engine: 'the test server',
    what: 'an outage of 30 seconds',
    why: `PODIUM_TEST_OUTAGE_SECONDS made them ${SECONDS} seconds`,
  });
});

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
    stopAfterTest({ stop: () => store.remove() });
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
  it(
    'that takes everything and answers nothing for a while loses nothing',
    async () => {
      const { server, load } = await startLoadedStore();
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
    'whose leader stands still costs a device 8 s at most, with 5 s of the election',
    async () => {
      const cluster = await EsdbTestCluster.start();
      stopAfterTest({ stop: () => cluster.stop() });
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
});
