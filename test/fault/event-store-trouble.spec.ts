/**
 * A server under load whose EventStoreDB breaks its connections, is replaced by another leader, and delivers late and more than
 * once. Everything catches up by itself, nothing acknowledged is missing and every read is that of a replay.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { describe, it } from '@jest/globals';
import { expectAllIsWell, readsGoOn, startLoadedStore, stopAfterTest } from '../support/event-store-load.js';

const LONG = 420_000;

describe('an event store', () => {
  it(
    'whose connections break again and again loses nothing',
    async () => {
      const { server, load } = await startLoadedStore();
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
    'whose leader changes again and again loses nothing',
    async () => {
      const { server, load } = await startLoadedStore();
      const other = await server.startSibling();
      stopAfterTest({ stop: () => other.stop() });
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
    'that delivers late and more than once is projected once',
    async () => {
      const { server, load } = await startLoadedStore();
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
