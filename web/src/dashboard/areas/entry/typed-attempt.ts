/**
 * Parses the typed text of an attempt. A typist needs one hand on the number pad: digits without punctuation (12345 is
 * 1:23.45), `d` or `/` for DNF, `s` or `*` for DNS. Punctuation is accepted too. An ambiguous text is an error, with the
 * reason as a sentence.
 */
import { DNF, DNS, type ValueFormat } from '../../../../../src/domain/attempts.js';
import { encodeMulti } from '../../../../../src/domain/scoring.js';

export type TypedAttempt =
  | { readonly kind: 'empty' }
  | { readonly kind: 'value'; readonly value: number }
  /** The beginning of a value; the reason says what is missing. */
  | { readonly kind: 'unfinished'; readonly reason: string }
  | { readonly kind: 'wrong'; readonly reason: string };

const EMPTY: TypedAttempt = { kind: 'empty' };
const taken = (value: number): TypedAttempt => ({ kind: 'value', value });
const wrong = (reason: string): TypedAttempt => ({ kind: 'wrong', reason });
const unfinished = (reason: string): TypedAttempt => ({ kind: 'unfinished', reason });

export const parseAttempt = (given: string, format: ValueFormat): TypedAttempt => {
  const text = given.trim().toLowerCase();
  if (text === '') return EMPTY;
  if (text === 'd' || text === '/' || text === 'dnf') return taken(DNF);
  if (text === 's' || text === '*' || text === 'dns') return taken(DNS);
  switch (format) {
    case 'time':
      return readTime(text);
    case 'number':
      return readCount(text);
    case 'multi':
      return readMulti(text);
    default:
      return format satisfies never;
  }
};

// --- times ----------------------------------------------------------------------------------------------------------

const MAX_TIME_DIGITS = 8;
const NOT_A_TIME = 'Type digits only, such as 12345 for 1:23.45, or d for DNF, s for DNS.';

interface Clock {
  readonly hours: number;
  readonly minutes: number;
  readonly seconds: number;
  readonly hundredths: number;
}

const readTime = (text: string): TypedAttempt => {
  const clock = /^\d+$/.test(text) ? clockOfDigits(text) : clockOfPunctuated(text);
  return clock === null ? wrong(NOT_A_TIME) : timeOf(clock);
};

/** The last two digits are hundredths, the two before them seconds, then minutes, then hours. */
const clockOfDigits = (text: string): Clock | null => {
  const digits = text.replace(/^0+/, '').padStart(MAX_TIME_DIGITS, '0');
  if (digits.length > MAX_TIME_DIGITS) return null;
  const [hours = 0, minutes = 0, seconds = 0, hundredths = 0] = (digits.match(/../g) ?? []).map(Number);
  return { hours, minutes, seconds, hundredths };
};

/** Cuts a third decimal, like every other place where times are typed. */
const clockOfPunctuated = (text: string): Clock | null => {
  const [, first, second, seconds, decimals = ''] =
    /^(?:(\d{1,3}):)?(?:(\d{1,2}):)?(\d{1,4})(?:[.,](\d{0,4}))?$/.exec(text) ?? [];
  if (seconds === undefined) return null;
  const [hours, minutes] = second === undefined ? [0, Number(first ?? 0)] : [Number(first), Number(second)];
  return {
    hours,
    minutes,
    seconds: Number(seconds),
    hundredths: Number(decimals.padEnd(2, '0').slice(0, 2)),
  };
};

const timeOf = ({ hours, minutes, seconds, hundredths }: Clock): TypedAttempt => {
  // Some timers show 1:15.00 as 75.00. With minutes, more than 59 seconds are a typing error.
  if (seconds > 59 && (minutes > 0 || hours > 0)) return wrong(`${seconds} seconds are more than 59.`);
  if (minutes > 59 && hours > 0) return wrong(`${minutes} minutes are more than 59.`);
  const value = ((hours * 60 + minutes) * 60 + seconds) * 100 + hundredths;
  return value === 0 ? wrong('A time must be more than 0.') : taken(value);
};

// --- counts ---------------------------------------------------------------------------------------------------------

const readCount = (text: string): TypedAttempt => {
  if (!/^\d{1,4}$/.test(text)) return wrong('Type the number, or d for DNF, s for DNS.');
  const value = Number(text);
  return value === 0 ? wrong('The number must be more than 0.') : taken(value);
};

// --- multi ----------------------------------------------------------------------------------------------------------

const NOT_A_MULTI =
  'Type two digits solved, two digits tried, then the time: 11124532 for 11/12 in 45:32. From 100 on: 105/120 10000.';

/** `SSTT` (solved, tried) and the time as `hmmss`. Counts above 99 need a slash and a space. */
const readMulti = (text: string): TypedAttempt => {
  if (/^\d{1,4}$/.test(text)) {
    if (text.length < 2) return unfinished('Type two digits for the solved puzzles');
    if (text.length < 4)
      return unfinished(`${Number(text.slice(0, 2))} solved. Type two digits for the tried puzzles`);
    return unfinished(`${Number(text.slice(0, 2))} of ${Number(text.slice(2))}. Type the time`);
  }
  const [, solved, tried, time] =
    /^(\d{2})(\d{2})(\d{1,6})$/.exec(text) ?? /^(\d{1,4})[/ ](\d{1,4})(?: +([\d:]{1,8}))?$/.exec(text) ?? [];
  if (solved === undefined || tried === undefined) return wrong(NOT_A_MULTI);
  if (time === undefined) return unfinished(`${solved} of ${tried}. Type the time`);
  const seconds = wholeSeconds(time);
  return seconds === null ? wrong(NOT_A_MULTI) : multiOf(Number(solved), Number(tried), seconds);
};

const wholeSeconds = (text: string): number | null => {
  const digits = text.replaceAll(':', '').padStart(6, '0');
  const [hours = 0, minutes = 0, seconds = 0] = (digits.match(/../g) ?? []).map(Number);
  return digits.length === 6 && minutes < 60 && seconds < 60 ? (hours * 60 + minutes) * 60 + seconds : null;
};

/** By the rules of the event, fewer solved than missed, or one of two, is a DNF. The value keeps its details. */
const multiOf = (solved: number, tried: number, seconds: number): TypedAttempt => {
  const missed = tried - solved;
  if (missed < 0) return wrong(`${solved} solved of ${tried} tried is not possible.`);
  if (tried < 2) return wrong('At least two puzzles must be tried.');
  const dnf = solved < missed || solved < 2;
  return taken(encodeMulti({ solved, missed, centiseconds: seconds * 100, dnf }));
};
