/**
 * A client of MongoDB whose monitor stands still in an outage, as it was seen of the driver: its check neither ends nor is
 * repeated, so the client would never find the server again. It is renewed, and what was opened before goes on.
 */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { MongoClient } from 'mongodb';
import { MongoConnection } from '../../../../src/engines/mongodb/mongo-connection.js';
import { ReadModelUnavailableError } from '../../../../src/foundation/read-models/read-model-store.js';
import { Lateness } from '../../../support/lateness.js';
import { mongoServer, someDatabase, type TestServer } from '../../../support/mongodb/mongo-server.js';
import { TcpProxy } from '../../../support/tcp-proxy.js';
import { until } from '../../../support/until.js';

/** The promise is 10 s; the new connection takes a moment. */
const RENEWED_WITHIN_MS = 12_000;

const what = 'a client that stands still after an outage';
const server = await mongoServer(['ReadModelStore'], { what });

/** The driver's own fields. */
interface Inside {
  readonly topology: {
    readonly s: {
      readonly servers: ReadonlyMap<
        string,
        { readonly monitor: { readonly monitorId: { fn: (done: () => void) => void } } }
      >;
    };
  };
}

/** From now on a check begins and does not end. */
const freezeMonitors = (client: MongoClient): void => {
  const { topology } = client as unknown as Inside;
  for (const { monitor } of topology.s.servers.values()) monitor.monitorId.fn = () => undefined;
};

const behindProxy = (to: TestServer): void => {
  let proxy: TcpProxy;
  let connection: MongoConnection;
  const lateness = new Lateness();

  beforeAll(async () => {
    proxy = await TcpProxy.start(Number(new URL(to.url('any')).port));
    const url = new URL(to.url(someDatabase()));
    url.host = `127.0.0.1:${proxy.port}`;
    url.searchParams.delete('replicaSet');
    url.searchParams.set('directConnection', 'true');
    connection = new MongoConnection(url.href, {
      database: 'any',
      unavailable: (message, options) => new ReadModelUnavailableError(message, options),
    });
  });
  afterAll(async () => {
    lateness.stop();
    await connection.close();
    await proxy.close();
  });

  it('finds the server again once it had no success for 10 s, and so do collections from before', async () => {
    const rows = connection.db.collection<{ _id: string }>('rows');
    const answer = (): Promise<unknown> =>
      connection.guarded(() => rows.countDocuments()).catch((error: unknown) => error);
    const { client } = connection.db;
    await connection.guarded(() => rows.insertOne({ _id: 'before' }));
    const begun = performance.now();
    const { result, ms } = await lateness.timed(async () => {
      const isFrozen = new Promise<void>((resolve) => {
        client.once('serverHeartbeatFailed', () => {
          freezeMonitors(client);
          resolve();
        });
      });
      await proxy.goAway();
      await isFrozen;
      await proxy.comeBack();
      return until(answer, (found) => !(found instanceof ReadModelUnavailableError));
    });
    expect(result).toBe(1);
    // By the clock: what the machine was late is no part of `ms`.
    expect(performance.now() - begun).toBeGreaterThan(9_000);
    expect(ms).toBeLessThan(RENEWED_WITHIN_MS);
  });
};

describe('a client of MongoDB that stands still', () => {
  if (server) behindProxy(server);
  else it('did not run: the last lines of npm test say why', () => {});
});
