/** What everything that runs projections is given, and which generations of the store are good for it. */
import type { EventStore, Position } from '../../event-store/event-store.js';
import type { StreamNames } from '../../event-store/streams.js';
import type { Generation, ReadModelStore } from '../../read-models/read-model-store.js';
import type { Projection } from '../projection.js';

export interface ProjectionContext {
  readonly eventStore: EventStore;
  readonly readModelStore: ReadModelStore;
  readonly projections: readonly Projection[];
  readonly names: StreamNames;
}

/** Where an event store stands: which it is, and its last position. */
export interface StoreHead {
  readonly storeId: string;
  readonly head: Position;
}

/**
 * Whether the generation can go on: made by this version of the projection from this event store, and not past its
 * end, as it would be after the event store was restored from an older backup.
 */
export const isUsable = (
  generation: Generation,
  projection: Projection,
  { storeId, head }: StoreHead,
): boolean =>
  generation.version === projection.version && generation.storeId === storeId && generation.position <= head;

/** How far readers may take a live generation to have come, even one of an older version that waits for its successor. */
export const readablePosition = (live: Generation | null, { storeId, head }: StoreHead): Position =>
  live && live.storeId === storeId && live.position <= head ? live.position : 0;
