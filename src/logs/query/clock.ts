/** The moment that a query means by now, so that tests can choose it. */

/** Microseconds since 1970, UTC. */
export type Moment = () => number;

export const systemClock: Moment = () => Date.now() * 1_000;

/** Injection token of the Moment. */
export const CLOCK = Symbol('Moment');
