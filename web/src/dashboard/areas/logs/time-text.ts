/** Times of the API as texts, in UTC. */

/** `2026-03-17` of an ISO 8601 time. */
export const dayText = (iso: string): string => iso.slice(0, 10);

/** `2026-03-17 14:47 UTC` of an ISO 8601 time. */
export const minuteText = (iso: string): string => `${iso.slice(0, 16).replace('T', ' ')} UTC`;

const WRITTEN =
  /^(\d{4})-(\d\d?)-(\d\d?)(?:[T ](\d\d?):(\d\d?)(?::(\d\d?)(\.\d+)?)?)?(?:Z|([+-]\d\d)(?::?(\d\d))?)?$/i;

/**
 * Milliseconds since 1970 of a time as the API takes and writes it; NaN for other texts, and where it names a zone (`Europe/Berlin`).
 * Without a zone it is UTC, not the reader's local time.
 */
export const momentOf = (value: unknown): number => {
  const parts = WRITTEN.exec(String(value));
  if (parts === null) return Number.NaN;
  const [, year, ...rest] = parts;
  const [month, day, hours, minutes, seconds] = rest.slice(0, 5).map((part = '0') => part.padStart(2, '0'));
  const [fraction = '', offset = '+00', more = '00'] = rest.slice(5);
  return Date.parse(`${year}-${month}-${day}T${hours}:${minutes}:${seconds}${fraction}${offset}:${more}`);
};
