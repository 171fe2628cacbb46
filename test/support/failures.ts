/** Failed credentials that nodes exchange, for tests without a store. */
import type { FailureStore, NodeFailures } from '../../src/foundation/operational/failure-store.js';
import { FailureExchange } from '../../src/http/credentials/failure-exchange.js';

/** Gives a node what the others have put. */
export class MemoryFailures implements FailureStore {
  readonly #nodes = new Map<string, NodeFailures>();
  exchanges = 0;

  async exchange(own: NodeFailures, since: number): Promise<readonly NodeFailures[]> {
    this.exchanges += 1;
    if (own.failures.length > 0) {
      for (const { nodeId, at } of [...this.#nodes.values()]) if (at < since) this.#nodes.delete(nodeId);
      this.#nodes.set(own.nodeId, own);
    }
    return [...this.#nodes.values()].filter(({ nodeId, at }) => nodeId !== own.nodeId && at >= since);
  }
}

/** Of a node without others. */
export const loneExchange = (): FailureExchange => new FailureExchange({ failures: new MemoryFailures() });
