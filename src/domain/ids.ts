/**
 * The forms of ids, slugs, dates and names. Ids go into stream names and URLs unchanged, so none may hold `/`.
 * The slug of a space must not be a word that the API uses as a path segment.
 */

const CONTEST_ID = /^[A-Za-z0-9_-]{1,64}$/;
const EVENT_ID = /^[A-Za-z0-9_-]{1,64}$/;
const SPACE_SLUG = /^[a-z0-9][a-z0-9-]{0,62}$/;
const ASSOC_ID = /^[A-Za-z0-9]{1,32}$/;
const ROUND_CODE = /^([A-Za-z0-9_-]{1,64})-r([1-9][0-9]?)$/;
const DATE = /^(\d{4})-(\d{2})-(\d{2})$/;

/** The space of a request that names none. */
export const DEFAULT_SPACE = 'default';

/**
 * First segments below `/api/` that are paths of their own, or may become so. No space may have one as its
 * slug.
 */
export const RESERVED_SLUGS: ReadonlySet<string> = new Set([
  'access',
  'accounts',
  'admin',
  'api',
  'assets',
  'auth',
  'competitions',
  'contests',
  'dashboard',
  'docs',
  'docs-json',
  'endpoints',
  'enter-attempt',
  'enter-results',
  'events',
  'health',
  'healthcheck',
  'keys',
  'login',
  'logout',
  'logs',
  'metrics',
  'moderation',
  'openapi',
  'persons',
  'rankings',
  'records',
  'results',
  'rounds',
  'screen',
  'session',
  'sessions',
  'sign-in',
  'spaces',
  'static',
  'tokens',
  'users',
]);

export const isContestId = (text: string): boolean => CONTEST_ID.test(text);
export const isEventId = (text: string): boolean => EVENT_ID.test(text);
export const isSpaceSlug = (text: string): boolean => SPACE_SLUG.test(text) && !RESERVED_SLUGS.has(text);
/** The association's ids are alphanumeric; they are compared without case. */
export const isAssocId = (text: string): boolean => ASSOC_ID.test(text);

/** Largest number of a round within its event. */
export const MAX_ROUND_NUMBER = 99;
export const isRoundNumber = (value: number): boolean =>
  Number.isInteger(value) && value >= 1 && value <= MAX_ROUND_NUMBER;

/** Parses the code of a round inside its contest, `333-r1`; null when it is none. */
export const parseRoundCode = (
  code: string,
): { readonly eventId: string; readonly roundNumber: number } | null => {
  const [, eventId, number] = ROUND_CODE.exec(code) ?? [];
  return eventId === undefined || number === undefined ? null : { eventId, roundNumber: Number(number) };
};

const daysInMonth = (year: number, month: number): number => new Date(Date.UTC(year, month, 0)).getUTCDate();

/** A day of the Gregorian calendar as YYYY-MM-DD, from 1900 to 2999. Years outside are typing errors. */
export const isDate = (text: string): boolean => {
  const [, year, month, day] = DATE.exec(text) ?? [];
  const [y, m, d] = [Number(year), Number(month), Number(day)];
  return y >= 1900 && y <= 2999 && m >= 1 && m <= 12 && d >= 1 && d <= daysInMonth(y, m);
};

/**
 * A name that can be shown: not blank, at most `longest` characters, no control characters, no lone surrogates.
 */
export const isName = (text: string, longest = 200): boolean =>
  text.trim() !== '' && text.length <= longest && !/[\p{Cc}\p{Cs}]/u.test(text);

/** The rule of isName as a sentence part. */
export const nameRule = (longest = 200): string =>
  `must be 1 to ${longest} characters that can be shown, not only spaces`;
