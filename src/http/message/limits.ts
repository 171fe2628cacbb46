/** The limits for clients, in one place. Times are milliseconds. */

/** Bytes of a body. A round of thousands of results fits. */
export const MAX_BODY_BYTES = 1_048_576;
/** Bytes of all headers of a request. */
export const MAX_HEADER_BYTES = 16_384;
/** Time until the headers of a request have arrived. */
export const HEADERS_TIMEOUT_MS = 10_000;
/** Time until a whole request has arrived. */
export const REQUEST_TIMEOUT_MS = 30_000;
/** Time that an idle connection stays open; longer than usual proxies keep their side. */
export const KEEP_ALIVE_TIMEOUT_MS = 72_000;
/** A request that waits as long as this is answered 503; at the latest 2 s later, with the check of the stores. */
export const ANSWER_WITHIN_MS = 8_000;
/** Interval of the look at the requests that wait. */
export const ANSWER_SWEEP_MS = 500;
/** Interval of the check for slow requests. */
export const CONNECTION_CHECK_INTERVAL_MS = 5_000;
/** Time that a read waits for its Podium-Position. */
export const POSITION_WAIT_MS = 2_000;
/**
 * Time that the reply to a creating command waits for reads to show it; longer than another node needs to
 * project.
 */
export const CREATED_WAIT_MS = 7_000;
/** Time that running requests have to finish at shutdown; then their connections are closed. */
export const SHUTDOWN_GRACE_MS = 2_000;
/** Time of the whole shutdown, after which the process ends whatever its stores do. It does not count the drain. */
export const SHUTDOWN_MS = 4_500;
/** Time that a store has to answer the health check. */
export const HEALTH_TIMEOUT_MS = 1_000;
/** Concurrent viewers of live rounds; each needs a connection. */
export const MAX_VIEWERS = 20_000;
/** Bytes that may wait for a slow viewer. Beyond that it skips changes and gets the whole round later. */
export const VIEWER_BACKLOG = 262_144;
/** Interval of pings on a silent stream: proxies close a connection that is silent for a minute. */
export const VIEWER_PING_MS = 20_000;
