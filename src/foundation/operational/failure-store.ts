/**
 * The failed sign-ins and bad keys of the last two hours, which every node writes for the others, so that limits on guessing
 * count for all nodes. No record of `records()`: it is worth nothing later.
 */

/** What one node has counted at one bucket of a limit. */
export interface CountedFailures {
  /** The limit, and a hash in place of the address or account. */
  readonly key: string;
  /** Milliseconds since 1970. Tells this count from an earlier one of the same key, which was forgotten. */
  readonly begunAt: number;
  readonly count: number;
  /** Of the last one. Milliseconds since 1970. */
  readonly at: number;
}

export interface NodeFailures {
  readonly nodeId: string;
  /** When the node wrote them. Milliseconds since 1970. */
  readonly at: number;
  readonly failures: readonly CountedFailures[];
}

export interface FailureStore {
  /**
   * Puts the failures of this node in the place of its earlier ones; when it has none, it writes nothing. Returns those of
   * other nodes that wrote at `since` or later, and removes the older ones.
   */
  exchange(own: NodeFailures, since: number): Promise<readonly NodeFailures[]>;
}
