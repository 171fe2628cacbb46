/** How far the read models may lag behind the event store before an operator is warned. */

/** Positions of an embedded store count events; those of EventStoreDB count bytes, about 500 an event. */
const EVENTS = 10_000;
const BYTES_AN_EVENT = 500;

/** Returns the lag in positions of the store that the URL names. */
export const lagOfConcern = (eventStoreUrl: string): number =>
  eventStoreUrl.startsWith('sqlite:') ? EVENTS : EVENTS * BYTES_AN_EVENT;
