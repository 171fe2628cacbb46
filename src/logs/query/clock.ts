/** The clock behind `current_timestamp()` in queries. Tests inject their own. */

/** Microseconds since 1970, UTC. */
export type Moment = () => number;

export const systemClock: Moment = () => Date.now() * 1_000;

/** Injection token of the Moment. */
export const CLOCK = Symbol('Moment');
