/** The checks that every event store makes before it writes: no engine ever gets an event that it cannot store. */
import type { NewEvent } from './event-store.js';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** Throws TypeError. A type that begins with `$` is EventStoreDB's own. */
export const checkAppend = (stream: string, events: readonly NewEvent[]): void => {
  if (events.length === 0) throw new TypeError('there is no event to append');
  if (stream === '' || stream.startsWith('$')) throw new TypeError(`no stream is called ${stream}`);
  for (const { id, type } of events) {
    if (!UUID.test(id)) throw new TypeError(`an event's id is not a UUID in lower case: ${id}`);
    if (type === '' || type.startsWith('$')) throw new TypeError(`no event is of the type ${type}`);
  }
  if (events.length > 1 && new Set(events.map(({ id }) => id)).size < events.length) {
    throw new TypeError("an event's id stands twice in one append");
  }
};
