/** The context of code that runs projections, and the rule for which stored generations it can use. */

import type { EventStore, Position } from '../../event-store/event-store.js';
import type { Generation, ReadModelStore } from '../../read-models/read-model-store.js';
import type { Projection } from '../projection.js';
import type { SubscribedEvents } from './subscribed-events.js';

export interface ProjectionContext {
  readonly eventStore: EventStore;
  readonly readModelStore: ReadModelStore;
  readonly projections: readonly Projection[];
  readonly subscribed: SubscribedEvents;
}

/** An event store and its last position. */
export interface StoreHead {
  readonly storeId: string;
  readonly head: Position;
}

/**
 * Whether the generation can continue: made by this version of the projection, from this event store, and not past its
 * end. It is past the end after events were lost.
 */
export const isUsable = (
  generation: Generation,
  projection: Projection,
  { storeId, head }: StoreHead,
): boolean =>
  generation.version === projection.version && generation.storeId === storeId && generation.position <= head;

/** The position that readers may assume of a live generation, even of an older version that waits for a rebuild. */
export const readablePosition = (live: Generation | null, { storeId, head }: StoreHead): Position =>
  live && live.storeId === storeId && live.position <= head ? live.position : 0;
