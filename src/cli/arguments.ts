/** Parses the words of a command line. An invalid word is a usage error that says what is allowed. */
import { InvalidArgumentError } from 'commander';
import type { RegionPeriod } from '../competition/aggregates/person/person.events.js';
import type { Advancement, Cutoff } from '../domain/attempts.js';
import { isCountry } from '../domain/regions.js';
import { isSourceName, SOURCE_NAMES } from '../foundation/log-store/sources.js';

export const positiveInteger = (text: string): number => {
  const value = Number(text);
  if (!/^\d+$/.test(text) || value < 1 || !Number.isSafeInteger(value)) {
    throw new InvalidArgumentError('It must be a whole number of at least 1.');
  }
  return value;
};

export const wholeNumber = (text: string): number => {
  const value = Number(text);
  if (!/^\d+$/.test(text) || !Number.isSafeInteger(value)) {
    throw new InvalidArgumentError('It must be a whole number of at least 0.');
  }
  return value;
};

/** An existing day as YYYY-MM-DD. */
export const calendarDate = (text: string): string => {
  const date = new Date(`${text}T00:00:00Z`);
  if (
    !/^\d{4}-\d\d-\d\d$/.test(text) ||
    Number.isNaN(date.getTime()) ||
    !date.toISOString().startsWith(text)
  ) {
    throw new InvalidArgumentError('It must be a date, YYYY-MM-DD.');
  }
  return text;
};

/** A duration in centiseconds, from `10:00`, `1:02:03.45`, `59.99`, or a whole number of centiseconds. */
export const duration = (text: string): number => {
  if (/^\d+$/.test(text)) return positiveInteger(text);
  const [, hours = '0', minutes = '0', seconds = '', hundredths = ''] =
    /^(?:(?:(\d+):)?(\d{1,2}):)?(\d{1,2})(?:\.(\d{1,2}))?$/.exec(text) ?? [];
  const value =
    ((Number(hours) * 60 + Number(minutes)) * 60 + Number(seconds)) * 100 + Number(hundredths.padEnd(2, '0'));
  if (seconds === '' || value === 0) {
    throw new InvalidArgumentError('It must be a time such as 10:00 or 59.99, or a number of centiseconds.');
  }
  return value;
};

/** `2:1:00`: one of the first two attempts under a minute. A bare number after the colon is a raw attempt value. */
export const cutoff = (text: string): Cutoff => {
  const [attempts = '', ...rest] = text.split(':');
  if (rest.length === 0) throw new InvalidArgumentError('It must be ATTEMPTS:VALUE, such as 2:1:00.00.');
  return { numberOfAttempts: positiveInteger(attempts), attemptResult: duration(rest.join(':')) };
};

/** `16` competitors, `75%` of them, or `under:10.00`: all with a better result. A bare number after the colon is a raw value. */
export const advancement = (text: string): Advancement => {
  if (text.startsWith('under:')) return { type: 'value', value: duration(text.slice('under:'.length)) };
  return text.endsWith('%')
    ? { type: 'percent', value: positiveInteger(text.slice(0, -1)) }
    : { type: 'number', value: positiveInteger(text) };
};

/** `none` or a code such as `IE`, in any case. */
export const region = (text: string): string | null => {
  if (text === 'none') return null;
  const code = text.toUpperCase();
  if (isCountry(code)) return code;
  throw new InvalidArgumentError('It must be a country of ISO 3166-1 alpha-2, such as IE, or none.');
};

/** `IE,2020-05-01:GB`: Ireland from the beginning, the United Kingdom from that day on. */
export const timeline = (text: string): readonly RegionPeriod[] =>
  text.split(',').map((part) => {
    const [, from, code = ''] = /^(?:([^:]+):)?([^:]+)$/.exec(part) ?? [];
    if (code === '') throw new InvalidArgumentError('It must be REGION or DATE:REGION, joined by commas.');
    return { from: from === undefined ? null : calendarDate(from), regionCode: region(code) };
  });

/** The persons of a competitor: `7`, or of a team `7,12`. */
export const personIds = (text: string): readonly number[] => text.split(',').map(positiveInteger);

/** Collects the values of an option that may be repeated. */
export const repeated =
  <T>(parse: (text: string) => T) =>
  (text: string, before: readonly T[] | undefined): readonly T[] => [...(before ?? []), parse(text)];

export const sourceName = (text: string): string => {
  if (isSourceName(text)) return text;
  throw new InvalidArgumentError(`It must be ${SOURCE_NAMES}.`);
};

/** One of these words. */
export const oneOf =
  <T extends string>(words: readonly T[]) =>
  (text: string): T => {
    const word = words.find((known) => known === text);
    if (word === undefined) throw new InvalidArgumentError(`It must be one of ${words.join(', ')}.`);
    return word;
  };

/** `name=value`; the value may hold further `=`, or nothing. */
export const keyValue = (text: string): readonly [name: string, value: string] => {
  const [name = '', ...value] = text.split('=');
  if (name === '' || value.length === 0) throw new InvalidArgumentError('It must be NAME=VALUE.');
  return [name, value.join('=')];
};
