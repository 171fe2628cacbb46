/**
 * LIKE as a regular expression, which an engine matches in one pass. Its own LIKE may go back at each `%`, so a few of them in
 * one pattern take hours for one text, without a look at an interrupt.
 */
import type { Term } from '../../../foundation/log-store/query-tree.js';
import { refuse } from '../query-problem.js';
import { apply, literal } from '../terms.js';
import { escapedPattern } from '../texts/patterns.js';
import { textOf } from '../values/convert.js';
import type { Value } from '../values/values.js';

/** Limit of a pattern that the query has as a text, in characters. */
const MAX_LENGTH = 4_096;

/** Ends with an odd number of backslashes, so the last one escapes nothing. */
const OPEN_ESCAPE = /(?:^|[^\\])(?:\\\\)*\\$/;
/** One character of a pattern, or an escaped one. */
const PART = /\\[\s\S]|[\s\S]/gu;

/** A pattern that ends with an open escape is invalid: refused in a literal, otherwise NULL. */
export const like = (value: Value, pattern: Value): Term => {
  const text = textOf(value);
  const { literal: written, span } = pattern;
  if (typeof written !== 'string') return apply('matches-like', text, textOf(pattern));
  if (written.length > MAX_LENGTH) refuse(span, `a pattern has at most ${MAX_LENGTH} characters`);
  if (OPEN_ESCAPE.test(written))
    refuse(span, 'this pattern ends with a backslash; to look for one, write two');
  // The engine's LIKE is fast, and in one pass, where a constant pattern has neither.
  if (!/[_\\]/.test(written)) return apply('matches-percents', text, literal(written));
  const parts = written.match(PART) ?? [];
  return apply('matches-whole', text, literal(parts.map(partOf).join('')));
};

const partOf = (part: string): string => {
  if (part === '%') return '.*';
  if (part === '_') return '.';
  return escapedPattern(part.replace(/^\\/, ''));
};
