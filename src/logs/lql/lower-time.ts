/**
 * Lowers time terms to conditions on the timestamp. Relative times use `current_timestamp()` and never the clock, so the
 * same text gives the same tree and its plan can be cached. The timestamp is alone on one side of each comparison, so a
 * store can skip entries outside the range.
 */
import type { Expression, Span } from '../sql/tree.js';
import { binary, call, cast, column, interval, keyword, literal } from './lowered.js';
import type { Comparison, LqlFilter, TimePoint, TimeTest } from './lql-tree.js';

const now = (span: Span): Expression => call('current_timestamp', [], span);

const truncated = (unit: string, span: Span): Expression =>
  call('timestamp_trunc', [now(span), keyword(unit === 'week' ? 'week(monday)' : unit, span)], span);

const later = (from: Expression, amount: number, unit: string): Expression =>
  call('timestamp_add', [from, interval(amount, unit, from.span)], from.span);

const earlier = (from: Expression, amount: number, unit: string): Expression =>
  call('timestamp_sub', [from, interval(amount, unit, from.span)], from.span);

/** A range of time. It includes its start; `endIncluded` says whether it includes its end. */
interface Period {
  readonly start: Expression;
  readonly end: Expression;
  readonly endIncluded: boolean;
}

/** `2026-03-17T12:47:02.000000Z` */
const timestampText = (microseconds: number): string => {
  const seconds = Math.floor(microseconds / 1_000_000);
  const rest = String(microseconds - seconds * 1_000_000).padStart(6, '0');
  return `${new Date(seconds * 1_000).toISOString().slice(0, 19)}.${rest}Z`;
};

/** Returns the time of a point; for a day, its midnight. */
const momentOf = (point: TimePoint): Expression => {
  const { span } = point;
  switch (point.kind) {
    case 'instant':
      return cast(literal(timestampText(point.microseconds), span), 'timestamp');
    case 'now':
      return now(span);
    case 'today':
      return truncated('day', span);
    case 'yesterday':
      return earlier(truncated('day', span), 1, 'day');
    default:
      point satisfies never;
      return point;
  }
};

/** Returns the range of a point: a whole day, or a single microsecond. */
const periodOf = (point: TimePoint): Period => {
  const start = momentOf(point);
  const isDay = point.kind === 'instant' ? point.precision === 'day' : point.kind !== 'now';
  if (isDay) return { start, end: later(start, 1, 'day'), endIncluded: false };
  return { start, end: start, endIncluded: true };
};

const within = (timestamp: Expression, { start, end, endIncluded }: Period): Expression =>
  binary(binary(timestamp, '>=', start), 'and', binary(timestamp, endIncluded ? '<=' : '<', end));

/** Returns the condition on the timestamp, without the negation. */
export const lowerTime = (test: TimeTest, { span }: Pick<LqlFilter, 'span'>): Expression => {
  const timestamp = column('timestamp', span);
  const compared = (operator: Comparison, to: Expression): Expression => binary(timestamp, operator, to);
  switch (test.kind) {
    case 'comparison':
      return compared(test.operator, momentOf(test.point));
    case 'at':
      // No entry has this exact microsecond, so `t:now` means the last minute.
      if (test.point.kind === 'now') return lowerTime({ kind: 'last', amount: 1, unit: 'minute' }, { span });
      return within(timestamp, periodOf(test.point));
    case 'range': {
      const { end, endIncluded } = periodOf(test.high);
      return within(timestamp, { start: momentOf(test.low), end, endIncluded });
    }
    case 'last': {
      const start = earlier(now(span), test.amount, test.unit);
      return binary(compared('>', start), 'and', compared('<=', now(span)));
    }
    case 'this': {
      const start = truncated(test.unit, span);
      return within(timestamp, { start, end: later(start, 1, test.unit), endIncluded: false });
    }
    default:
      test satisfies never;
      return test;
  }
};
