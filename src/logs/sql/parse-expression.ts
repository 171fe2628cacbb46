/** Expressions, by precedence climbing: from OR, which binds least, to paths, calls and literals. */
import { type Grammar, parenthesised, parseList, startsQuery } from './grammar.js';
import { CLOCK_FUNCTIONS, RESERVED, RESERVED_FUNCTIONS } from './keywords.js';
import { parseCall, parseCast, parseExtract } from './parse-call.js';
import { refuse } from './query-problem.js';
import type { TokenCursor } from './token-cursor.js';
import type { BinaryOperator, CaseBranch, Expression } from './tree.js';

export const parseExpression = (grammar: Grammar): Expression =>
  grammar.cursor.nested(() => parseOr(grammar));

const parseOr = (grammar: Grammar): Expression =>
  chain(grammar, parseAnd, (cursor) => (cursor.takeWords('or') ? 'or' : null));

const parseAnd = (grammar: Grammar): Expression =>
  chain(grammar, parseNot, (cursor) => (cursor.takeWords('and') ? 'and' : null));

const parseNot = (grammar: Grammar): Expression => {
  const { cursor } = grammar;
  const { start } = cursor.peek().span;
  if (!cursor.takeWords('not')) return parseComparison(grammar);
  const operand = cursor.nested(() => parseNot(grammar));
  return { kind: 'unary', operator: 'not', operand, span: cursor.spanFrom(start) };
};

const COMPARISONS: readonly BinaryOperator[] = ['=', '<>', '<=', '>=', '<', '>'];

const parseComparison = (grammar: Grammar): Expression => {
  const { cursor } = grammar;
  const left = parseSum(grammar);
  const operator = COMPARISONS.find((sign) => cursor.takeSign(sign));
  if (operator !== undefined) return binary(grammar, { operator, left, right: parseSum(grammar) });
  if (cursor.takeWords('is')) return parseIs(grammar, left);
  const negated = cursor.takeWords('not');
  const test = parseTest(grammar, left, negated);
  if (test === null) return negated ? cursor.unexpected('LIKE, IN or BETWEEN') : left;
  return test;
};

const parseIs = ({ cursor }: Grammar, operand: Expression): Expression => {
  const negated = cursor.takeWords('not');
  const span = () => cursor.spanFrom(operand.span.start);
  if (cursor.takeWords('null')) return { kind: 'is-null', operand, negated, span: span() };
  if (cursor.takeWords('true')) return { kind: 'is-boolean', operand, value: true, negated, span: span() };
  if (cursor.takeWords('false')) return { kind: 'is-boolean', operand, value: false, negated, span: span() };
  return cursor.unexpected('NULL, TRUE or FALSE');
};

/** LIKE, BETWEEN and IN after an operand; null where none of them stands. */
const parseTest = (grammar: Grammar, operand: Expression, negated: boolean): Expression | null => {
  const { cursor } = grammar;
  if (cursor.takeWords('like')) {
    const like = binary(grammar, { operator: 'like', left: operand, right: parseSum(grammar) });
    return negated ? { kind: 'unary', operator: 'not', operand: like, span: like.span } : like;
  }
  if (cursor.takeWords('between')) {
    const low = parseSum(grammar);
    cursor.expectWord('and');
    const high = parseSum(grammar);
    return { kind: 'between', operand, low, high, negated, span: cursor.spanFrom(operand.span.start) };
  }
  if (cursor.takeWords('in')) return parseIn(grammar, operand, negated);
  return null;
};

const parseIn = (grammar: Grammar, operand: Expression, negated: boolean): Expression => {
  const { cursor } = grammar;
  const end = () => cursor.spanFrom(operand.span.start);
  if (cursor.takeWords('unnest')) {
    const array = parenthesised(grammar, grammar.expression);
    const call = callOf('array_includes', [array, operand], end());
    return negated ? { kind: 'unary', operator: 'not', operand: call, span: call.span } : call;
  }
  const among = parenthesised(grammar, () => (startsQuery(cursor) ? grammar.query() : parseList(grammar)));
  return { kind: 'in', operand, among, negated, span: end() };
};

const callOf = (name: string, args: readonly Expression[], span: Expression['span']): Expression => ({
  kind: 'call',
  name,
  args,
  distinct: false,
  nulls: null,
  orderBy: [],
  limit: null,
  over: null,
  span,
});

const parseSum = (grammar: Grammar): Expression =>
  chain(grammar, parseProduct, (cursor) => (cursor.takeSign('+') ? '+' : cursor.takeSign('-') ? '-' : null));

const PRODUCTS: readonly BinaryOperator[] = ['*', '/', '||', '%'];

const parseProduct = (grammar: Grammar): Expression =>
  chain(grammar, parseSigned, (cursor) => PRODUCTS.find((sign) => cursor.takeSign(sign)) ?? null);

/** Operands in a row that the engine nests in each other; those of AND and OR stand side by side. */
const MAX_CHAIN = 200;
const MAX_SIDE_BY_SIDE = 2_000;

/** Operators of one precedence, from left to right. */
const chain = (
  grammar: Grammar,
  operand: (grammar: Grammar) => Expression,
  operatorAt: (cursor: TokenCursor) => BinaryOperator | null,
): Expression => {
  const { cursor } = grammar;
  let left = operand(grammar);
  for (let length = 1; ; length++) {
    const { span } = cursor.peek();
    const operator = operatorAt(cursor);
    if (operator === null) return left;
    const most = operator === 'and' || operator === 'or' ? MAX_SIDE_BY_SIDE : MAX_CHAIN;
    if (length === most) return refuse(span, `at most ${most} operands in a row`);
    left = binary(grammar, { operator, left, right: operand(grammar) });
  }
};

const binary = (
  { cursor }: Grammar,
  parts: { operator: BinaryOperator; left: Expression; right: Expression },
): Expression => ({ kind: 'binary', ...parts, span: cursor.spanFrom(parts.left.span.start) });

const parseSigned = (grammar: Grammar): Expression => {
  const { cursor } = grammar;
  const { start } = cursor.peek().span;
  if (cursor.takeSign('+')) return cursor.nested(() => parseSigned(grammar));
  if (!cursor.takeSign('-')) return parsePostfix(grammar);
  const operand = cursor.nested(() => parseSigned(grammar));
  const span = cursor.spanFrom(start);
  if (operand.kind === 'literal' && typeof operand.value === 'number')
    return { ...operand, value: -operand.value, span };
  return { kind: 'unary', operator: '-', operand, span };
};

/** What follows a value: `.field` and `[offset(n)]`. */
const parsePostfix = (grammar: Grammar): Expression => {
  const { cursor } = grammar;
  let value = parsePrimary(grammar);
  for (let steps = 0; ; steps++) {
    if (steps > 100) return refuse(cursor.peek().span, 'a path has at most 100 steps');
    const { start } = value.span;
    if (cursor.takeSign('.')) {
      const name = fieldName(cursor);
      const span = cursor.spanFrom(start);
      value =
        value.kind === 'path'
          ? { kind: 'path', parts: [...value.parts, name], span }
          : { kind: 'field', of: value, name, span };
    } else if (cursor.takeSign('[')) value = parseElement(grammar, value);
    else return value;
  }
};

/** After a dot every word is a name. */
const fieldName = (cursor: TokenCursor): string => {
  const token = cursor.peek();
  if (token.kind !== 'name') return cursor.unexpected('the name of a field');
  cursor.next();
  return token.text;
};

const parseElement = (grammar: Grammar, of: Expression): Expression => {
  const { cursor } = grammar;
  const safe = cursor.isWord('safe_offset') || cursor.isWord('safe_ordinal');
  const ordinal = cursor.isWord('ordinal') || cursor.isWord('safe_ordinal');
  const named = (safe || ordinal || cursor.isWord('offset')) && cursor.isSign('(', 1);
  if (named) cursor.next();
  const at = named ? parenthesised(grammar, grammar.expression) : grammar.expression();
  cursor.expectSign(']');
  return { kind: 'element', of, at, from: ordinal ? 1 : 0, safe, span: cursor.spanFrom(of.span.start) };
};

const parsePrimary = (grammar: Grammar): Expression => {
  const { cursor } = grammar;
  const token = cursor.peek();
  switch (token.kind) {
    case 'text':
      cursor.next();
      return { kind: 'literal', value: token.value, span: token.span };
    case 'number':
      cursor.next();
      return { kind: 'literal', value: token.value, span: token.span };
    case 'parameter':
      cursor.next();
      return { kind: 'parameter', name: token.name, span: token.span };
    case 'sign':
      return parseBracketed(grammar);
    case 'name':
      return token.quoted ? parseName(grammar) : parseWord(grammar, token.word);
    case 'end':
      return cursor.unexpected('a value');
  }
};

const parseBracketed = (grammar: Grammar): Expression => {
  const { cursor } = grammar;
  const { start } = cursor.peek().span;
  if (cursor.takeSign('[')) return parseArray(grammar, start);
  if (!cursor.isSign('(')) return cursor.unexpected('a value');
  if (!startsQuery(cursor, 1)) {
    const inner = parenthesised(grammar, grammar.expression);
    return { ...inner, span: cursor.spanFrom(start) };
  }
  const query = parenthesised(grammar, grammar.query);
  return { kind: 'subquery', query, span: cursor.spanFrom(start) };
};

const parseArray = (grammar: Grammar, start: number): Expression => {
  const { cursor } = grammar;
  const items = cursor.isSign(']') ? [] : parseList(grammar);
  cursor.expectSign(']');
  return { kind: 'array', items, span: cursor.spanFrom(start) };
};

const parseWord = (grammar: Grammar, word: string): Expression => {
  const { cursor } = grammar;
  const { start } = cursor.peek().span;
  const literal = (value: boolean | null): Expression => {
    cursor.next();
    return { kind: 'literal', value, span: cursor.spanFrom(start) };
  };
  switch (word) {
    case 'null':
      return literal(null);
    case 'true':
      return literal(true);
    case 'false':
      return literal(false);
    case 'case':
      return parseCase(grammar);
    case 'interval':
      return parseInterval(grammar);
    case 'exists':
      cursor.next();
      return { kind: 'exists', query: parenthesised(grammar, grammar.query), span: cursor.spanFrom(start) };
    case 'array':
      cursor.next();
      cursor.expectSign('[');
      return parseArray(grammar, start);
    case 'cast':
    case 'safe_cast':
      return parseCast(grammar);
    case 'extract':
      return parseExtract(grammar);
    default:
      return parseName(grammar);
  }
};

const DATED: ReadonlySet<string> = new Set(['timestamp', 'datetime', 'date']);

/** A name: a typed literal (`timestamp '2026-03-17'`), a call, or the beginning of a path. */
const parseName = (grammar: Grammar): Expression => {
  const { cursor } = grammar;
  const token = cursor.peek();
  if (token.kind !== 'name') return cursor.unexpected('a value');
  const { word, span, quoted } = token;
  const literal = cursor.peek(1);
  if (!quoted && DATED.has(word) && literal.kind === 'text') {
    cursor.next();
    cursor.next();
    const operand: Expression = { kind: 'literal', value: literal.value, span: literal.span };
    return { kind: 'cast', operand, type: word, safe: false, span: cursor.spanFrom(span.start) };
  }
  if (callStands(cursor)) return parseCall(grammar);
  if (!quoted && CLOCK_FUNCTIONS.has(word)) {
    cursor.next();
    return callOf(word, [], span);
  }
  if (!quoted && RESERVED.has(word)) return cursor.unexpected('a value');
  cursor.next();
  return { kind: 'path', parts: quoted ? token.text.split('.') : [token.text], span };
};

const callStands = (cursor: TokenCursor): boolean => {
  const token = cursor.peek();
  if (token.kind !== 'name') return false;
  if (cursor.isWord('safe') && cursor.isSign('.', 1)) return cursor.isSign('(', 3);
  if (!cursor.isSign('(', 1)) return false;
  return token.quoted || !RESERVED.has(token.word) || RESERVED_FUNCTIONS.has(token.word);
};

const parseCase = (grammar: Grammar): Expression => {
  const { cursor, expression } = grammar;
  const { start } = cursor.next().span;
  const operand = cursor.isWord('when') ? null : expression();
  const branches: CaseBranch[] = [];
  while (cursor.takeWords('when')) {
    const when = expression();
    cursor.expectWord('then');
    branches.push({ when, result: expression() });
  }
  if (branches.length === 0) return cursor.unexpected('WHEN');
  const otherwise = cursor.takeWords('else') ? expression() : null;
  cursor.expectWord('end');
  return { kind: 'case', operand, branches, otherwise, span: cursor.spanFrom(start) };
};

const parseInterval = (grammar: Grammar): Expression => {
  const { cursor } = grammar;
  const { start } = cursor.next().span;
  const amount = parseSigned(grammar);
  const unit = cursor.peek();
  if (unit.kind !== 'name' || unit.quoted) return cursor.unexpected('a unit of time');
  cursor.next();
  return { kind: 'interval', amount, unit: unit.word, span: cursor.spanFrom(start) };
};
