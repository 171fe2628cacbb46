/**
 * Resolves the names and types of expressions. The switch covers every kind of node, so no construct reaches the engine
 * unchecked.
 */
import { doubleLiteral, integerLiteral, joined, parameterSql, sql, textLiteral } from '../../engine-sql.js';
import { compare } from '../../functions/compared.js';
import { asOne } from '../../functions/condition-functions.js';
import { extracted } from '../../functions/time-functions.js';
import { intervalOf, zoneOf } from '../../functions/time-units.js';
import { refuse } from '../../query-problem.js';
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
      const tested = isJson(operand.type) ? textOf(operand) : operand.sql;
      return make(
        scalar('boolean', expression.negated ? sql`(${tested} IS NOT NULL)` : sql`(${tested} IS NULL)`),
        [operand],
      );
    }
    case 'is-boolean': {
      const operand = resolve(expression.operand);
      const tested = convert(operand, 'boolean', operand.span);
      const wanted = expression.value ? sql`TRUE` : sql`FALSE`;
      const sign = expression.negated ? sql`IS DISTINCT FROM` : sql`IS NOT DISTINCT FROM`;
      return make(scalar('boolean', sql`(${tested} ${sign} ${wanted})`), [operand]);
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
      const printed = intervalOf(convert(amount, 'integer', amount.span), expression.unit, span);
      return make({ sql: printed, type: { kind: 'interval' } }, [amount]);
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
      const { sql: inner, columns, references } = subquery(expression.query, 'value');
      const column = oneColumn(columns, span);
      return { ...made(scope, { sql: sql`(${inner})`, type: column.type, span }, []), references };
    }
    case 'exists': {
      const { sql: inner, references } = subquery(expression.query, 'value');
      return { ...made(scope, { ...scalar('boolean', sql`EXISTS (${inner})`), span }, []), references };
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

const literalShape = (value: Node<'literal'>['value']): Shape => {
  if (value === null) return { sql: sql`NULL`, type: { kind: 'null' } };
  if (typeof value === 'string') return scalar('string', textLiteral(value));
  if (typeof value === 'boolean') return scalar('boolean', value ? sql`TRUE` : sql`FALSE`);
  if (Number.isSafeInteger(value)) return scalar('integer', integerLiteral(value));
  return scalar('number', doubleLiteral(value));
};

const parameterValue = ({ context, scope }: Resolver, { name, span }: Node<'parameter'>): Value => {
  context.recordParameter(name, { as: 'text' }, span);
  return made(scope, { ...scalar('string', parameterSql(name)), parameter: name, span }, []);
};

const unary = (resolver: Resolver, { operator, operand, span }: Node<'unary'>): Value => {
  const value = resolver.resolve(operand);
  if (operator === 'not')
    return made(
      resolver.scope,
      { ...scalar('boolean', sql`(NOT ${convert(value, 'boolean', value.span)})`), span },
      [value],
    );
  const { sql: of, type } = numeric(value);
  return made(resolver.scope, { sql: sql`(-${of})`, type, span }, [value]);
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
  const branches = whens.map((when, at) => {
    const condition = operand === null ? convert(when, 'boolean', when.span) : compare('=', operand, when);
    const result = results[at];
    return result === undefined ? sql`` : sql`WHEN ${condition} THEN ${as(result)}`;
  });
  const last = otherwise === null ? sql`` : sql` ELSE ${as(otherwise)}`;
  const operands = [...whens, ...all, ...(operand === null ? [] : [operand])];
  return made(resolver.scope, { sql: sql`CASE ${joined(branches, ' ')}${last} END`, type, span }, operands);
};

/** `CASE @name WHEN 'a' … END` without ELSE: records that only these values are valid. */
const recordChoice = (context: CompileContext, operand: Value, whens: readonly Value[]): void => {
  const among = whens.map(({ literal }) => literal).filter((literal) => typeof literal === 'string');
  if (operand.parameter === undefined || among.length !== whens.length) return;
  context.recordParameter(operand.parameter, { as: 'choice', among }, operand.span);
};
