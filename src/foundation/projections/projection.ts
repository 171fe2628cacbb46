/**
 * A projection turns events into documents. It names the event types it wants and its version, applies events one
 * after the other through a session, and knows neither store nor thread. Applying the same events from the start
 * gives the same documents, byte for byte: no clock, no random, nothing read from outside the session.
 */

import type { StreamSubject } from '../../domain/streams.js';
import type { RecordedEvent } from '../event-store/event-store.js';
import type {
  AnyCollection,
  Collection,
  ComparedSchema,
  Document,
  ProjectionSchema,
  Scan,
} from '../read-models/read-model-store.js';

/** A recorded event with its stream's name parsed. */
export interface ProjectedEvent extends RecordedEvent {
  readonly subject: StreamSubject;
}

/** Names of tags, or what makes the name of one or of several. */
export type Tags = readonly string[] | (() => string | readonly string[]);

export type AscendingScan<D extends Document> = Omit<Scan<D>, 'descending'>;

/** What a projection reads and writes while applying a batch; it sees its own writes at once. */
export interface ProjectionSession {
  get<D extends Document>(collection: Collection<D>, id: string): Promise<D | null>;
  /** Like the scan of a view; without a limit, all documents whose leading fields have these values. During a rebuild it makes the index early, so use it only where it is seldom needed. */
  scan<D extends Document>(collection: Collection<D>, scan: AscendingScan<D>): Promise<D[]>;
  put<D extends Document>(collection: Collection<D>, document: D): void;
  remove<D extends Document>(collection: Collection<D>, id: string): void;
  /** Whether the session keeps tags. When false, a projection need not look for what to touch. */
  readonly keepsTags: boolean;
  /**
   * Whether `finalize` will run before the first reader. A projection can leave to it the work that needs an index: an
   * index made at the end costs a fraction of one that is kept from the start.
   */
  readonly finalizes: boolean;
  /**
   * Invalidates cached copies with these tags (see src/domain/tags.ts) once the batch is visible. A function is called
   * after the commit, so that no row waits for names; never in a rebuild, because no reader has a copy. `from`: copies whose
   * values all rank before it stay valid. Default: 0, none does.
   */
  touch(tags: Tags, from?: number): void;
}

export interface Projection extends ProjectionSchema {
  readonly eventTypes: readonly string[];
  /**
   * The oldest version whose documents of these collections are those of this version, but for the fields that were `added`.
   * Events from before checksums are compared with what it has built. Default: this version only, with all collections.
   */
  readonly unchanged?: ComparedSchema & { readonly since: number };
  /** The documents that a batch will read, to be loaded at once. */
  prefetch?(
    events: readonly ProjectedEvent[],
  ): readonly { readonly collection: AnyCollection; readonly id: string }[];
  /**
   * Returns fewer events with the same effect, where a batch changes one document many times and no reader sees the
   * states in between. Positions stay in ascending order.
   */
  condense?(events: readonly ProjectedEvent[]): readonly ProjectedEvent[];
  /** Applies one event. Reads and writes through the session only. */
  apply(event: ProjectedEvent, session: ProjectionSession): Promise<void> | void;
  /** Does what `apply` left to it. Runs once at the end of a rebuild, after the indexes are made. */
  finalize?(session: ProjectionSession): Promise<void>;
}
