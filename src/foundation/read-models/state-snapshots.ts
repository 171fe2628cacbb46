/**
 * Snapshots of long streams in the read-model store: the folded state at one event, so that the next process need not fold
 * from the beginning. Beside a snapshot stand the requests (idempotency keys) that were used up to it, one row each. All of
 * it can be folded again from the events, and no replay or rebuild touches it. A lineage is one unbroken series of snapshots
 * of a stream: it holds every request up to its last snapshot, or it is gone as a whole.
 */

import { randomInt } from 'node:crypto';

export interface SnapshotKey {
  readonly stream: string;
  /** Of the fold. Code of one version neither sees nor replaces the snapshots of another. */
  readonly version: number;
}

export interface StateSnapshot {
  /** Of the last event that was folded, and its id: a snapshot of events that are no longer there is recognised by it. */
  readonly revision: number;
  readonly eventId: string;
  /** Opaque to the store. */
  readonly body: string;
}

export interface StoredSnapshot extends StateSnapshot {
  /** An integer that is given out once. */
  readonly lineage: number;
}

/** A key, and a fingerprint of what came with it; both opaque to the store. */
export type UsedRequest = readonly [key: string, fingerprint: string];

/** Every method throws ReadModelUnavailableError when the store cannot be used. */
export interface StateSnapshots {
  load(key: SnapshotKey): Promise<StoredSnapshot | null>;
  /**
   * Stores the snapshot, unless its lineage has a later one, and the requests that its lineage does not have yet. `lineage`
   * null: begins a new one, which replaces whatever is stored. Returns the lineage; null, and nothing is stored, when
   * that lineage is gone.
   */
  save(
    key: SnapshotKey,
    snapshot: StateSnapshot,
    requests: { readonly lineage: number | null; readonly used: readonly UsedRequest[] },
  ): Promise<number | null>;
  /** Returns the fingerprints of those keys that were used; null when the lineage is gone. */
  find(
    key: SnapshotKey,
    lineage: number,
    keys: readonly string[],
  ): Promise<ReadonlyMap<string, string> | null>;
}

/** Random, so that the lineage of a store that was thrown away is never taken for one of the store after it. */
export const newLineage = (): number => randomInt(2 ** 47);
