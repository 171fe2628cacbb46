/**
 * Expressions with their names and types resolved. Every kind of node is handled here or refused: the switch is over all
 * of the tree, so no construct passes unread.
 */
import type { CompileContext, TableScope } from './context.js';
import { asCommon, comparedAs, convert, isScalar, nameOf, numeric, textOf } from './convert.js';
import {
  doubleLiteral,
  type EngineSql,
  integerLiteral,
  joined,
  jsonPlace,
  parameterSql,
  sql,
  textLiteral,
} from './engine-sql.js';
import { compare, comparison } from './functions/compared.js';
import { asOne } from './functions/condition-functions.js';
import { divide } from './functions/number-functions.js';
import { extracted, timeArithmetic } from './functions/time-functions.js';
import { intervalOf, zoneOf } from './functions/time-units.js';
import { refuse } from './query-problem.js';
import { resolveCall } from './resolve-call.js';
import { made, resolvePath, type Scope } from './scope.js';
import type { Expression, Query, Span } from './tree.js';
import {
  isJson,
  placeOf,
  plainValue,
  type Shape,
  stepInto,
  type Value,
  type ValueType,
  valueAt,
} from './values.js';

/** A query within an expression. */
export interface Subquery {
  readonly sql: EngineSql;
  readonly columns: readonly Shape[];
  /** Columns of the queries around it that it depends on. */
  readonly references: Value['references'];
}

export interface Resolver {
  readonly context: CompileContext;
  readonly scope: Scope;
  readonly tables: TableScope;
  readonly subquery: (query: Query, resolver: Resolver) => Subquery;
}

type Node<Kind extends Expression['kind']> = Extract<Expression, { kind: Kind }>;

const scalar = (kind: 'boolean' | 'integer' | 'number' | 'string', printed: EngineSql): Shape => ({
  sql: printed,
  type: { kind },
});

export const resolve = (resolver: Resolver, expression: Expression): Value =>
  resolver.context.within(expression.span, () => resolveNode(resolver, expression));

const resolveNode = (resolver: Resolver, expression: Expression): Value => {
  const { scope } = resolver;
  const { span } = expression;
  const make = (shape: Shape, operands: readonly Value[]): Value => made(scope, { ...shape, span }, operands);
  const child = (inner: Expression): Value => resolve(resolver, inner);
  switch (expression.kind) {
    case 'literal':
      return literalValue(resolver, expression);
    case 'parameter':
      return parameterValue(resolver, expression);
    case 'path':
      return resolvePath(scope, expression.parts, span);
    case 'field': {
      const of = child(expression.of);
      return make(stepInto(hasFields(of), expression.name), [of]);
    }
    case 'unary':
      return unary(resolver, expression);
    case 'binary':
      return binary(resolver, expression);
    case 'is-null': {
      const operand = child(expression.operand);
      const tested = isJson(operand.type) ? textOf(operand) : operand.sql;
      return make(
        scalar('boolean', expression.negated ? sql`(${tested} IS NOT NULL)` : sql`(${tested} IS NULL)`),
        [operand],
      );
    }
    case 'is-boolean': {
      const operand = child(expression.operand);
      const tested = convert(operand, 'boolean', operand.span);
      const wanted = expression.value ? sql`TRUE` : sql`FALSE`;
      const sign = expression.negated ? sql`IS DISTINCT FROM` : sql`IS NOT DISTINCT FROM`;
      return make(scalar('boolean', sql`(${tested} ${sign} ${wanted})`), [operand]);
    }
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
      const amount = child(expression.amount);
      const printed = intervalOf(convert(amount, 'integer', amount.span), expression.unit, span);
      return make({ sql: printed, type: { kind: 'interval' } }, [amount]);
    }
    case 'extract': {
      const from = child(expression.from);
      const zone = expression.zone === null ? ({ kind: 'utc' } as const) : zoneOf(child(expression.zone));
      return make(extracted(convert(from, 'timestamp', from.span), { part: expression.part, zone, span }), [
        from,
      ]);
    }
    case 'array':
      return arrayOf(resolver, expression);
    case 'element':
      return elementOf(resolver, expression);
    case 'subquery': {
      const { sql: inner, columns, references } = resolver.subquery(expression.query, resolver);
      const column = oneColumn(columns, span);
      return { ...made(scope, { sql: sql`(${inner})`, type: column.type, span }, []), references };
    }
    case 'exists': {
      const { sql: inner, references } = resolver.subquery(expression.query, resolver);
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

const hasFields = (value: Value): Value =>
  isJson(value.type) ? value : refuse(value.span, `a ${nameOf(value.type)} has no fields`);

const oneColumn = (columns: readonly Shape[], span: Span): Shape => {
  const [column, second] = columns;
  if (column === undefined || second !== undefined)
    return refuse(span, `this subquery gives ${columns.length} columns and has to give one`);
  return column;
};

const literalValue = ({ scope }: Resolver, { value, span }: Node<'literal'>): Value =>
  made(scope, { ...literalShape(value), literal: value, span }, []);

const literalShape = (value: Node<'literal'>['value']): Shape => {
  if (value === null) return { sql: sql`NULL`, type: { kind: 'null' } };
  if (typeof value === 'string') return scalar('string', textLiteral(value));
  if (typeof value === 'boolean') return scalar('boolean', value ? sql`TRUE` : sql`FALSE`);
  if (Number.isSafeInteger(value)) return scalar('integer', integerLiteral(value));
  return scalar('number', doubleLiteral(value));
};

const parameterValue = ({ context, scope }: Resolver, { name, span }: Node<'parameter'>): Value => {
  context.noteParameter(name, { as: 'text' }, span);
  return made(scope, { ...scalar('string', parameterSql(name)), parameter: name, span }, []);
};

const unary = (resolver: Resolver, { operator, operand, span }: Node<'unary'>): Value => {
  const value = resolve(resolver, operand);
  if (operator === 'not')
    return made(
      resolver.scope,
      { ...scalar('boolean', sql`(NOT ${convert(value, 'boolean', value.span)})`), span },
      [value],
    );
  const { sql: of, type } = numeric(value);
  return made(resolver.scope, { sql: sql`(-${of})`, type, span }, [value]);
};

const binary = (resolver: Resolver, expression: Node<'binary'>): Value => {
  const { operator, span } = expression;
  if (operator === 'and' || operator === 'or' || operator === '||')
    return chained(resolver, expression, operator);
  const left = resolve(resolver, expression.left);
  const right = resolve(resolver, expression.right);
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
      noteComparison(context, left, right);
      noteComparison(context, right, left);
      return scalar('boolean', compare(operator, left, right));
    case 'like':
    case 'ilike': {
      const [text, pattern] = [textOf(left), textOf(right)];
      return scalar(
        'boolean',
        operator === 'like'
          ? sql`(${text} LIKE ${pattern} ESCAPE '\')`
          : sql`(${text} ILIKE ${pattern} ESCAPE '\')`,
      );
    }
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

const arithmetic = (left: Value, right: Value, sign: EngineSql): Shape => {
  const [a, b] = [numeric(left), numeric(right)];
  const whole = a.type.kind === 'integer' && b.type.kind === 'integer';
  const wide = (shape: Shape) => (whole ? sql`CAST(${shape.sql} AS BIGINT)` : shape.sql);
  return scalar(whole ? 'integer' : 'number', sql`(${wide(a)} ${sign} ${b.sql})`);
};

/** A parameter that is compared has to read as what it is compared with. */
const noteComparison = (context: CompileContext, value: Value, other: Value): void => {
  if (value.parameter === undefined) return;
  const kind = comparedAs([value.type, other.type]);
  if (kind === 'timestamp' || kind === 'date')
    context.noteParameter(value.parameter, { as: 'timestamp' }, value.span);
  if (kind === 'number' || kind === 'integer')
    context.noteParameter(value.parameter, { as: 'number' }, value.span);
};

/** A chain of one operator side by side: as deep as it is long, it would exhaust the stack here and in the engine. */
const chained = (resolver: Resolver, expression: Node<'binary'>, operator: 'and' | 'or' | '||'): Value => {
  const kind = operator === '||' ? 'string' : 'boolean';
  const values = operandsOf(expression, operator).map((operand) => resolve(resolver, operand));
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

const between = (resolver: Resolver, { operand, low, high, negated, span }: Node<'between'>): Value => {
  const values = [operand, low, high].map((inner) => resolve(resolver, inner));
  const [value, from, to] = values;
  if (value === undefined || from === undefined || to === undefined)
    return refuse(span, 'BETWEEN takes two bounds');
  for (const bound of [from, to]) noteComparison(resolver.context, bound, value);
  const inside = sql`(${compare('>=', value, from)} AND ${compare('<=', value, to)})`;
  return made(
    resolver.scope,
    { ...scalar('boolean', negated ? sql`(NOT ${inside})` : inside), span },
    values,
  );
};

const among = (resolver: Resolver, { operand, among: set, negated, span }: Node<'in'>): Value => {
  const value = resolve(resolver, operand);
  const sign = negated ? sql`NOT IN` : sql`IN`;
  if (!Array.isArray(set) && 'body' in set) {
    const { sql: inner, columns, references } = resolver.subquery(set, resolver);
    const column = plainValue({ sql: sql`k`, type: oneColumn(columns, span).type }, span);
    const { values } = comparison([value, column], span);
    const [left, right] = values;
    if (left === undefined || right === undefined) return refuse(span, 'IN takes a value and a query');
    const printed = sql`(${left} ${sign} (SELECT ${right} FROM (${inner}) AS s(k)))`;
    const whole = made(resolver.scope, { ...scalar('boolean', printed), span }, [value]);
    return { ...whole, references: [...whole.references, ...references] };
  }
  const items = (set as readonly Expression[]).map((item) => resolve(resolver, item));
  const { values } = comparison([value, ...items], span);
  const [left, ...rest] = values;
  if (left === undefined) return refuse(span, 'IN takes a value');
  return made(
    resolver.scope,
    { ...scalar('boolean', sql`(${left} ${sign} (${joined(rest, ', ')}))`), span },
    [value, ...items],
  );
};

const caseOf = (resolver: Resolver, expression: Node<'case'>): Value => {
  const { span } = expression;
  const operand = expression.operand === null ? null : resolve(resolver, expression.operand);
  const whens = expression.branches.map(({ when }) => resolve(resolver, when));
  const results = expression.branches.map(({ result }) => resolve(resolver, result));
  const otherwise = expression.otherwise === null ? null : resolve(resolver, expression.otherwise);
  if (operand !== null && otherwise === null) noteChoice(resolver.context, operand, whens);
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

/** `CASE @name WHEN 'a' … END` without ELSE: no other value than these means anything. */
const noteChoice = (context: CompileContext, operand: Value, whens: readonly Value[]): void => {
  const among = whens.map(({ literal }) => literal).filter((literal) => typeof literal === 'string');
  if (operand.parameter === undefined || among.length !== whens.length) return;
  context.noteParameter(operand.parameter, { as: 'choice', among }, operand.span);
};

const CAST_KINDS: Readonly<Record<string, ValueType['kind']>> = {
  int64: 'integer',
  int: 'integer',
  integer: 'integer',
  bigint: 'integer',
  smallint: 'integer',
  tinyint: 'integer',
  byteint: 'integer',
  float64: 'number',
  numeric: 'number',
  decimal: 'number',
  bignumeric: 'number',
  bigdecimal: 'number',
  string: 'string',
  bool: 'boolean',
  boolean: 'boolean',
  timestamp: 'timestamp',
  datetime: 'timestamp',
  date: 'date',
  json: 'json',
};

const cast = (resolver: Resolver, { operand, type, span }: Node<'cast'>): Value => {
  const value = resolve(resolver, operand);
  const kind = Object.hasOwn(CAST_KINDS, type) ? CAST_KINDS[type] : undefined;
  if (kind === undefined) return refuse(span, `there is no type ${type.toUpperCase()} to cast to`);
  return made(resolver.scope, { ...castShape(resolver.context, value, kind), span }, [value]);
};

const castShape = (context: CompileContext, value: Value, kind: ValueType['kind']): Shape => {
  const target: ValueType =
    kind === 'json' ? { kind } : kind === 'record' || kind === 'array' ? { kind: 'json' } : { kind };
  if (target.kind === 'json') return { sql: asCommon(value, target), type: target };
  if (!isScalar(target)) return value;
  if (value.parameter !== undefined && target.kind === 'timestamp')
    context.noteParameter(value.parameter, { as: 'timestamp' }, value.span);
  const { sql: of, type } = value;
  if (target.kind === 'integer' && (type.kind === 'string' || isJson(type))) {
    const text = textOf(value);
    const printed = sql`CASE WHEN NOT contains(${text}, '.') THEN TRY_CAST(${text} AS BIGINT) END`;
    return { sql: type.kind === 'string' ? printed : convert(value, 'integer', value.span), type: target };
  }
  if (target.kind === 'boolean' && type.kind === 'integer') return { sql: sql`(${of} <> 0)`, type: target };
  if (target.kind === 'integer' && type.kind === 'boolean')
    return { sql: sql`CAST(${of} AS BIGINT)`, type: target };
  return { sql: convert(value, target.kind, value.span), type: target };
};

const arrayOf = (resolver: Resolver, { items, span }: Node<'array'>): Value => {
  const values = items.map((item) => resolve(resolver, item));
  const { type, as } = asOne(values, span);
  const printed = sql`[${joined(values.map(as), ', ')}]`;
  return made(
    resolver.scope,
    { sql: printed, type: { kind: 'array', items: type, form: 'list' }, span },
    values,
  );
};

const elementOf = (resolver: Resolver, expression: Node<'element'>): Value => {
  const { span, from } = expression;
  const of = resolve(resolver, expression.of);
  const at = resolve(resolver, expression.at);
  return made(resolver.scope, { ...elementShape(of, at, from), span }, [of, at]);
};

/** An element beyond the end is NULL. A record is its own first element, as where the dialect keeps it in an array. */
const elementShape = (of: Value, at: Value, from: 0 | 1): Shape => {
  const items: ValueType = of.type.kind === 'array' ? of.type.items : { kind: 'json' };
  const index = typeof at.literal === 'number' ? at.literal - from : null;
  if (of.type.kind === 'record')
    return index === 0 ? of : refuse(at.span, 'a record has one element, [offset(0)]');
  if (isJson(of.type)) {
    const { base, path } = placeOf(of);
    if (index !== null && index >= 0) return valueAt({ base, path: [...path, index] }, items);
    const list = sql`json_extract(json_extract(${base}, ${jsonPlace(path)}), '$[*]')`;
    return valueAt({ base: listElement(list, at, from), path: [] }, items);
  }
  if (of.type.kind !== 'array') return refuse(of.span, `a ${nameOf(of.type)} has no elements`);
  return { sql: listElement(of.sql, at, from), type: items };
};

/** The engine counts from 1, and from the end below 0, which the dialect does not. */
const listElement = (list: EngineSql, at: Value, from: 0 | 1): EngineSql => {
  const index = convert(at, 'integer', at.span);
  return sql`list_extract(${list}, CASE WHEN ${index} >= ${integerLiteral(from)} THEN ${index} + ${integerLiteral(1 - from)} END)`;
};
