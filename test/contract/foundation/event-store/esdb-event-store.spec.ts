/**
 * The event store on EventStoreDB: the contract, on the server that PODIUM_TEST_EVENTSTOREDB_URL names and else on the test
 * server.
 */
import { openEventStore } from '../../../../src/app/stores/open-event-store.js';
import { startEsdb } from '../../../support/eventstoredb/engine.js';
import { eventStoreContract } from './event-store.contract.js';

eventStoreContract('EsdbEventStore', async () => {
  const engine = await startEsdb();
  const store = await openEventStore(engine.url);
  const dispose = async (): Promise<void> => {
    await store.close();
    await engine.stop();
  };
  return { store, connect: (options) => openEventStore(engine.url, options), dispose };
});
