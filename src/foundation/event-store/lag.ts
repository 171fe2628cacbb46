/** How far behind the event store read models may be before an operator should know. Positions are not alike everywhere. */

/** Events of an embedded store, which counts them; EventStoreDB counts bytes, about half a thousand an event. */
const EVENTS = 10_000;
const BYTES_AN_EVENT = 500;

/** In positions of the store that the URL names. */
export const lagOfConcern = (eventStoreUrl: string): number =>
  eventStoreUrl.startsWith('sqlite:') ? EVENTS : EVENTS * BYTES_AN_EVENT;
