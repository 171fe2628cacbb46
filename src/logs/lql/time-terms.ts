/** Builds the test of a time term from its parts. All functions throw LqlFault. */
import { anyOf, LqlFault } from './lql-fault.js';
import { type Comparison, LAST_UNITS, THIS_UNITS, type TimePoint, type TimeTest } from './lql-tree.js';
import { boundsOf, hasBraces, type WrittenTime, zoneMinutes } from './written-times.js';

/** A time as written, or a word for a time. */
export type WrittenPoint = WrittenTime | Exclude<TimePoint, { readonly kind: 'instant' }>;

interface WrittenUnit {
  readonly text: string;
  readonly offset: number;
}

const isWritten = (point: WrittenPoint): point is WrittenTime =>
  point.kind === 'date' || point.kind === 'unix';

const pointOf = (written: WrittenPoint): TimePoint => {
  if (!isWritten(written)) return written;
  if (hasBraces(written)) throw new LqlFault(written.span.start, 'expected one time, without braces');
  return boundsOf(written).low;
};

export const comparedTo = (operator: Comparison, written: WrittenPoint): TimeTest => ({
  kind: 'comparison',
  operator,
  point: pointOf(written),
});

export const at = (written: WrittenPoint): TimeTest => {
  if (isWritten(written) && hasBraces(written)) return { kind: 'range', ...boundsOf(written) };
  return { kind: 'at', point: pointOf(written) };
};

export const between = (first: WrittenPoint, last: WrittenPoint): TimeTest => {
  if (isWritten(first) && isWritten(last) && zoneMinutes(first) !== zoneMinutes(last))
    throw new LqlFault(last.span.start, 'expected both ends of the range in one time zone');
  const low = pointOf(first);
  const high = pointOf(last);
  const bothKnown = low.kind === 'instant' && high.kind === 'instant';
  if (bothKnown && high.microseconds < low.microseconds) {
    throw new LqlFault(last.span.start, 'expected a range that ends after it begins');
  }
  return { kind: 'range', low, high };
};

/** A larger number of units always leads to a time out of range. */
const MAX_UNITS = 1_000_000;

export const last = (amount: WrittenUnit, unit: WrittenUnit): TimeTest => {
  const number = Number(amount.text);
  if (number < 1 || number > MAX_UNITS) {
    throw new LqlFault(amount.offset, `expected a number from 1 to ${MAX_UNITS}`);
  }
  const found = LAST_UNITS.find((name) => [name, `${name}s`, LETTERS[name]].includes(unit.text));
  if (found) return { kind: 'last', amount: number, unit: found };
  throw new LqlFault(unit.offset, `expected ${anyOf(LAST_UNITS.map((name) => `${name}s`))}`);
};

export const current = (unit: WrittenUnit): TimeTest => {
  const found = THIS_UNITS.find((name) => name === unit.text);
  if (found) return { kind: 'this', unit: found };
  throw new LqlFault(unit.offset, `expected ${anyOf(THIS_UNITS)}`);
};

/** Letters for units. A month has two, because `m` is a minute. */
const LETTERS: Readonly<Record<string, string>> = {
  second: 's',
  minute: 'm',
  hour: 'h',
  day: 'd',
  week: 'w',
  month: 'mm',
  year: 'y',
};
