/**
 * The event store on EventStoreDB: the contract, on the server that PODIUM_TEST_EVENTSTOREDB_URL names and else on the test
 * server.
 */
import { openEventStore } from '../../../../src/app/stores/open-event-store.js';
import { type EsdbEngine, startEsdb, type TestServerEngine } from '../../../support/eventstoredb/engine.js';
import { eventStoreContract } from './event-store.contract.js';

eventStoreContract('EsdbEventStore', async () => {
  const engine: EsdbEngine & Partial<TestServerEngine> = await startEsdb();
  const { server } = engine;
  const store = await openEventStore(engine.url);
  const dispose = async (): Promise<void> => {
    await store.close();
    await engine.stop();
  };
  // A real server is not damaged on request.
  const damage = server && {
    damage: async (stream: string, revision: number): Promise<void> => {
      server.records.alter(stream, revision, (data) => data.replace('1234', '1134'));
    },
  };
  return { store, connect: (options) => openEventStore(engine.url, options), dispose, ...damage };
});
