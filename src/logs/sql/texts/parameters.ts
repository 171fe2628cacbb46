/**
 * Checks the values of parameters, which are texts. The uses of a parameter in the query decide which texts are valid, so a
 * wrong value is refused before the query runs.
 */
import { readsAsNumber } from './number-texts.js';
import { checkPattern } from './patterns.js';
import { readsAsTime } from './time-texts.js';

export type ParameterUse =
  | { readonly as: 'text' | 'timestamp' | 'number' | 'pattern' }
  /** `CASE @name WHEN 'a' … WHEN 'b' … END` without ELSE: only these values are valid. */
  | { readonly as: 'choice'; readonly among: readonly string[] };

/** A time whose `+` was not escaped in a URL and became a space. */
const LOST_PLUS = /:\d{2}(?:\.\d+)? \d{2}:?\d{2}$/;

/**
 * Returns why `value` is invalid for this use, or null. A missing parameter is always valid. An empty one is valid except
 * for a choice.
 */
export const checkParameter = (value: string | null, use: ParameterUse): string | null => {
  if (value === null) return null;
  if (use.as === 'choice') return use.among.includes(value) ? null : `must be one of ${use.among.join(', ')}`;
  if (value === '') return null;
  switch (use.as) {
    case 'text':
      return null;
    case 'timestamp':
      return timestampProblem(value);
    case 'number':
      return readsAsNumber(value) ? null : 'must be a number';
    case 'pattern': {
      const problem = checkPattern(value);
      return problem.fault === null ? null : `must be a regular expression: ${problem.fault.message}`;
    }
  }
};

const timestampProblem = (value: string): string | null => {
  if (readsAsTime(value)) return null;
  const hint = LOST_PLUS.test(value) ? '; in a URL, write + as %2B' : '';
  return `must be an ISO 8601 timestamp, such as 2026-03-17T14:47:02Z${hint}`;
};
