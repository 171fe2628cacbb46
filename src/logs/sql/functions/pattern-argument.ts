/** Arguments that are regular expressions. They are checked before the query runs, so an error has its place. */
import type { Term } from '../../../foundation/log-store/query-tree.js';
import { refuse } from '../query-problem.js';
import { literal as literalTerm } from '../terms.js';
import { checkPattern } from '../texts/patterns.js';
import { argument, type Call, text } from './call.js';

/** Returns a pattern without special characters, which the engine finds faster as a text; otherwise null. */
export const plainPattern = (call: Call, at: number): string | null => {
  const { literal } = argument(call, at);
  return typeof literal === 'string' && literal !== '' && !/[\\^$.|?*+()[\]{}]/.test(literal)
    ? literal
    : null;
};

/**
 * Returns the pattern and its number of groups. It must be a literal or a parameter, so the engine compiles it once and
 * not for each row. With `literal`, a parameter is refused too, since the number of groups must be known.
 */
export const patternAt = (
  call: Call,
  at: number,
  wanted: 'literal' | 'constant' = 'constant',
): { readonly term: Term; readonly groups: number } => {
  const { literal, parameter, span } = argument(call, at);
  if (literal === null) return { term: text(call, at), groups: 0 };
  if (typeof literal === 'string') {
    const { fault, groups } = checkPattern(literal);
    if (fault !== null)
      return refuse(
        span,
        `not a regular expression: ${fault.message}, at character ${fault.offset + 1} of the pattern`,
      );
    return { term: literalTerm(literal), groups };
  }
  if (wanted === 'constant' && parameter !== undefined) return { term: text(call, at), groups: 0 };
  const choice = wanted === 'constant' ? 'a text in the query or a parameter' : 'a text in the query';
  return refuse(span, `the regular expression has to be ${choice}`);
};
