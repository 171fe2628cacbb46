/** Events that a space holds, for tests to which most of an event does not matter. */
import type { EventDefinition } from '../../src/competition/aggregates/space/space.events.js';

/** A time event of single persons by average of five, where nothing else is said. */
export const eventDefinition = (eventId: string, more: Partial<EventDefinition> = {}): EventDefinition => ({
  eventId,
  name: `Event ${eventId}`,
  category: 'test',
  rank: 1,
  format: 'time',
  defaultRoundFormat: 'a',
  participants: 1,
  description: null,
  ...more,
});
