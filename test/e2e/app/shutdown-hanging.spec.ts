/** SIGTERM while a store hangs: the server ends in its time, with 0, and says which store it has left. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, describe, expect, it } from '@jest/globals';
import { SqliteDatabase } from '../../../src/engines/sqlite/sqlite.js';
import { makeApiWorld } from '../../support/api-world.js';
import { sendAttempt } from '../../support/attempts.js';
import { Client, type Reply } from '../../support/client.js';
import { startEsdbTestServer } from '../../support/eventstoredb/engine.js';
import { Lateness } from '../../support/lateness.js';
import { mongoServer, someDatabase } from '../../support/mongodb/mongo-server.js';
import { openPodiumApp } from '../../support/podium-app.js';
import { newDataDir, startServer, type TestServer } from '../../support/server.js';
import { TcpProxy } from '../../support/tcp-proxy.js';
import { until } from '../../support/until.js';

/** The promise. */
const IN_TIME_MS = 5_000;

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
  const device = new Client(server.url);
  await device.get('/api/events');
  undo.push(
    () => server.remove(),
    () => server.kill(),
    () => client.close(),
    () => device.close(),
  );
  /** Null: the server has ended without an answer. */
  const enter = (attemptResult: number): Promise<Reply | null> => {
    const attempt = { personId: world.personIds[0], attemptResult };
    return sendAttempt(device, world.keys.good, attempt).catch(() => null);
  };
  return { server, client, enter };
};

const lateness = new Lateness();
afterAll(() => lateness.stop());

/** Stores that it may leave: those that hang. A store closes in time where nothing waits for it when the server is told to stop. */
const expectEndLeaving = async (server: TestServer, ...stores: readonly string[]): Promise<void> => {
  await expectEnd(server, null);
  const left = server.log.flatMap((line) => ('store' in line ? [String(line.store)] : []));
  expect(stores).toEqual(expect.arrayContaining(left));
};

/** `store`: the one that it leaves. Null: it may have closed just in time. */
const expectEnd = async (server: TestServer, store: string | null): Promise<void> => {
  const { ms } = await lateness.timed(() => server.stop());
  expect(ms).toBeLessThan(IN_TIME_MS);
  expect(server.process.exitCode).toBe(0);
  if (store !== null) expect(server.log.find((line) => 'store' in line)).toMatchObject({ store });
  expect(server.log.at(-1)).toMatchObject({ msg: 'stopped' });
};

/** Turns of the server, each with an answer: a busy machine may serve another connection first, but not so often. */
const TURNS = 30;

/** Resolves when the server has what was sent to it before, also on another open connection. */
const isBehind = async (client: Client): Promise<void> => {
  for (let turn = 0; turn < TURNS; turn += 1) expect((await client.get('/api/events')).status).toBe(200);
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
    void enter(1_500);
    await isBehind(client);
    await expectEndLeaving(server, 'event store');
  });

  it.each([
    { file: 'events.sqlite', store: null },
    { file: 'operational.sqlite', store: 'operational store' },
    { file: 'read-models.sqlite', store: 'read-model store' },
  ])('ends while another process holds the lock of $file', async ({ file, store }) => {
    const { server, client, enter } = await started({});
    expect((await client.get('/api/events')).status).toBe(200);
    const holder = new SqliteDatabase(join(server.dataDir, file));
    undo.push(() => holder.close());
    holder.exec('BEGIN IMMEDIATE');
    // Its event, the last use of its key and its result are to be written.
    const waiting = until(
      () => client.get('/metrics'),
      ({ text }) => text.includes('podium_commands_waiting{aggregate="round"} 1'),
    );
    await Promise.race([enter(1_500), waiting]);
    await expectEnd(server, store);
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
      void enter(1_500);
      await isBehind(client);
      await expectEndLeaving(server, 'read-model store', 'operational store');
    });
});
