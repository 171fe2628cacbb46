/** Resolves comparisons, arithmetic, AND, OR, BETWEEN and IN. Records how parameters in comparisons are used. */
import type { SelectNode, Term } from '../../../../foundation/log-store/query-tree.js';
import { compare, comparison } from '../../functions/compared.js';
import { like } from '../../functions/like.js';
import { arithmetic } from '../../functions/number-functions.js';
import { timeArithmetic } from '../../functions/time-functions.js';
import { refuse } from '../../query-problem.js';
import {
  amongRows,
  among as amongTerm,
  apply,
  chain,
  column as columnTerm,
  not,
  PLAIN_SELECT,
} from '../../terms.js';
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
      return timeArithmetic(call, operator) ?? arithmetic(left, right, operator === '+' ? 'add' : 'subtract');
    }
    case '*':
      return arithmetic(left, right, 'multiply');
    case '/':
      return scalar(
        'number',
        apply('divide', convert(left, 'number', left.span), convert(right, 'number', right.span)),
      );
    case '%':
      return scalar(
        'integer',
        apply('modulo', convert(left, 'integer', left.span), convert(right, 'integer', right.span)),
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
  return made(resolver.scope, { ...scalar(kind, chain(operator, pieces)), span: expression.span }, values);
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
  const same = apply('coalesce', compare('=', one, other), chain('and', [isNull(one), isNull(other)]));
  return made(resolver.scope, { ...scalar('boolean', negated ? same : not(same)), span }, operands);
};

const isNull = (value: Value): Term => apply('is-null', isJson(value.type) ? textOf(value) : value.term);

export const between = (
  resolver: Resolver,
  { operand, low, high, negated, span }: Node<'between'>,
): Value => {
  const values = [operand, low, high].map((inner) => resolver.resolve(inner));
  const [value, from, to] = values;
  if (value === undefined || from === undefined || to === undefined)
    return refuse(span, 'BETWEEN takes two bounds');
  for (const bound of [from, to]) recordComparison(resolver.context, bound, value);
  const inside = chain('and', [compare('>=', value, from), compare('<=', value, to)]);
  return made(resolver.scope, { ...scalar('boolean', negated ? not(inside) : inside), span }, values);
};

export const among = (resolver: Resolver, { operand, among: set, negated, span }: Node<'in'>): Value => {
  const value = resolver.resolve(operand);
  if (!Array.isArray(set) && 'body' in set) {
    const { node, columns, references } = resolver.subquery(set, 'value');
    const { called, type } = oneColumn(columns, span);
    const column = plainValue({ term: columnTerm(null, called), type }, span);
    const { values } = comparison([value, column], span);
    const [left, right] = values;
    if (left === undefined || right === undefined) return refuse(span, 'IN takes a value and a query');
    const rows: SelectNode = {
      ...PLAIN_SELECT,
      items: [{ term: right, name: called }],
      from: { kind: 'derived', query: node, as: null },
    };
    const test = scalar('boolean', amongRows(left, rows, negated));
    const whole = made(resolver.scope, { ...test, span }, [value]);
    return { ...whole, references: [...whole.references, ...references] };
  }
  const items = (set as readonly Expression[]).map((item) => resolver.resolve(item));
  const kinds = new Set(items.map(({ type }) => comparedAs([value.type, type])));
  if (kinds.size > 1 || kinds.has('json')) {
    const tests = chain(
      'or',
      items.map((item) => compare('=', value, item)),
    );
    const test = scalar('boolean', negated ? not(tests) : tests);
    return made(resolver.scope, { ...test, span }, [value, ...items]);
  }
  const { values } = comparison([value, ...items], span);
  const [left, ...rest] = values;
  if (left === undefined) return refuse(span, 'IN takes a value');
  const test = scalar('boolean', amongTerm(left, rest, negated));
  return made(resolver.scope, { ...test, span }, [value, ...items]);
};
