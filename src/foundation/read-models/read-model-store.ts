/**
 * The port to the read models: documents of projections, their indexes and checkpoints. All of it can be rebuilt from the
 * events. A projection has numbered generations of its collections: one is live, another may be building beside it, and
 * promotion swaps them without a pause for readers. Adapters: SQLite (embedded) and MongoDB; both pass
 * test/contract/foundation/read-models/read-model-store.contract.ts.
 */

import { StoreUnavailableError } from '../basics/store-unavailable.js';
import type { Position } from '../event-store/event-store.js';
import type { CachedResults } from './cached-results.js';
import type { StateSnapshots } from './state-snapshots.js';

/** A stored document: JSON with a unique id. Fields named in an index are top-level strings, numbers or null. */
export interface Document {
  readonly id: string;
}

export type Scalar = string | number | null;

/**
 * A collection of one projection, for documents of any type. An index lists fields in order; the document's id is the
 * last tie-break. A document with null in any field of an index is not in that index (a DNF is in no ranking).
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
  /** Raised when stored documents of an older version would be wrong. The projection is then rebuilt automatically. */
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

/** A consistent snapshot: it never shows a commit that was made after the view was taken. */
export interface ReadView {
  /** Position of the projection's live generation in this view. 0: nothing yet. */
  position(projection: string): Promise<Position>;
  /** Null when there is no such document. */
  get<D extends Document>(collection: Collection<D>, id: string): Promise<D | null>;
  /** Returns documents in the order of `ids`; null for those that do not exist. */
  getMany<D extends Document>(collection: Collection<D>, ids: readonly string[]): Promise<(D | null)[]>;
  /**
   * Returns documents in the order of the index (strings by UTF-8 bytes), then id.
   * Example: `scan(results, { index: 'byRank', equals: { roundId }, limit: 10 })`.
   */
  scan<D extends Document>(collection: Collection<D>, scan: Scan<D>): Promise<D[]>;
  /** Counts the documents of the index whose leading fields equal these values. */
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
 * `at`: position of the event that caused the write. Stores without transactions use it to refuse an older write over a
 * newer one. `previous`: the document under this id at the batch's `from` (null: none), if the writer knows it. An
 * adapter may then skip what stays the same, and a read of what was there.
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
      readonly previous?: Document | null;
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
 * `superseded`: the generation is not building any more. `behind`: the live one of the same event store is further, so
 * readers would go back in time. `allowBehind` permits that, for a live generation that is past the end of its store.
 */
export type PromotionOutcome = 'promoted' | 'superseded' | 'behind';

export interface Lease {
  readonly name: string;
  readonly holder: string;
  /** The holder's text of the last renewal. */
  readonly detail: string | null;
  /** Milliseconds since 1970. */
  readonly expiresAt: number;
}

export interface LeaseRequest {
  readonly name: string;
  readonly holder: string;
  readonly ttlMs: number;
  /** Text for readers of the lease list. Default: null. */
  readonly detail?: string;
}

export interface ReadModelStore {
  /** Whether reads cross a network. Then one read of many documents pays. */
  readonly isRemote: boolean;
  /** Independent of the projections: no replay and no rebuild touches it. */
  readonly resultCache: CachedResults;
  /** Of the write side; as independent of the projections. */
  readonly snapshots: StateSnapshots;
  /** Makes missing live collections and indexes. Call it before anything else. */
  prepare(projections: readonly ProjectionSchema[]): Promise<void>;
  /** Returns the live and the building generation of a projection. */
  progress(projection: string): Promise<ProjectionProgress>;
  /** Returns the progress of several projections in one consistent read, in their order. */
  progressOf(projections: readonly string[]): Promise<readonly ProjectionProgress[]>;
  /** Starts one empty generation for each schema, in their order. Discards those that were building before. */
  startGenerations(schemas: readonly ProjectionSchema[], storeId: string): Promise<readonly Generation[]>;
  /**
   * Commits the rows and checkpoints of all batches atomically. `superseded`: a conflict, because another process has
   * moved a checkpoint from `from` or dropped a generation. Nothing was written; read `progress` again.
   */
  commit(batches: readonly ProjectionBatch[]): Promise<'committed' | 'superseded'>;
  /** Makes missing indexes of building generations. Call it when most of the rows are written. */
  makeIndexes(generations: readonly Generation[]): Promise<void>;
  /**
   * Makes building generations live, with all their indexes; those that can, in one atomic step. Drops the old ones
   * later, when no reader uses them. Returns the outcome of each generation, in their order.
   */
  promote(
    generations: readonly Generation[],
    options?: { readonly allowBehind?: boolean },
  ): Promise<readonly PromotionOutcome[]>;
  /** Runs `read` on a generation that is building, for its projector. */
  viewOf<T>(generation: Generation, read: (view: ReadView) => Promise<T>): Promise<T>;
  /** Runs `read` on a consistent snapshot of the live generations. */
  snapshot<T>(read: (view: ReadView) => Promise<T>): Promise<T>;
  /** Takes or renews the lease; null when another holder has it. */
  acquireLease(request: LeaseRequest): Promise<Lease | null>;
  /** Does nothing when another holder has the lease. */
  releaseLease(name: string, holder: string): Promise<void>;
  /** Returns the leases that have not expired. */
  leases(): Promise<readonly Lease[]>;
  /** Returns the leases that expired within the last hour and were not released. */
  lapsedLeases(): Promise<readonly Lease[]>;
  close(): Promise<void>;
}

/** A document that two generations of a projection do not have alike. */
export interface ComparedDocument {
  readonly collection: string;
  readonly id: string;
}

/** What two generations of a projection have in common. */
export interface ComparedSchema {
  readonly collections: readonly AnyCollection[];
  /** Fields that the documents of the newer one have in addition. */
  readonly added: readonly string[];
}

/** A store that can compare what is building with what is live. */
export interface ComparesGenerations {
  /**
   * Returns the documents in which the live generation of the same projection differs, as far as `comparedIn` says. Null: the
   * two are not at the same position now.
   */
  compare(
    built: Generation,
    comparedIn: (live: Generation) => ComparedSchema,
  ): Promise<readonly ComparedDocument[] | null>;
}

export const comparesGenerations = (store: ReadModelStore): store is ReadModelStore & ComparesGenerations =>
  'compare' in store;

export class ReadModelUnavailableError extends StoreUnavailableError {
  override readonly store = 'the read-model store';
}

/** Injection token of the ReadModelStore. */
export const READ_MODEL_STORE = Symbol('ReadModelStore');
