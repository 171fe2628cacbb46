/** SIGTERM while a store hangs: the server ends in its time, with 0, and says which store it has left. */
import { readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, describe, expect, it } from '@jest/globals';
import { makeApiWorld } from '../../support/api-world.js';
import { sendAttempt } from '../../support/attempts.js';
import { Client } from '../../support/client.js';
import { startEsdbTestServer } from '../../support/eventstoredb/engine.js';
import { mongoServer, someDatabase } from '../../support/mongodb/mongo-server.js';
import { openPodiumApp } from '../../support/podium-app.js';
import { newDataDir, startServer, type TestServer } from '../../support/server.js';
import { TcpProxy } from '../../support/tcp-proxy.js';

/** The promise is 5 s; a request that the server waited for took 10 s. */
const IN_TIME_MS = 8_000;
const TOO_LATE_MS = 30_000;

const mongo = await mongoServer(['ReadModelStore', 'OperationalStore'], { what: 'a server that hangs' });

const undo: (() => unknown)[] = [];
afterEach(async () => {
  for (const step of undo.splice(0).reverse()) await step();
});

const started = async (env: Readonly<Record<string, string>>) => {
  const dataDir = await newDataDir();
  const app = await openPodiumApp(dataDir, env);
  const world = await makeApiWorld(app.commands);
  await app.close();
  const server = await startServer({ dataDir, env });
  const client = new Client(server.url);
  undo.push(
    () => server.remove(),
    () => server.kill(),
    () => client.close(),
  );
  /** Sends an attempt and waits for no answer. */
  const enter = (attemptResult: number): void => {
    const attempt = { personId: world.personIds[0], attemptResult };
    sendAttempt(new Client(server.url), world.keys.good, attempt).catch(() => undefined);
  };
  return { server, client, enter };
};

/** Tells the server to stop. `TOO_LATE_MS` when it does not end. */
const timeToEnd = async (server: TestServer): Promise<number> => {
  const from = performance.now();
  const ended = server.stop().then(() => performance.now() - from);
  return Promise.race([ended, pause(TOO_LATE_MS, TOO_LATE_MS, { ref: false })]);
};

const expectEnd = async (server: TestServer, store: string): Promise<void> => {
  expect(await timeToEnd(server)).toBeLessThan(IN_TIME_MS);
  expect(server.process.exitCode).toBe(0);
  expect(server.log.find((line) => 'store' in line)).toMatchObject({ store });
  expect(server.log.at(-1)).toMatchObject({ msg: 'stopped' });
};

const proxyTo = async (port: number): Promise<TcpProxy> => {
  const proxy = await TcpProxy.start(port);
  undo.push(() => proxy.close());
  return proxy;
};

describe('a server that is told to stop while a store hangs', () => {
  it('ends beside an event store that answers nothing', async () => {
    const engine = await startEsdbTestServer();
    undo.push(() => engine.stop());
    const proxy = await proxyTo(Number(new URL(engine.url).port));
    const { server, client, enter } = await started({
      EVENT_STORE_URL: `esdb://127.0.0.1:${proxy.port}?tls=false&defaultDeadline=60000&keepAliveInterval=60000`,
    });
    expect((await client.get('/api/events')).status).toBe(200);
    proxy.stall();
    enter(1_500);
    await expectEnd(server, 'event store');
  });

  it('ends beside a log engine that stands still', async () => {
    const { server, client } = await started({});
    const { pid = 0 } = server.process;
    const engine = Number(readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ')[0]);
    process.kill(engine, 'SIGSTOP');
    undo.push(() => {
      try {
        process.kill(engine, 'SIGKILL');
      } catch {
        // It has ended, as it must.
      }
    });
    expect((await client.get('/api/events')).status).toBe(200);
    await expectEnd(server, 'log store');
  });

  if (mongo)
    it('ends beside a MongoDB that answers nothing', async () => {
      const proxy = await proxyTo(Number(new URL(mongo.url('any')).port));
      const urlOf = (database: string): string => {
        const url = new URL(mongo.url(database));
        url.host = `127.0.0.1:${proxy.port}`;
        url.searchParams.delete('replicaSet');
        url.searchParams.set('directConnection', 'true');
        return url.href;
      };
      const { server, client, enter } = await started({
        READ_MODEL_URL: urlOf(someDatabase()),
        OPERATIONAL_URL: urlOf(someDatabase()),
      });
      expect((await client.get('/api/events')).status).toBe(200);
      proxy.stall();
      enter(1_500);
      await expectEnd(server, 'read-model store');
    });
});
