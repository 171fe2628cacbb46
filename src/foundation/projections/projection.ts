/**
 * A projection turns events into documents. It names the event types it wants and its version, applies events one
 * after the other through a session, and knows neither store nor thread. Applying the same events from the start
 * gives the same documents, byte for byte: no clock, no random, nothing read from outside the session.
 */
import type { RecordedEvent } from '../event-store/event-store.js';
import type { StreamSubject } from '../event-store/streams.js';
import type {
  AnyCollection,
  Collection,
  Document,
  ProjectionSchema,
  Scan,
} from '../read-models/read-model-store.js';

/** A recorded event with its stream's name taken apart. */
export interface ProjectedEvent extends RecordedEvent {
  readonly subject: StreamSubject;
}

export type AscendingScan<D extends Document> = Omit<Scan<D>, 'descending'>;

/** What a projection reads and writes while applying a batch; it sees its own writes at once. */
export interface ProjectionSession {
  get<D extends Document>(collection: Collection<D>, id: string): Promise<D | null>;
  /** Every document whose leading fields of the index equal these values, in no particular order. */
  where<D extends Document>(collection: Collection<D>, index: string, equals: Partial<D>): Promise<D[]>;
  /** As a view would give it. Makes an index that a rebuild would else make at its end: for what is seldom needed. */
  scan<D extends Document>(collection: Collection<D>, scan: AscendingScan<D>): Promise<D[]>;
  put<D extends Document>(collection: Collection<D>, document: D): void;
  remove<D extends Document>(collection: Collection<D>, id: string): void;
  /** Whether anybody hears of what is touched; where nobody does, names need not be made. */
  readonly keepsTags: boolean;
  /**
   * Whether `settle` is still to come, before anybody reads. What would want an index can then be left to it: made at
   * the end an index costs a fraction of what it costs to keep it from the start.
   */
  readonly finalizes: boolean;
  /** Names something that readers may hold a copy of (see src/competition/tags.ts): its bytes are retired once the batch is visible. */
  touch(tag: string): void;
}

export interface Projection extends ProjectionSchema {
  readonly eventTypes: readonly string[];
  /** Documents that a batch will want, to be loaded in one go. */
  prefetch?(
    events: readonly ProjectedEvent[],
  ): readonly { readonly collection: AnyCollection; readonly id: string }[];
  /**
   * The wanted events of a batch in fewer events of the same effect, where it changes one thing again and again and
   * nobody sees it in between. Positions still grow.
   */
  condense?(events: readonly ProjectedEvent[]): readonly ProjectedEvent[];
  apply(event: ProjectedEvent, session: ProjectionSession): Promise<void> | void;
  /** Does what `apply` has left for it, once a rebuild has come to the end and has made the indexes. */
  finalize?(session: ProjectionSession): Promise<void>;
}
