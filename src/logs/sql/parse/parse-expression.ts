/** Parses expressions by precedence, from OR, the lowest, to primaries (parse-primary.ts). */
import { refuse } from '../query-problem.js';
import type { BinaryOperator, Expression } from '../tree.js';
import { type Grammar, parenthesised, parseExpressions, startsQuery } from './grammar.js';
import { parseType } from './parse-call.js';
import { callOf, castTo, parsePrimary } from './parse-primary.js';
import type { TokenCursor } from './token-cursor.js';

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

const parseIs = (grammar: Grammar, operand: Expression): Expression => {
  const { cursor } = grammar;
  const negated = cursor.takeWords('not');
  const span = () => cursor.spanFrom(operand.span.start);
  if (cursor.takeWords('distinct', 'from'))
    return { kind: 'is-distinct', left: operand, right: parseSum(grammar), negated, span: span() };
  if (cursor.takeWords('null')) return { kind: 'is-null', operand, negated, span: span() };
  if (cursor.takeWords('true')) return { kind: 'is-boolean', operand, value: true, negated, span: span() };
  if (cursor.takeWords('false')) return { kind: 'is-boolean', operand, value: false, negated, span: span() };
  return cursor.unexpected('NULL, TRUE, FALSE or DISTINCT FROM');
};

/** Parses LIKE, BETWEEN or IN after an operand. Returns null without one of them. */
const parseTest = (grammar: Grammar, operand: Expression, negated: boolean): Expression | null => {
  const { cursor } = grammar;
  if (cursor.takeWords('like')) {
    const like = parseLike(grammar, operand);
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

/** Parses LIKE. LIKE ANY, SOME and ALL become one test for each pattern. */
const parseLike = (grammar: Grammar, operand: Expression): Expression => {
  const { cursor } = grammar;
  const test = (right: Expression) => binary(grammar, { operator: 'like', left: operand, right });
  const some = cursor.takeWords('any') || cursor.takeWords('some');
  if (!some && !cursor.takeWords('all')) return test(parseSum(grammar));
  const [first, ...rest] = parenthesised(grammar, () => parseExpressions(grammar)).map(test);
  if (first === undefined) return cursor.unexpected('a pattern');
  const operator = some ? 'or' : 'and';
  return rest.reduce((left, right) => binary(grammar, { operator, left, right }), first);
};

const parseIn = (grammar: Grammar, operand: Expression, negated: boolean): Expression => {
  const { cursor } = grammar;
  const end = () => cursor.spanFrom(operand.span.start);
  if (cursor.takeWords('unnest')) {
    const array = parenthesised(grammar, grammar.expression);
    const call = callOf('array_includes', [array, operand], end());
    return negated ? { kind: 'unary', operator: 'not', operand: call, span: call.span } : call;
  }
  const among = parenthesised(grammar, () =>
    startsQuery(cursor) ? grammar.query() : parseExpressions(grammar),
  );
  return { kind: 'in', operand, among, negated, span: end() };
};

const parseSum = (grammar: Grammar): Expression =>
  chain(grammar, parseProduct, (cursor) => (cursor.takeSign('+') ? '+' : cursor.takeSign('-') ? '-' : null));

const PRODUCTS: readonly BinaryOperator[] = ['*', '/', '||', '%'];

const parseProduct = (grammar: Grammar): Expression =>
  chain(grammar, parseSigned, (cursor) => PRODUCTS.find((sign) => cursor.takeSign(sign)) ?? null);

/** Limit of operands in a row that the engine nests. Operands of AND and OR are not nested. */
const MAX_CHAIN = 200;
const MAX_SIDE_BY_SIDE = 2_000;

/** Parses operators of one precedence, from left to right. */
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

export const parseSigned = (grammar: Grammar): Expression => {
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

/** Parses `.field`, `[offset(n)]` and `::type` after a value. */
const parsePostfix = (grammar: Grammar): Expression => {
  const { cursor } = grammar;
  let value = parsePrimary(grammar);
  for (let steps = 0; ; steps++) {
    if (steps > 100) return refuse(cursor.peek().span, 'a path has at most 100 steps');
    const { start } = value.span;
    if (cursor.isSign('.') && cursor.isSign('*', 1)) return value;
    if (cursor.takeSign('.')) {
      const name = fieldName(cursor);
      const span = cursor.spanFrom(start);
      value =
        value.kind === 'path'
          ? { kind: 'path', parts: [...value.parts, name], span }
          : { kind: 'field', of: value, name, span };
    } else if (cursor.takeSign('[')) value = parseElement(grammar, value);
    else if (cursor.takeSign('::')) value = castTo(value, parseType(cursor), cursor.spanFrom(start));
    else return value;
  }
};

/** After a dot, reserved words are names too. */
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
