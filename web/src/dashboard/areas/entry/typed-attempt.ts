/**
 * What somebody types for an attempt, with one hand on the number pad: digits without punctuation (12345 is 1:23.45),
 * `d` or `/` for DNF, `s` or `*` for DNS. Who types the punctuation gets the same. Nothing is guessed: what reads in no
 * one way is wrong, with a sentence why.
 */
import { DNF, DNS, type ValueFormat } from '../../../../../src/domain/attempts.js';
import { encodeMulti } from '../../../../../src/domain/scoring.js';

export type TypedAttempt =
  | { readonly kind: 'empty' }
  | { readonly kind: 'value'; readonly value: number }
  /** May become a value; what comes next is said. */
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
const NOT_A_TIME = 'A time is digits alone, as 12345 for 1:23.45, or d for DNF, s for DNS.';

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

/** A third decimal is cut, as everywhere where times are typed. */
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
  // 7500 is how some timers show 1:15.00; with minutes before them, more than 59 seconds are a slip.
  if (seconds > 59 && (minutes > 0 || hours > 0))
    return wrong(`There is no ${seconds}th second of a minute.`);
  if (minutes > 59 && hours > 0) return wrong(`There is no ${minutes}th minute of an hour.`);
  const value = ((hours * 60 + minutes) * 60 + seconds) * 100 + hundredths;
  return value === 0 ? wrong('A time is more than 0.') : taken(value);
};

// --- counts ---------------------------------------------------------------------------------------------------------

const readCount = (text: string): TypedAttempt => {
  if (!/^\d{1,4}$/.test(text)) return wrong('Type the number, or d for DNF, s for DNS.');
  const value = Number(text);
  return value === 0 ? wrong('The number is more than 0.') : taken(value);
};

// --- multi ----------------------------------------------------------------------------------------------------------

const NOT_A_MULTI =
  'Two digits solved, two digits tried, then the time: 11124532 for 11/12 in 45:32. From 100 on: 105/120 10000.';

/** `SSTT` and the time in whole seconds as `hmmss`; with a slash and a space for more than 99. */
const readMulti = (text: string): TypedAttempt => {
  if (/^\d{1,4}$/.test(text)) {
    if (text.length < 2) return unfinished('Two digits for those solved');
    if (text.length < 4) return unfinished(`${Number(text.slice(0, 2))} solved, of how many? Two digits`);
    return unfinished(`${Number(text.slice(0, 2))} of ${Number(text.slice(2))}, in which time?`);
  }
  const [, solved, tried, time] =
    /^(\d{2})(\d{2})(\d{1,6})$/.exec(text) ?? /^(\d{1,4})[/ ](\d{1,4})(?: +([\d:]{1,8}))?$/.exec(text) ?? [];
  if (solved === undefined || tried === undefined) return wrong(NOT_A_MULTI);
  if (time === undefined) return unfinished(`${solved} of ${tried}, in which time?`);
  const seconds = wholeSeconds(time);
  return seconds === null ? wrong(NOT_A_MULTI) : multiOf(Number(solved), Number(tried), seconds);
};

const wholeSeconds = (text: string): number | null => {
  const digits = text.replaceAll(':', '').padStart(6, '0');
  const [hours = 0, minutes = 0, seconds = 0] = (digits.match(/../g) ?? []).map(Number);
  return digits.length === 6 && minutes < 60 && seconds < 60 ? (hours * 60 + minutes) * 60 + seconds : null;
};

/** Fewer solved than missed, or just one of two, is a DNF by the rules of the event; its details are kept. */
const multiOf = (solved: number, tried: number, seconds: number): TypedAttempt => {
  const missed = tried - solved;
  if (missed < 0) return wrong(`${solved} solved of ${tried} tried cannot be.`);
  if (tried < 2) return wrong('At least two are tried.');
  const dnf = solved < missed || solved < 2;
  return taken(encodeMulti({ solved, missed, centiseconds: seconds * 100, dnf }));
};
