/** The fake that unit tests decide upon keeps the contract of the real stores. */
import { MemoryEventStore } from '../../../support/memory-event-store.js';
import { eventStoreContract } from './event-store.contract.js';

eventStoreContract('MemoryEventStore', async () => {
  const store = new MemoryEventStore();
  store.spacing = 7;
  return { store, connect: async (options) => store.connect(options), dispose: () => store.close() };
});
