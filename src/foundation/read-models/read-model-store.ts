/**
 * The port to everything that is read: documents of projections, their indexes and their checkpoints. All of it can
 * be thrown away and rebuilt from the events. A projection lives in numbered generations of its collections: one is
 * live, another may be building beside it, and promoting swaps them without a reader noticing. Adapters: SQLite
 * (embedded) and MongoDB, both held to test/contract/foundation/read-models/read-model-store.contract.ts.
 */

import { StoreUnavailableError } from '../basics/store-unavailable.js';
import type { Position } from '../event-store/event-store.js';
import type { CachedResults } from './cached-results.js';

/** A stored document: JSON with a unique id. Fields named in an index are top-level strings, numbers or null. */
export interface Document {
  readonly id: string;
}

export type Scalar = string | number | null;

/**
 * A collection of one projection, its documents' type left open. An index lists fields in order; the document's id
 * is always the last tie-break. A document with a null in any field of an index is not in that index (a DNF is in no
 * ranking).
 */
export interface AnyCollection {
  readonly name: string;
  readonly indexes: Readonly<Record<string, readonly string[]>>;
}

/** A collection of documents of one type. */
export interface Collection<D extends Document> extends AnyCollection {
  readonly indexes: Readonly<Record<string, readonly (keyof D & string)[]>>;
  /** Phantom: carries the document's type. */
  readonly document?: D;
}

export interface ProjectionSchema {
  readonly name: string;
  /** Raised when stored documents of an older version would be wrong: the projection rebuilds by itself. */
  readonly version: number;
  readonly collections: readonly AnyCollection[];
}

export interface Scan<D extends Document> {
  readonly index: string;
  /** Values of the index's leading fields. */
  readonly equals: Partial<D>;
  /** Exclusive: continue behind this document in the order of the index. */
  readonly after?: D;
  readonly limit?: number;
  /** Walk the index from its end. */
  readonly descending?: boolean;
}

/** Reads as of one moment: nothing that lands after the view was taken is seen through it. */
export interface ReadView {
  /** Up to where the live generation of a projection has come, as of this view. 0: nothing yet. */
  position(projection: string): Promise<Position>;
  get<D extends Document>(collection: Collection<D>, id: string): Promise<D | null>;
  /** In the order of `ids`. */
  getMany<D extends Document>(collection: Collection<D>, ids: readonly string[]): Promise<(D | null)[]>;
  /** In the order of the index (strings by UTF-8 bytes), then id. */
  scan<D extends Document>(collection: Collection<D>, scan: Scan<D>): Promise<D[]>;
  count<D extends Document>(collection: Collection<D>, index: string, equals: Partial<D>): Promise<number>;
}

/** One build of a projection. */
export interface Generation {
  readonly projection: string;
  readonly number: number;
  readonly version: number;
  /** The event store that its positions belong to. */
  readonly storeId: string;
  readonly position: Position;
}

export interface ProjectionProgress {
  readonly live: Generation | null;
  readonly building: Generation | null;
}

/**
 * `at`: position of the event that caused the write; stores without transactions refuse older over newer by it.
 * `previous`: what the checkpoint that the batch builds on has under this id (null: nothing), where the writer knows
 * it: an adapter may then leave alone what stays the same.
 */
export type Write =
  | {
      readonly kind: 'put';
      readonly collection: AnyCollection;
      readonly document: Document;
      readonly previous?: Document | null;
      readonly at: Position;
    }
  | {
      readonly kind: 'remove';
      readonly collection: AnyCollection;
      readonly id: string;
      readonly at: Position;
    };

/** The effect of a run of events on one generation. */
export interface ProjectionBatch {
  readonly generation: Generation;
  /** The checkpoint that this builds on. */
  readonly from: Position;
  readonly to: Position;
  readonly writes: readonly Write[];
}

/**
 * `superseded`: the generation is not building any more. `behind`: the live one of the same event store has come further,
 * and readers would go back in time; `allowBehind` allows that, for a live one that is ahead of its event store.
 */
export type PromotionOutcome = 'promoted' | 'superseded' | 'behind';

export interface Lease {
  readonly name: string;
  readonly holder: string;
  /** What the holder says of itself, as it last renewed it. */
  readonly detail: string | null;
  /** Milliseconds since 1970. */
  readonly expiresAt: number;
}

export interface LeaseRequest {
  readonly name: string;
  readonly holder: string;
  readonly ttlMs: number;
  /** For whoever lists the leases. Default: null. */
  readonly detail?: string;
}

export interface ReadModelStore {
  /** Reads cross a network, so that asking for many documents at once pays. */
  readonly isRemote: boolean;
  /** Beside the projections: no replay and no rebuild touches it. */
  readonly resultCache: CachedResults;
  /** Makes what is missing of the projections' live collections and indexes. To be called before anything else. */
  prepare(projections: readonly ProjectionSchema[]): Promise<void>;
  progress(projection: string): Promise<ProjectionProgress>;
  /** Of several as of one moment, in their order. */
  progressOf(projections: readonly string[]): Promise<readonly ProjectionProgress[]>;
  /** Begins empty generations beside the live ones, one a schema in their order; those that were building before are discarded. */
  startGenerations(schemas: readonly ProjectionSchema[], storeId: string): Promise<readonly Generation[]>;
  /**
   * Rows and checkpoints of all batches land together. `superseded`: a checkpoint was not at `from` any more or a
   * generation is gone (another process went on): nothing of it shows, read `progress` again.
   */
  commit(batches: readonly ProjectionBatch[]): Promise<'committed' | 'superseded'>;
  /** Makes the indexes of generations that are building, as far as they are missing: when most of the rows are in. */
  makeIndexes(generations: readonly Generation[]): Promise<void>;
  /**
   * Building generations become the live ones, all that can in one moment, with all their indexes; the old ones are
   * dropped afterwards, when nobody reads them. Says of each what came of it, in their order.
   */
  promote(
    generations: readonly Generation[],
    options?: { readonly allowBehind?: boolean },
  ): Promise<readonly PromotionOutcome[]>;
  /** View of a generation that is building, for its projector. */
  viewOf<T>(generation: Generation, read: (view: ReadView) => Promise<T>): Promise<T>;
  /** View of the live generations as of one moment. */
  snapshot<T>(read: (view: ReadView) => Promise<T>): Promise<T>;
  /** Takes or renews the lease; null when another holder has it. */
  acquireLease(request: LeaseRequest): Promise<Lease | null>;
  releaseLease(name: string, holder: string): Promise<void>;
  leases(): Promise<readonly Lease[]>;
  close(): Promise<void>;
}

export class ReadModelUnavailableError extends StoreUnavailableError {}

/** Injection token of the ReadModelStore. */
export const READ_MODEL_STORE = Symbol('ReadModelStore');
