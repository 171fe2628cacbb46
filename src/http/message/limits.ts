/** What a client may ask of the server before it is cut short, in one place. Times are milliseconds. */

/** Of one body, in bytes: a round of thousands of results fits. */
export const MAX_BODY_BYTES = 1_048_576;
/** Of all headers of a request together, in bytes. */
export const MAX_HEADER_BYTES = 16_384;
/** Until a request's headers are in. */
export const HEADERS_TIMEOUT_MS = 10_000;
/** Until a whole request is in. */
export const REQUEST_TIMEOUT_MS = 30_000;
/** How long an idle connection is kept; longer than the usual proxy keeps its own end. */
export const KEEP_ALIVE_TIMEOUT_MS = 72_000;
/** How often slow requests are looked for. */
export const CONNECTION_CHECK_INTERVAL_MS = 5_000;
/** How long a read waits for the position that its Podium-Position asks for. */
export const POSITION_WAIT_MS = 2_000;
/** How long the reply to a command that makes something waits for reads to know it: longer than another node takes to project. */
export const CREATED_WAIT_MS = 10_000;
/** How long requests under way may take to finish at shutdown. */
export const SHUTDOWN_GRACE_MS = 10_000;
/** How long a store may take to answer the health check. */
export const HEALTH_TIMEOUT_MS = 1_000;
/** Viewers of live rounds at a time: each costs a connection. */
export const MAX_VIEWERS = 20_000;
/** Bytes that may wait for a slow viewer; beyond them it misses steps and gets the whole round later. */
export const VIEWER_BACKLOG = 262_144;
/** How often a silent stream says that it is still there: proxies end what is silent for a minute. */
export const VIEWER_PING_MS = 20_000;
