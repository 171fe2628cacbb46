/**
 * Refuses a value of LQL that cannot have the type of its field, when all entries so far have one type there. Such a filter
 * would match no entry, and the author would not see why. A field with several types or none accepts every value.
 */
import { refuse } from '../query-problem.js';
import { readsAsNumber } from '../texts/number-texts.js';
import { readsAsTime } from '../texts/time-texts.js';
import type { Literal } from '../tree.js';
import type { Value, ValueType } from '../values/values.js';

interface Wanted {
  readonly says: string;
  readonly fits: (literal: Literal) => boolean;
}

const NUMBER: Wanted = {
  says: 'a number',
  fits: (literal) => (typeof literal === 'string' ? readsAsNumber(literal) : typeof literal === 'number'),
};

const TIME: Wanted = {
  says: 'a time, such as 2026-03-17T14:47:02Z',
  fits: (literal) => typeof literal === 'string' && readsAsTime(literal),
};

const BOOLEAN: Wanted = {
  says: 'true or false',
  fits: (literal) =>
    typeof literal === 'string' ? /^(true|false)$/i.test(literal) : typeof literal === 'boolean',
};

const WANTED: Readonly<Partial<Record<ValueType['kind'], Wanted>>> = {
  integer: NUMBER,
  number: NUMBER,
  boolean: BOOLEAN,
  timestamp: TIME,
  date: TIME,
};

/** Throws Refusal. Accepts everything that is not a literal of LQL. */
export const checkWritten = ({ literal = null, field, span }: Value, { type }: Value): void => {
  const wanted = WANTED[type.kind];
  if (field === undefined || wanted === undefined || wanted.fits(literal)) return;
  refuse(span, `expected ${wanted.says}, but found ${literal}: ${field} holds nothing else`);
};
