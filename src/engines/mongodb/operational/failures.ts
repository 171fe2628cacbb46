/** The failed credentials of the nodes in MongoDB: one document for each node. */
import type { Collection } from 'mongodb';
import type { FailureStore, NodeFailures } from '../../../foundation/operational/failure-store.js';
import type { MongoConnection } from '../mongo-connection.js';

type FailuresDocument = Omit<NodeFailures, 'nodeId'> & { readonly _id: string };

export class MongoFailures implements FailureStore {
  readonly #connection: MongoConnection;
  readonly #nodes: Collection<FailuresDocument>;

  constructor(connection: MongoConnection) {
    this.#connection = connection;
    this.#nodes = connection.db.collection<FailuresDocument>('node_failures');
  }

  exchange({ nodeId, ...own }: NodeFailures, since: number): Promise<readonly NodeFailures[]> {
    return this.#connection.guarded(async () => {
      if (own.failures.length > 0) {
        await this.#nodes.replaceOne({ _id: nodeId }, own, { upsert: true });
        await this.#nodes.deleteMany({ at: { $lt: since } });
      }
      const others = await this.#nodes
        .find({ _id: { $ne: nodeId }, at: { $gte: since } })
        .sort({ _id: 1 })
        .toArray();
      return others.map(({ _id, at, failures }) => ({ nodeId: _id, at, failures }));
    });
  }
}
