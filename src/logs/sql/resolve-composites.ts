/** Arrays, and the elements of arrays and records. */
import { convert, nameOf } from './convert.js';
import { type EngineSql, integerLiteral, joined, jsonPlace, sql } from './engine-sql.js';
import { asOne } from './functions/condition-functions.js';
import { refuse } from './query-problem.js';
import { resolve } from './resolve-expression.js';
import type { Node, Resolver } from './resolver.js';
import { made } from './scope.js';
import { isJson, placeOf, type Shape, type Value, type ValueType, valueAt } from './values.js';

export const arrayOf = (resolver: Resolver, { items, span }: Node<'array'>): Value => {
  const values = items.map((item) => resolve(resolver, item));
  const { type, as } = asOne(values, span);
  const printed = sql`[${joined(values.map(as), ', ')}]`;
  return made(
    resolver.scope,
    { sql: printed, type: { kind: 'array', items: type, form: 'list' }, span },
    values,
  );
};

export const elementOf = (resolver: Resolver, expression: Node<'element'>): Value => {
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
