/** Times of the API as texts, in UTC. */

/** `2026-03-17` of an ISO 8601 time. */
export const dayText = (iso: string): string => iso.slice(0, 10);

/** `2026-03-17 14:47 UTC` of an ISO 8601 time. */
export const minuteText = (iso: string): string => `${iso.slice(0, 16).replace('T', ' ')} UTC`;
