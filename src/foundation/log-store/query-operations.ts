/**
 * The closed sets of what a query tree can ask of an engine. An operation gives NULL when an argument is NULL, or when there is
 * no such value, and never fails the query, unless it says otherwise. Texts compare byte by byte; lengths are in characters.
 */

/**
 * The operations, each with how often an engine may write one of its arguments. The limits of a query's size count on it, so
 * that nested calls cannot grow without bound in print.
 */
export const OPERATIONS = {
  // Conditions. `same` and `differs` take NULL as a value.
  '=': 1,
  '<>': 1,
  '<': 1,
  '<=': 1,
  '>': 1,
  '>=': 1,
  same: 1,
  differs: 1,
  between: 1,
  not: 1,
  'is-null': 1,
  'is-not-null': 1,
  coalesce: 1,
  /** Fails the query with this text of ours. */
  error: 1,
  // Types. A text that does not read as the type is NULL.
  'as-text': 1,
  'number-as-text': 1,
  'timestamp-as-text': 5,
  'list-as-text': 1,
  'json-as-text': 1,
  'text-as-boolean': 1,
  'text-as-integer': 1,
  'text-as-number': 1,
  /** To be compared: NULL also for NaN, which engines order differently. */
  'text-as-ordered-number': 1,
  'text-as-timestamp': 2,
  /** Scalars that the store read from JSON where all entries so far had the type. */
  'stored-as-boolean': 1,
  'stored-as-integer': 1,
  'stored-as-number': 1,
  'stored-as-timestamp': 1,
  'stored-as-date': 1,
  'integer-as-number': 1,
  'number-as-integer': 1,
  'boolean-as-integer': 1,
  /** The sum of integers as an integer. */
  'sum-as-integer': 1,
  'date-as-timestamp': 1,
  'timestamp-as-date': 1,
  // JSON. `numbers`: a number, or a list of them.
  'as-json': 1,
  'numbers-as-json': 1,
  'timestamp-as-json': 1,
  'timestamps-as-json': 1,
  'text-as-json': 2,
  'json-array': 1,
  // Numbers. A division by zero is NULL. Operations of integers are NULL beyond 64 bits.
  negate: 1,
  add: 1,
  subtract: 1,
  multiply: 1,
  divide: 1,
  'add-integers': 1,
  'subtract-integers': 1,
  'multiply-integers': 1,
  'divide-integers': 1,
  modulo: 1,
  power: 1,
  abs: 1,
  sign: 1,
  /** Halves away from zero; to so many digits, or to none. */
  round: 1,
  trunc: 1,
  ceil: 1,
  floor: 1,
  exp: 1,
  sqrt: 1,
  cbrt: 1,
  ln: 1,
  log10: 1,
  /** The logarithm to a base. */
  log: 1,
  greatest: 1,
  least: 1,
  // Texts. A count below 0 is 0.
  lower: 1,
  upper: 1,
  length: 1,
  'byte-length': 1,
  reverse: 1,
  replace: 1,
  /** From a position from 1, with a count or to the end. */
  substring: 1,
  /** The same from any position: a negative one counts from the end, others below 1 are the beginning. */
  'substring-around': 3,
  left: 1,
  right: 1,
  trim: 1,
  'trim-start': 1,
  'trim-end': 1,
  'pad-start': 1,
  'pad-end': 1,
  repeat: 1,
  /** From 1; 0 without it. */
  position: 1,
  contains: 1,
  'contains-in-any-case': 1,
  'starts-with': 1,
  'ends-with': 1,
  split: 1,
  'url-host': 1,
  /** A value in a format of C's printf. */
  printf: 1,
  // Patterns in RE2's syntax. `matched` gives a group, 0 for the whole match.
  matches: 1,
  'matches-whole': 1,
  matched: 2,
  'all-matched': 1,
  'replace-matched': 1,
  /** A pattern of LIKE in which % is the only special character. */
  'matches-percents': 1,
  /** Any pattern of LIKE; an invalid one, or one of more than 1,000 characters, is NULL. */
  'matches-like': 3,
  // Lists. Positions are from 1, negative ones from the end.
  list: 1,
  'list-length': 1,
  'list-element': 1,
  /** So many elements from the first on. */
  'list-start': 1,
  'list-reversed': 1,
  'list-joined': 1,
  flattened: 1,
  /** From the first to the last, both included, by a step. */
  series: 1,
  /** The most frequent of `counts-by-value`, and what one of them is made of. */
  'top-counts': 1,
  'counted-value': 1,
  'counted-times': 1,
  // Times. Units and zones are literals; intervals are of their own type.
  later: 1,
  earlier: 1,
  'time-between': 1,
  'days-later': 2,
  'days-earlier': 2,
  'days-between': 1,
  /** Of a unit; a week begins on Monday. */
  'start-of': 1,
  /** Of weeks that begin so many days after a Monday. */
  'start-of-week': 2,
  'boundaries-between': 1,
  /** Whole units of so many microseconds from the second time to the first. */
  'units-between': 1,
  /** The time in a zone at a timestamp, and back. */
  'local-time': 1,
  'timestamp-of-local': 1,
  /** An amount of units of so many days, microseconds or months. */
  'interval-of-days': 3,
  'interval-of-microseconds': 3,
  'interval-of-months': 3,
  'interval-of-minutes': 1,
  /** From and to a count of units of so many microseconds since 1970; within the years 1 to 9999. */
  'timestamp-of-units': 3,
  'units-of-timestamp': 4,
  /** From year, month, day, hour, minute and second. */
  'timestamp-of-parts': 1,
  /** How many steps a series of times has at most. */
  'steps-between': 8,
  /** Of buckets of an interval from an origin on, by default 1950-01-01. */
  'time-bucket': 2,
  'last-day': 1,
  'days-since-1970': 1,
  'date-of-days': 2,
  /** 1 in rows of grouping sets without the term. */
  grouping: 1,
} as const;

export type Operation = keyof typeof OPERATIONS;

/** Aggregates and functions of a window. They leave out NULLs, but for `list`, and are NULL without values, but for `count`. */
export type AggregateName =
  /** Without arguments, of rows. */
  | 'count'
  | 'sum'
  | 'avg'
  | 'min'
  | 'max'
  /** Of numbers, and of the texts that they were read from: the extreme number as JSON if there are numbers, otherwise the extreme text. */
  | 'min-json'
  | 'max-json'
  | 'any-value'
  | 'list'
  | 'joined-text'
  /** The bounds of so many equal parts of the sorted values. */
  | 'quantiles'
  | 'counts-by-value'
  /** The first value, even NULL, where the second is greatest or least. */
  | 'value-at-greatest'
  | 'value-at-least'
  | 'corr'
  | 'covar-pop'
  | 'covar-samp'
  | 'every'
  | 'some'
  | 'stddev-samp'
  | 'stddev-pop'
  | 'var-samp'
  | 'var-pop'
  | 'row-number'
  | 'rank'
  | 'dense-rank'
  | 'percent-rank'
  | 'cume-dist'
  | 'ntile'
  | 'lag'
  | 'lead'
  | 'first-value'
  | 'last-value'
  | 'nth-value'
  /** The value at a fraction of the sorted values: between two of them, or one of them. */
  | 'percentile-cont'
  | 'percentile-disc';

/** What EXTRACT takes from a time. Weeks count from 0, days of the week from Sunday as 1. */
export const TIME_PARTS = [
  'microsecond',
  'millisecond',
  'second',
  'minute',
  'hour',
  'dayofweek',
  'day',
  'dayofyear',
  'week',
  'week(monday)',
  'isoweek',
  'month',
  'quarter',
  'year',
  'isoyear',
] as const;

export type TimePart = (typeof TIME_PARTS)[number];

/** The elements of a time format from which a text can be read back. */
export const READABLE_TIME_ELEMENTS = [
  ...['A', 'a', 'B', 'b', 'h', 'D', 'd', 'e', 'F', 'G', 'H', 'I', 'j', 'M', 'm', 'n', 'p', 'R', 'r'],
  ...['S', 'T', 't', 'U', 'u', 'V', 'W', 'w', 'X', 'x', 'Y', 'y', 'z', '%', 'E4Y', 'E6S', 'E3S', 'Ez'],
] as const;

export const TIME_ELEMENTS = [
  ...READABLE_TIME_ELEMENTS,
  ...['C', 'c', 'g', 'k', 'l', 'P', 'Q', 's', 'Z', 'E*S', 'E0S', 'E1S', 'E2S', 'E4S', 'E5S'],
] as const;

export type TimeElement = (typeof TIME_ELEMENTS)[number];
