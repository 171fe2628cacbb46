/** Resolves comparisons, arithmetic, AND, OR, BETWEEN and IN. Records how parameters in comparisons are used. */
import { type EngineSql, joined, sql } from '../../engine-sql.js';
import { compare, comparison } from '../../functions/compared.js';
import { like } from '../../functions/like.js';
import { arithmetic, divide } from '../../functions/number-functions.js';
import { timeArithmetic } from '../../functions/time-functions.js';
import { refuse } from '../../query-problem.js';
import type { Expression, Span } from '../../tree.js';
import { comparedAs, convert, textOf } from '../../values/convert.js';
import { isJson, plainValue, type Shape, scalar, type Value } from '../../values/values.js';
import type { CompileContext } from '../context.js';
import { type Node, oneColumn, type Resolver } from '../resolver.js';
import { made } from '../scope.js';

export const binary = (resolver: Resolver, expression: Node<'binary'>): Value => {
  const { operator, span } = expression;
  if (operator === 'and' || operator === 'or' || operator === '||')
    return chained(resolver, expression, operator);
  const left = resolver.resolve(expression.left);
  const right = resolver.resolve(expression.right);
  const shape = binaryShape(resolver, { operator, left, right, span });
  return made(resolver.scope, { ...shape, span }, [left, right]);
};

interface Operands {
  readonly operator: Exclude<Node<'binary'>['operator'], 'and' | 'or' | '||'>;
  readonly left: Value;
  readonly right: Value;
  readonly span: Span;
}

const binaryShape = ({ context }: Resolver, { operator, left, right, span }: Operands): Shape => {
  switch (operator) {
    case '=':
    case '<>':
    case '<':
    case '<=':
    case '>':
    case '>=':
      recordComparison(context, left, right);
      recordComparison(context, right, left);
      return scalar('boolean', compare(operator, left, right));
    case 'like':
      return scalar('boolean', like(left, right));
    case '+':
    case '-': {
      const call = { name: operator, span, args: [left, right], expressions: [] };
      return timeArithmetic(call, operator) ?? arithmetic(left, right, operator === '+' ? sql`+` : sql`-`);
    }
    case '*':
      return arithmetic(left, right, sql`*`);
    case '/':
      return scalar(
        'number',
        divide(convert(left, 'number', left.span), convert(right, 'number', right.span)),
      );
    case '%':
      return scalar(
        'integer',
        sql`(${convert(left, 'integer', left.span)} % NULLIF(${convert(right, 'integer', right.span)}, 0))`,
      );
    default:
      return operator satisfies never;
  }
};

/** Records that a compared parameter is read as the type of the other value. */
const recordComparison = (context: CompileContext, value: Value, other: Value): void => {
  if (value.parameter === undefined) return;
  const kind = comparedAs([value.type, other.type]);
  if (kind === 'timestamp' || kind === 'date')
    context.recordParameter(value.parameter, { as: 'timestamp' }, value.span);
  if (kind === 'number' || kind === 'integer')
    context.recordParameter(value.parameter, { as: 'number' }, value.span);
};

/** Resolves a chain of one operator as a flat list. Nested, a long chain would exhaust the stack here and in the engine. */
const chained = (resolver: Resolver, expression: Node<'binary'>, operator: 'and' | 'or' | '||'): Value => {
  const kind = operator === '||' ? 'string' : 'boolean';
  const values = operandsOf(expression, operator).map((operand) => resolver.resolve(operand));
  const pieces = values.map((value) => convert(value, kind, value.span));
  const separator = operator === 'and' ? ' AND ' : operator === 'or' ? ' OR ' : ' || ';
  return made(
    resolver.scope,
    { ...scalar(kind, sql`(${joined(pieces, separator)})`), span: expression.span },
    values,
  );
};

export const operandsOf = (expression: Expression, operator: 'and' | 'or' | '||'): readonly Expression[] => {
  const operands: Expression[] = [];
  let at = expression;
  while (at.kind === 'binary' && at.operator === operator) {
    operands.push(at.right);
    at = at.left;
  }
  operands.push(at);
  return operands.reverse();
};

export const isDistinct = (
  resolver: Resolver,
  { left, right, negated, span }: Node<'is-distinct'>,
): Value => {
  const operands = [resolver.resolve(left), resolver.resolve(right)];
  const [one, other] = operands;
  if (one === undefined || other === undefined) return refuse(span, 'IS DISTINCT FROM takes two values');
  recordComparison(resolver.context, one, other);
  recordComparison(resolver.context, other, one);
  // With different types, a value that cannot be read as the other type is NULL too.
  const same = sql`COALESCE(${compare('=', one, other)}, ${isNull(one)} AND ${isNull(other)})`;
  return made(resolver.scope, { ...scalar('boolean', negated ? same : sql`(NOT ${same})`), span }, operands);
};

const isNull = (value: Value): EngineSql => sql`(${isJson(value.type) ? textOf(value) : value.sql} IS NULL)`;

export const between = (
  resolver: Resolver,
  { operand, low, high, negated, span }: Node<'between'>,
): Value => {
  const values = [operand, low, high].map((inner) => resolver.resolve(inner));
  const [value, from, to] = values;
  if (value === undefined || from === undefined || to === undefined)
    return refuse(span, 'BETWEEN takes two bounds');
  for (const bound of [from, to]) recordComparison(resolver.context, bound, value);
  const inside = sql`(${compare('>=', value, from)} AND ${compare('<=', value, to)})`;
  return made(
    resolver.scope,
    { ...scalar('boolean', negated ? sql`(NOT ${inside})` : inside), span },
    values,
  );
};

export const among = (resolver: Resolver, { operand, among: set, negated, span }: Node<'in'>): Value => {
  const value = resolver.resolve(operand);
  const sign = negated ? sql`NOT IN` : sql`IN`;
  if (!Array.isArray(set) && 'body' in set) {
    const { sql: inner, columns, references } = resolver.subquery(set, 'value');
    const column = plainValue({ sql: sql`k`, type: oneColumn(columns, span).type }, span);
    const { values } = comparison([value, column], span);
    const [left, right] = values;
    if (left === undefined || right === undefined) return refuse(span, 'IN takes a value and a query');
    const printed = sql`(${left} ${sign} (SELECT ${right} FROM (${inner}) AS s(k)))`;
    const whole = made(resolver.scope, { ...scalar('boolean', printed), span }, [value]);
    return { ...whole, references: [...whole.references, ...references] };
  }
  const items = (set as readonly Expression[]).map((item) => resolver.resolve(item));
  const kinds = new Set(items.map(({ type }) => comparedAs([value.type, type])));
  if (kinds.size > 1 || kinds.has('json')) {
    const tests = joined(
      items.map((item) => compare('=', value, item)),
      ' OR ',
    );
    const printed = negated ? sql`(NOT (${tests}))` : sql`(${tests})`;
    return made(resolver.scope, { ...scalar('boolean', printed), span }, [value, ...items]);
  }
  const { values } = comparison([value, ...items], span);
  const [left, ...rest] = values;
  if (left === undefined) return refuse(span, 'IN takes a value');
  return made(
    resolver.scope,
    { ...scalar('boolean', sql`(${left} ${sign} (${joined(rest, ', ')}))`), span },
    [value, ...items],
  );
};
