/**
 * Resolves the names and types of expressions. The switch covers every kind of node, so no construct reaches the engine
 * unchecked.
 */
import { compare } from '../../functions/compared.js';
import { asOne } from '../../functions/condition-functions.js';
import { extracted } from '../../functions/time-functions.js';
import { intervalOf, zoneOf } from '../../functions/time-units.js';
import { refuse } from '../../query-problem.js';
import { apply, choose, literal, not, parameter, subqueryTerm } from '../../terms.js';
import type { Expression } from '../../tree.js';
import { convert, numeric, textOf } from '../../values/convert.js';
import { stepInto } from '../../values/fields.js';
import { isJson, type Shape, scalar, type Value } from '../../values/values.js';
import type { CompileContext } from '../context.js';
import { type Node, oneColumn, type Resolver } from '../resolver.js';
import { made, resolvePath } from '../scope.js';
import { resolveCall } from './resolve-call.js';
import { cast } from './resolve-cast.js';
import { arrayOf, arrayOfQuery, elementOf, structOf } from './resolve-composites.js';
import { among, between, binary, isDistinct } from './resolve-operators.js';

export const resolveExpression = (resolver: Resolver, expression: Expression): Value => {
  const { scope, resolve, subquery } = resolver;
  const { span } = expression;
  const make = (shape: Shape, operands: readonly Value[]): Value => made(scope, { ...shape, span }, operands);
  switch (expression.kind) {
    case 'literal':
      return literalValue(resolver, expression);
    case 'parameter':
      return parameterValue(resolver, expression);
    case 'path':
      return resolvePath(scope, expression.parts, span);
    case 'field': {
      const of = resolve(expression.of);
      return make(stepInto(of, expression.name, of.span), [of]);
    }
    case 'unary':
      return unary(resolver, expression);
    case 'binary':
      return binary(resolver, expression);
    case 'is-null': {
      const operand = resolve(expression.operand);
      const tested = isJson(operand.type) ? textOf(operand) : operand.term;
      return make(scalar('boolean', apply(expression.negated ? 'is-not-null' : 'is-null', tested)), [
        operand,
      ]);
    }
    case 'is-boolean': {
      const operand = resolve(expression.operand);
      const tested = convert(operand, 'boolean', operand.span);
      const test = apply(expression.negated ? 'differs' : 'same', tested, literal(expression.value));
      return make(scalar('boolean', test), [operand]);
    }
    case 'is-distinct':
      return isDistinct(resolver, expression);
    case 'between':
      return between(resolver, expression);
    case 'in':
      return among(resolver, expression);
    case 'case':
      return caseOf(resolver, expression);
    case 'cast':
      return cast(resolver, expression);
    case 'call':
      return resolveCall(resolver, expression);
    case 'interval': {
      const amount = resolve(expression.amount);
      const term = intervalOf(convert(amount, 'integer', amount.span), expression.unit, span);
      return make({ term, type: { kind: 'interval' } }, [amount]);
    }
    case 'extract': {
      const from = resolve(expression.from);
      const zone = expression.zone === null ? ({ kind: 'utc' } as const) : zoneOf(resolve(expression.zone));
      return make(extracted(convert(from, 'timestamp', from.span), { part: expression.part, zone, span }), [
        from,
      ]);
    }
    case 'array':
      return arrayOf(resolver, expression);
    case 'array-query':
      return arrayOfQuery(resolver, expression);
    case 'struct':
      return structOf(resolver, expression);
    case 'element':
      return elementOf(resolver, expression);
    case 'subquery': {
      const { node, columns, references } = subquery(expression.query, 'value');
      const { type } = oneColumn(columns, span);
      return { ...made(scope, { term: subqueryTerm('value', node), type, span }, []), references };
    }
    case 'exists': {
      const { node, references } = subquery(expression.query, 'value');
      const test = scalar('boolean', subqueryTerm('exists', node));
      return { ...made(scope, { ...test, span }, []), references };
    }
    case 'star':
      return refuse(span, '* stands alone in SELECT or in count(*)');
    case 'keyword':
      return refuse(span, `${expression.word.toUpperCase()} is a unit of time and cannot stand here`);
    default:
      return expression satisfies never;
  }
};

const literalValue = ({ scope }: Resolver, { value, span, field }: Node<'literal'>): Value =>
  made(scope, { ...literalShape(value), literal: value, span, ...(field !== undefined && { field }) }, []);

const literalShape = (value: Node<'literal'>['value']): Shape => ({
  term: literal(value),
  type: { kind: literalKind(value) },
});

const literalKind = (value: Node<'literal'>['value']) => {
  if (value === null) return 'null';
  if (typeof value === 'number') return Number.isSafeInteger(value) ? 'integer' : 'number';
  return typeof value === 'string' ? 'string' : 'boolean';
};

const parameterValue = ({ context, scope }: Resolver, { name, span }: Node<'parameter'>): Value => {
  context.recordParameter(name, { as: 'text' }, span);
  return made(scope, { ...scalar('string', parameter(name)), parameter: name, span }, []);
};

const unary = (resolver: Resolver, { operator, operand, span }: Node<'unary'>): Value => {
  const value = resolver.resolve(operand);
  if (operator === 'not')
    return made(resolver.scope, { ...scalar('boolean', not(convert(value, 'boolean', value.span))), span }, [
      value,
    ]);
  const { term, type } = numeric(value);
  return made(resolver.scope, { term: apply('negate', term), type, span }, [value]);
};

const caseOf = (resolver: Resolver, expression: Node<'case'>): Value => {
  const { span } = expression;
  const operand = expression.operand === null ? null : resolver.resolve(expression.operand);
  const whens = expression.branches.map(({ when }) => resolver.resolve(when));
  const results = expression.branches.map(({ result }) => resolver.resolve(result));
  const otherwise = expression.otherwise === null ? null : resolver.resolve(expression.otherwise);
  if (operand !== null && otherwise === null) recordChoice(resolver.context, operand, whens);
  const all = otherwise === null ? results : [...results, otherwise];
  const { type, as } = asOne(all, span);
  const branches = whens.flatMap((when, at) => {
    const condition = operand === null ? convert(when, 'boolean', when.span) : compare('=', operand, when);
    const result = results[at];
    return result === undefined ? [] : [[condition, as(result)] as const];
  });
  const term = choose(branches, otherwise === null ? null : as(otherwise));
  const operands = [...whens, ...all, ...(operand === null ? [] : [operand])];
  return made(resolver.scope, { term, type, span }, operands);
};

/** `CASE @name WHEN 'a' … END` without ELSE: records that only these values are valid. */
const recordChoice = (context: CompileContext, operand: Value, whens: readonly Value[]): void => {
  const among = whens.map(({ literal }) => literal).filter((literal) => typeof literal === 'string');
  if (operand.parameter === undefined || among.length !== whens.length) return;
  context.recordParameter(operand.parameter, { as: 'choice', among }, operand.span);
};
