/**
 * Parameters of a query are texts. How the query uses one says which texts make sense, so that a wrong value can be
 * answered before anything runs.
 */
import { checkPattern } from './patterns.js';

export type ParameterUse =
  | { readonly as: 'text' | 'timestamp' | 'number' | 'pattern' }
  /** `CASE @name WHEN 'a' … WHEN 'b' … END` without ELSE knows these values and no others. */
  | { readonly as: 'choice'; readonly among: readonly string[] };

/** ISO 8601, the time and its zone may be missing: a date and time without a zone are UTC. */
const TIMESTAMP =
  /^\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(?:Z|[+-]\d{2}(?::?\d{2})?)?)?$/;

/**
 * Why `value` cannot be what the query uses it as; null where it can. A parameter that is missing or empty says nothing
 * and is never wrong, except for a choice, where an empty one is not among the values.
 */
export const checkParameter = (value: string | null, use: ParameterUse): string | null => {
  if (value === null) return null;
  if (use.as === 'choice') return use.among.includes(value) ? null : `must be one of ${use.among.join(', ')}`;
  if (value === '') return null;
  switch (use.as) {
    case 'text':
      return null;
    case 'timestamp':
      return isTimestamp(value) ? null : 'must be an ISO 8601 timestamp, such as 2026-03-17T14:47:02Z';
    case 'number':
      return /^[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?$/.test(value) ? null : 'must be a number';
    case 'pattern': {
      const problem = checkPattern(value);
      return problem.fault === null ? null : `must be a regular expression: ${problem.fault.message}`;
    }
  }
};

const isTimestamp = (value: string): boolean => {
  if (!TIMESTAMP.test(value)) return false;
  const [date = '', ...time] = value.split(/[T ]/);
  const [year, month, day] = date.split('-').map(Number);
  const moment = new Date(Date.UTC(year ?? 0, (month ?? 0) - 1, day ?? 0));
  if (moment.getUTCMonth() + 1 !== month || moment.getUTCDate() !== day) return false;
  const [hours = 0, minutes = 0, seconds = 0] = (time[0] ?? '')
    .slice(0, 8)
    .split(/[:Z+-]/)
    .map(Number);
  return hours < 24 && minutes < 60 && seconds < 60;
};
