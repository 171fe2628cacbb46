/** Helpers that all parts of the parser share: lists, parentheses, names. */
import type { Expression, Query } from '../tree.js';
import { RESERVED } from './keywords.js';
import type { TokenCursor } from './token-cursor.js';

/** The parser as its parts see it. Recursive calls go through it, so the files of the parser do not import each other in circles. */
export interface Grammar {
  readonly cursor: TokenCursor;
  readonly expression: () => Expression;
  /** An operand with its signs but without operators, such as the amount of an INTERVAL. */
  readonly signed: () => Expression;
  readonly query: () => Query;
}

/** Runs `parse` between `(` and `)`. */
export const parenthesised = <T>({ cursor }: Grammar, parse: () => T): T => {
  cursor.expectSign('(');
  const inner = parse();
  cursor.expectSign(')');
  return inner;
};

/** Runs `parse` once or more, with commas between. */
export const parseList = <T>(cursor: TokenCursor, parse: () => T): readonly T[] => {
  const items = [parse()];
  while (cursor.takeSign(',')) items.push(parse());
  return items;
};

export const parseExpressions = ({ cursor, expression }: Grammar): readonly Expression[] =>
  parseList(cursor, expression);

/** Whether a query, in any number of parentheses, begins `ahead` tokens from here. */
export const startsQuery = (cursor: TokenCursor, ahead = 0): boolean => {
  let at = ahead;
  while (cursor.isSign('(', at)) at++;
  return cursor.isWord('select', at) || cursor.isWord('with', at);
};

/** `AS name`, `name`, or nothing. */
export const parseAlias = (cursor: TokenCursor): string | null => {
  if (cursor.takeWords('as')) return parseName(cursor, 'a name');
  const token = cursor.peek();
  if (token.kind !== 'name' || (!token.quoted && (RESERVED.has(token.word) || token.word === 'offset')))
    return null;
  cursor.next();
  return token.text;
};

/** Whether the next token is a name that is not reserved. */
export const isPlainName = (cursor: TokenCursor): boolean => {
  const token = cursor.peek();
  return token.kind === 'name' && (token.quoted || !RESERVED.has(token.word));
};

export const parseName = (cursor: TokenCursor, expected: string): string => {
  const token = cursor.peek();
  if (token.kind !== 'name' || !isPlainName(cursor)) return cursor.unexpected(expected);
  cursor.next();
  return token.text;
};
