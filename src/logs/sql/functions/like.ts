/**
 * LIKE as a regular expression, which the engine matches in one pass. Its own LIKE goes back at each `%`, so a few of them in
 * one pattern take hours for one text, without a look at an interrupt.
 */
import { type EngineSql, integerLiteral, sql, textLiteral } from '../engine-sql.js';
import { refuse } from '../query-problem.js';
import { textOf } from '../values/convert.js';
import type { Value } from '../values/values.js';

/** Limit of a pattern that the query has as a text, in characters. */
const MAX_LENGTH = 4_096;
/** Limit of a pattern that is computed: the engine reads it again for each row. A longer one is NULL. */
const MAX_COMPUTED_LENGTH = 1_000;

/** Ends with an odd number of backslashes, so the last one escapes nothing. */
const OPEN_ESCAPE = /(?:^|[^\\])(?:\\\\)*\\$/;
/** One character of a pattern, or an escaped one. */
const PART = /\\[\s\S]|[\s\S]/gu;

/** A pattern that ends with an open escape is invalid: refused in a literal, otherwise NULL. */
export const like = (value: Value, pattern: Value): EngineSql => {
  const text = textOf(value);
  const { literal, span } = pattern;
  if (typeof literal !== 'string') return sql`regexp_full_match(${text}, ${computed(textOf(pattern))}, 's')`;
  if (literal.length > MAX_LENGTH) refuse(span, `a pattern has at most ${MAX_LENGTH} characters`);
  if (OPEN_ESCAPE.test(literal))
    refuse(span, 'this pattern ends with a backslash; to look for one, write two');
  // The engine's LIKE is fast, and in one pass, where a constant pattern has neither.
  if (!/[_\\]/.test(literal)) return sql`(${text} LIKE ${textLiteral(literal)})`;
  const parts = literal.match(PART) ?? [];
  return sql`regexp_full_match(${text}, ${textLiteral(parts.map(partOf).join(''))}, 's')`;
};

const partOf = (part: string): string => {
  if (part === '%') return '.*';
  if (part === '_') return '.';
  return part.replace(/^\\/, '').replace(/[\\^$.|?*+()[\]{}]/g, '\\$&');
};

const computed = (pattern: EngineSql): EngineSql => {
  const isValid = sql`length(${pattern}) <= ${integerLiteral(MAX_COMPUTED_LENGTH)} AND NOT regexp_matches(${pattern}, ${textLiteral(OPEN_ESCAPE.source)})`;
  const part = sql`CASE x WHEN '%' THEN '.*' WHEN '_' THEN '.' ELSE regexp_escape(right(x, 1)) END`;
  const parts = sql`list_transform(regexp_extract_all(${pattern}, ${textLiteral(PART.source)}), lambda x: ${part})`;
  return sql`CASE WHEN ${isValid} THEN array_to_string(${parts}, '') END`;
};
