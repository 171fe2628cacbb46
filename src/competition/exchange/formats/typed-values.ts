/**
 * Reads results as people type them into spreadsheets: `12.34`, `1:02.5`, `1:02:03.45`, DNF and DNS as words or as -1
 * and -2. A third decimal is cut, not rounded: the association's regulations cut to hundredths (see docs/domain.md).
 */
import { DNF, DNS, MAX_VALUE, NOT_TAKEN, type ValueFormat } from '../../../domain/attempts.js';
import { isDate } from '../../../domain/ids.js';
import { encodeMulti } from '../../../domain/scoring.js';

/** An attempt value, or why the text has none. An empty text means that the attempt was not taken. */
export type TypedValue =
  | { readonly ok: true; readonly value: number }
  | { readonly ok: false; readonly reason: string };

const value = (number: number): TypedValue =>
  number <= MAX_VALUE
    ? { ok: true, value: number }
    : { ok: false, reason: 'is larger than any result can be' };

const WORDS: Readonly<Record<string, number>> = { '': NOT_TAKEN, DNF, '-1': DNF, DNS, '-2': DNS };

export const readTyped = (text: string, format: ValueFormat): TypedValue => {
  const word = WORDS[text.trim().toUpperCase()];
  if (word !== undefined) return value(word);
  switch (format) {
    case 'time':
      return readTime(text.trim());
    case 'number':
      return readCount(text.trim());
    case 'multi':
      return readMulti(text.trim());
    default:
      return format satisfies never;
  }
};

const TIME = /^(?:(?:(\d{1,2}):)?(\d{1,3}):)?(\d{1,7})(?:\.(\d{1,3}))?$/;

const centiseconds = (text: string): number | null => {
  const [whole, hours, minutes, seconds = '0', decimals = ''] = TIME.exec(text) ?? [];
  if (whole === undefined || (minutes !== undefined && Number(seconds) >= 60)) return null;
  if (hours !== undefined && Number(minutes) >= 60) return null;
  const total = Number(hours ?? 0) * 3600 + Number(minutes ?? 0) * 60 + Number(seconds);
  return total * 100 + Number(decimals.padEnd(2, '0').slice(0, 2));
};

const readTime = (text: string): TypedValue => {
  const time = centiseconds(text);
  return time === null
    ? { ok: false, reason: `is “${text}”; a time looks like 12.34, 1:02.34 or 1:02:03.45, or is DNF or DNS` }
    : value(time);
};

const readCount = (text: string): TypedValue =>
  /^\d{1,15}$/.test(text)
    ? value(Number(text))
    : { ok: false, reason: `is “${text}”; a count is a whole number, or DNF or DNS` };

/** `11/12 45:32.10`: solved, attempted and the time. */
const readMulti = (text: string): TypedValue => {
  const [whole, solved = '', attempted = '', time = ''] =
    /^(\d{1,4})\s*\/\s*(\d{1,4})\s+(\S+)$/.exec(text) ?? [];
  const taken = whole === undefined ? null : centiseconds(time);
  const missed = Number(attempted) - Number(solved);
  if (taken === null || missed < 0 || Number(solved) < missed) {
    return { ok: false, reason: `is “${text}”; a multi result looks like 11/12 45:32, or is DNF or DNS` };
  }
  return value(encodeMulti({ solved: Number(solved), missed, centiseconds: taken, dnf: false }));
};

/** Reads a published average. In `number` events it is a mean with two decimals, stored as 100 times the mean. */
export const readTypedAverage = (text: string, format: ValueFormat): TypedValue => {
  if (format !== 'number') return readTyped(text, format);
  const word = WORDS[text.trim().toUpperCase()];
  if (word !== undefined) return value(word);
  return /^\d{1,10}(\.\d{1,2})?$/.test(text.trim())
    ? value(Math.round(Number(text) * 100))
    : { ok: false, reason: `is “${text}”; a mean of counts looks like 28.33, or is DNF` };
};

/** Returns a typed date such as `2005-9-11` as YYYY-MM-DD, or null when there is no such day. */
export const readDate = (text: string): string | null => {
  const [, year = '', month = '', day = ''] = /^(\d{4})-(\d{1,2})-(\d{1,2})$/.exec(text.trim()) ?? [];
  const date = `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`;
  return isDate(date) ? date : null;
};
