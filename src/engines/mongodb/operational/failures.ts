/** The failed credentials of the nodes in MongoDB: one document for each node. */
import type { FailureStore, NodeFailures } from '../../../foundation/operational/failure-store.js';
import type { MongoConnection } from '../mongo-connection.js';
import { type Identified, SummedCollection, type SummedParts } from './summed-collection.js';

type FailuresDocument = Omit<NodeFailures, 'nodeId'> & { readonly _id: string };

export class MongoFailures implements FailureStore {
  readonly #connection: MongoConnection;
  readonly #nodes: SummedCollection<FailuresDocument>;

  constructor(parts: SummedParts) {
    this.#connection = parts.connection;
    this.#nodes = new SummedCollection<FailuresDocument>(parts, 'node_failures', { isListed: false });
  }

  get collections(): readonly SummedCollection<Identified>[] {
    return [this.#nodes];
  }

  exchange({ nodeId, ...own }: NodeFailures, since: number): Promise<readonly NodeFailures[]> {
    return this.#connection.guarded(async () => {
      if (own.failures.length > 0) {
        await this.#nodes.put({ _id: nodeId, ...own });
        await this.#nodes.remove({ at: { $lt: since } });
      }
      const ofOthers = { _id: { $ne: nodeId }, at: { $gte: since } };
      const others = await this.#nodes.find(ofOthers, { sort: { _id: 1 } });
      return others.map(({ _id, at, failures }) => ({ nodeId: _id, at, failures }));
    });
  }
}
