/** Arguments that are regular expressions: read before they reach the engine, with the place of a fault. */
import { type EngineSql, textLiteral } from '../engine-sql.js';
import { refuse } from '../query-problem.js';
import { checkPattern } from '../texts/patterns.js';
import { argument, type Call, text } from './call.js';

/** A pattern that matches nothing but itself, which the engine finds faster as a text; null where it is more. */
export const plainPattern = (call: Call, at: number): string | null => {
  const { literal } = argument(call, at);
  return typeof literal === 'string' && literal !== '' && !/[\\^$.|?*+()[\]{}]/.test(literal)
    ? literal
    : null;
};

/**
 * The pattern and its capturing groups. It is a literal or a parameter: the engine prepares it once and not for each row.
 * `literal`: no parameter either, since the groups have to be known.
 */
export const patternAt = (
  call: Call,
  at: number,
  wanted: 'literal' | 'constant' = 'constant',
): { readonly sql: EngineSql; readonly groups: number } => {
  const { literal, parameter, span } = argument(call, at);
  if (literal === null) return { sql: text(call, at), groups: 0 };
  if (typeof literal === 'string') {
    const { fault, groups } = checkPattern(literal);
    if (fault !== null)
      return refuse(
        span,
        `not a regular expression: ${fault.message}, at character ${fault.offset + 1} of the pattern`,
      );
    return { sql: textLiteral(literal), groups };
  }
  if (wanted === 'constant' && parameter !== undefined) return { sql: text(call, at), groups: 0 };
  const choice = wanted === 'constant' ? 'a text in the query or a parameter' : 'a text in the query';
  return refuse(span, `the regular expression has to be ${choice}`);
};
