/** The snapshots in memory, which other tests stand on, promise the same. */
import { MemorySnapshots } from '../../../support/memory-snapshots.js';
import { stateSnapshotsContract } from './state-snapshots.contract.js';

stateSnapshotsContract('memory', async () => {
  const snapshots = new MemorySnapshots();
  return { open: async () => ({ snapshots }), close: async () => undefined };
});
