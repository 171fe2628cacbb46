/**
 * Parses the text of a query into its tree: one SELECT, with or without WITH, and nothing else. The parser builds only
 * nodes of tree.ts, so other constructs cannot pass it.
 */
import { located, refuse } from '../query-problem.js';
import type { Cte, Query, QueryBody, Replacement, Select, SelectItem, SetOperation } from '../tree.js';
import { type Grammar, parenthesised, parseAlias, parseName } from './grammar.js';
import { tokensOf } from './lexer.js';
import { parseExpression, parseSigned } from './parse-expression.js';
import { parseFrom } from './parse-from.js';
import { parseGroupBy } from './parse-groups.js';
import { parseOrderBy, parseWindows } from './parse-window.js';
import { TokenCursor } from './token-cursor.js';

/** In UTF-16 units. Queries need far less. */
export const MAX_QUERY_LENGTH = 65_536;

const MAX_CTES = 64;
const MAX_SET_OPERATIONS = 64;

/** Throws QueryProblem. */
export const parseQuery = (text: string): Query => located({ text, code: 'sql-syntax' }, () => parsed(text));

const parsed = (text: string): Query => {
  if (text.length > MAX_QUERY_LENGTH)
    refuse(
      { start: MAX_QUERY_LENGTH, end: text.length },
      `a query has at most ${MAX_QUERY_LENGTH} characters`,
    );
  const cursor = new TokenCursor(tokensOf(text));
  const grammar: Grammar = {
    cursor,
    expression: () => parseExpression(grammar),
    signed: () => parseSigned(grammar),
    query: () => cursor.nested(() => queryOf(grammar)),
  };
  if (!cursor.isSign('(') && !cursor.isWord('with')) onlySelect(cursor);
  const query = grammar.query();
  while (cursor.takeSign(';'));
  if (cursor.peek().kind !== 'end') cursor.unexpected('the end of the query: there is one statement only');
  return query;
};

const onlySelect = (cursor: TokenCursor): void => {
  if (!cursor.isWord('select'))
    cursor.unexpected('SELECT or WITH: a log query reads, and is nothing but one SELECT');
};

const queryOf = (grammar: Grammar): Query => {
  const { cursor } = grammar;
  const ctes = parseCtes(grammar);
  const body = parseBody(grammar);
  const orderBy = parseOrderBy(grammar);
  const limit = cursor.takeWords('limit') ? grammar.expression() : null;
  const offset = limit !== null && cursor.takeWords('offset') ? grammar.expression() : null;
  return { ctes, body, orderBy, limit, offset };
};

const parseCtes = (grammar: Grammar): readonly Cte[] => {
  const { cursor } = grammar;
  const ctes: Cte[] = [];
  if (!cursor.takeWords('with')) return ctes;
  if (cursor.isWord('recursive')) refuse(cursor.peek().span, 'WITH RECURSIVE is not supported');
  do {
    if (isQueryWord(cursor)) break;
    const span = cursor.peek().span;
    if (ctes.length === MAX_CTES) refuse(span, `a query has at most ${MAX_CTES} named subqueries`);
    const name = parseName(cursor, 'the name of a subquery');
    cursor.expectWord('as');
    const query = parenthesised(grammar, grammar.query);
    ctes.push({ name, query, span: cursor.spanFrom(span.start) });
  } while (cursor.takeSign(','));
  return ctes;
};

const isQueryWord = (cursor: TokenCursor): boolean => cursor.isWord('select') || cursor.isSign('(');

const parseBody = (grammar: Grammar): QueryBody => {
  const { cursor } = grammar;
  const { start } = cursor.peek().span;
  let body = parseOperand(grammar);
  let first: SetOperation['operator'] | null = null;
  for (let count = 0; ; count++) {
    const at = cursor.peek().span;
    const operator = parseSetOperator(cursor);
    if (operator === null) return body;
    if (count === MAX_SET_OPERATIONS)
      return refuse(at, `at most ${MAX_SET_OPERATIONS} set operations in a row`);
    first ??= operator;
    if (operator !== first) return refuse(at, 'different set operations need parentheses around one of them');
    const right = parseOperand(grammar);
    body = { kind: 'set', operator, left: body, right, span: cursor.spanFrom(start) };
  }
};

const parseSetOperator = (cursor: TokenCursor): SetOperation['operator'] | null => {
  if (cursor.takeWords('union', 'all')) return 'union all';
  if (cursor.takeWords('union', 'distinct')) return 'union distinct';
  if (cursor.takeWords('intersect', 'distinct')) return 'intersect distinct';
  if (cursor.takeWords('except', 'distinct')) return 'except distinct';
  if (cursor.isWord('union') || cursor.isWord('intersect') || cursor.isWord('except')) {
    cursor.next();
    return cursor.unexpected('DISTINCT or, after UNION, ALL');
  }
  return null;
};

const parseOperand = (grammar: Grammar): QueryBody => {
  const { cursor } = grammar;
  if (cursor.isSign('(')) return { kind: 'nested', query: parenthesised(grammar, grammar.query) };
  return parseSelect(grammar);
};

const parseSelect = (grammar: Grammar): Select => {
  const { cursor, expression } = grammar;
  const { start } = cursor.peek().span;
  onlySelect(cursor);
  cursor.next();
  if (cursor.isWord('as') && !cursor.isWord('struct', 1))
    refuse(cursor.peek().span, 'only STRUCT can follow SELECT AS');
  const asStruct = cursor.takeWords('as', 'struct');
  const distinct = cursor.takeWords('distinct');
  if (!distinct) cursor.takeWords('all');
  const items = parseItems(grammar);
  const from = cursor.takeWords('from') ? parseFrom(grammar) : null;
  const where = cursor.takeWords('where') ? expression() : null;
  const groupBy = parseGroupBy(grammar);
  const having = cursor.takeWords('having') ? expression() : null;
  const qualify = cursor.takeWords('qualify') ? expression() : null;
  const windows = parseWindows(grammar);
  const span = cursor.spanFrom(start);
  return { kind: 'select', asStruct, distinct, items, from, where, groupBy, having, qualify, windows, span };
};

/** A comma may follow the last one. */
const parseItems = (grammar: Grammar): readonly SelectItem[] => {
  const { cursor } = grammar;
  const items = [parseItem(grammar)];
  while (cursor.takeSign(',') && !endsItems(cursor)) items.push(parseItem(grammar));
  return items;
};

const endsItems = (cursor: TokenCursor): boolean =>
  cursor.isWord('from') || cursor.isSign(')') || cursor.peek().kind === 'end';

const parseItem = (grammar: Grammar): SelectItem => {
  const { cursor } = grammar;
  const { start } = cursor.peek().span;
  if (cursor.takeSign('*')) return parseAll(grammar, start, null);
  const expression = grammar.expression();
  if (cursor.isSign('.') && cursor.isSign('*', 1)) {
    if (expression.kind !== 'path')
      return refuse(expression.span, 'only a table or a record can stand before .*');
    cursor.next();
    cursor.next();
    return parseAll(grammar, start, expression.parts);
  }
  return { kind: 'expression', expression, alias: parseAlias(cursor) };
};

const parseAll = (grammar: Grammar, start: number, qualifier: readonly string[] | null): SelectItem => {
  const { cursor } = grammar;
  const except = parseInParentheses(grammar, 'except', () => parseName(cursor, 'the name of a column'));
  const replace = parseInParentheses(grammar, 'replace', () => parseReplacement(grammar));
  return { kind: 'all', qualifier, except, replace, span: cursor.spanFrom(start) };
};

/** Parses a list in parentheses after `word`. Returns an empty list when the word does not follow. */
const parseInParentheses = <T>(grammar: Grammar, word: string, parse: () => T): readonly T[] => {
  const { cursor } = grammar;
  if (!cursor.isWord(word) || !cursor.isSign('(', 1)) return [];
  cursor.next();
  return parenthesised(grammar, () => {
    const items = [parse()];
    while (cursor.takeSign(',') && !cursor.isSign(')')) items.push(parse());
    return items;
  });
};

const parseReplacement = ({ cursor, expression }: Grammar): Replacement => {
  const value = expression();
  cursor.expectWord('as');
  const { span } = cursor.peek();
  return { name: parseName(cursor, 'the name of a column'), value, span };
};
