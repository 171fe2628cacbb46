/**
 * Reads a space's catalogue for a command that depends on it. It always reads the stream's tail, because organisers
 * send few commands.
 */
import { RejectedError } from '../../../domain/rejections.js';
import type { AggregateRuntime } from '../../../foundation/aggregates/aggregate.js';
import { type SpaceState, spaceAggregate } from './space.decider.js';
import type { EventDefinition } from './space.events.js';

/** Throws RejectedError `space-not-found`. */
export const existingSpace = async (aggregates: AggregateRuntime, spaceId: string): Promise<SpaceState> => {
  const { state } = await aggregates.load(spaceAggregate, spaceId, { fresh: true });
  if (state.name === null)
    throw new RejectedError({ code: 'space-not-found', detail: `there is no space ${spaceId}` });
  return state;
};

/** Throws RejectedError `event-not-found`. */
export const eventIn = (space: SpaceState, eventId: string): EventDefinition => {
  const event = space.events.get(eventId);
  if (event === undefined)
    throw new RejectedError({ code: 'event-not-found', detail: `the space has no event ${eventId}` });
  return event;
};
