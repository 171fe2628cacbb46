/**
 * A MongoDB that answers its heartbeat and no question: what waits for it is told that the store cannot be used, instead
 * of waiting for ever, and the next question after the silence is answered.
 */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { openOperationalStore } from '../../../../src/app/stores/open-operational-store.js';
import { openReadModelStore } from '../../../../src/app/stores/open-read-model-store.js';
import { OperationalUnavailableError } from '../../../../src/foundation/operational/operational-store.js';
import { ReadModelUnavailableError } from '../../../../src/foundation/read-models/read-model-store.js';
import { mongoServer, someDatabase, type TestServer } from '../../../support/mongodb/mongo-server.js';
import { TcpProxy } from '../../../support/tcp-proxy.js';

const what = 'a server that falls silent';
const server = await mongoServer(['ReadModelStore', 'OperationalStore'], { what });

const behindProxy = (to: TestServer): void => {
  let proxy: TcpProxy;

  /** Through the proxy alone, whatever other members the server names. */
  const silentUrl = (database: string): string => {
    const url = new URL(to.url(database));
    url.host = `127.0.0.1:${proxy.port}`;
    url.searchParams.delete('replicaSet');
    url.searchParams.set('directConnection', 'true');
    // Any server answers in this time where it answers at all.
    url.searchParams.set('socketTimeoutMS', '3000');
    return url.href;
  };

  beforeAll(async () => {
    proxy = await TcpProxy.start(Number(new URL(to.url('any')).port));
  });
  afterAll(() => proxy.close());

  it('is reported by the operational store', async () => {
    const database = someDatabase();
    const store = await openOperationalStore(silentUrl(database));
    const { personId } = await store.createProfile({
      spaceId: 'default',
      name: 'Ada Lovelace',
      localizedName: null,
      assocId: null,
    });
    proxy.stallOn(database);
    await expect(store.profiles([personId])).rejects.toBeInstanceOf(OperationalUnavailableError);
    proxy.resume();
    expect((await store.profiles([personId])).get(personId)?.name).toBe('Ada Lovelace');
    await store.close();
  });

  it('is reported by the read-model store', async () => {
    const database = someDatabase();
    const store = await openReadModelStore(silentUrl(database));
    await store.prepare([]);
    proxy.stallOn(database);
    await expect(store.progress('rankings')).rejects.toBeInstanceOf(ReadModelUnavailableError);
    proxy.resume();
    expect(await store.progress('rankings')).toEqual({ live: null, building: null });
    await store.close();
  });
};

describe('a MongoDB that falls silent', () => {
  if (server) behindProxy(server);
  else it('did not run: the last lines of npm test say why', () => {});
});
