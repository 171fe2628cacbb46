/** The events of a space: its creation, and its catalogue of contest events (disciplines such as 3x3x3 Cube). */

import type { RoundFormat, ValueFormat } from '../../../domain/attempts.js';
import type { EventKinds } from '../../../domain/decider.js';
import type { StreamCategory } from '../../../domain/streams.js';

export const spaceStream: StreamCategory<string> = { name: 'space', id: 'text' };

export interface EventDefinition {
  readonly eventId: string;
  readonly name: string;
  /** A heading for display, such as `wca` or `unofficial`. */
  readonly category: string;
  /** Display order, ascending. */
  readonly rank: number;
  readonly format: ValueFormat;
  readonly defaultRoundFormat: RoundFormat;
  /** Team size: 1 for individual events. */
  readonly participants: number;
  readonly description: string | null;
}

/**
 * Copies exactly the fields of the definition, in this order. Further fields of a caller's object or a document are
 * dropped.
 */
export const definitionOf = (event: EventDefinition): EventDefinition => ({
  eventId: event.eventId,
  name: event.name,
  category: event.category,
  rank: event.rank,
  format: event.format,
  defaultRoundFormat: event.defaultRoundFormat,
  participants: event.participants,
  description: event.description,
});

export type SpaceEvent =
  | { readonly type: 'SpaceCreated'; readonly data: { readonly spaceId: string; readonly name: string } }
  | { readonly type: 'EventDefined'; readonly data: EventDefinition }
  | { readonly type: 'EventEdited'; readonly data: EventDefinition };

export const spaceEvents: EventKinds<SpaceEvent> = {
  SpaceCreated: 'control',
  EventDefined: 'control',
  EventEdited: 'control',
};
