/** Resolves arrays, structs and access to elements. A struct is a JSON record, like those of the metadata. */
import { type EngineSql, integerLiteral, joined, jsonPlace, sql } from '../../engine-sql.js';
import { asOne } from '../../functions/condition-functions.js';
import { refuse } from '../../query-problem.js';
import type { Expression, Span, StructField } from '../../tree.js';
import { anyOf, convert, type NamedShape, recordOf } from '../../values/convert.js';
import { stepInto } from '../../values/fields.js';
import { elementType, isJson, placeOf, type Shape, type Value, valueAt } from '../../values/values.js';
import { type Node, oneColumn, type Resolver } from '../resolver.js';
import { made } from '../scope.js';

export const arrayOf = (resolver: Resolver, { items, span }: Node<'array'>): Value => {
  const values = namedAlike(items).map((item) => resolver.resolve(item));
  const { type, as } = asOne(values, span);
  const printed = sql`[${joined(values.map(as), ', ')}]`;
  return made(
    resolver.scope,
    { sql: printed, type: { kind: 'array', items: type, form: 'list' }, span },
    values,
  );
};

/** Structs of one array take the field names of the first: `[STRUCT(1 AS a), STRUCT(2)]`. */
const namedAlike = (items: readonly Expression[]): readonly Expression[] => {
  const [first] = items;
  if (first?.kind !== 'struct') return items;
  const names = first.fields.map((field, at) => fieldName(field, at));
  return items.map((item) => {
    if (item.kind !== 'struct' || item.fields.length !== names.length) return item;
    const fields = item.fields.map(({ name, value }, at) => ({ name: name ?? names[at] ?? null, value }));
    return { ...item, fields };
  });
};

/** The array is empty when the query has no rows. */
export const arrayOfQuery = (resolver: Resolver, { query, span }: Node<'array-query'>): Value => {
  const { sql: inner, columns, references } = resolver.subquery(query, 'list');
  const { type } = oneColumn(columns, span);
  const shape: Shape = { sql: sql`ARRAY(${inner})`, type: { kind: 'array', items: type, form: 'list' } };
  return { ...made(resolver.scope, { ...shape, span }, []), references };
};

export const structOf = (resolver: Resolver, { fields, span }: Node<'struct'>): Value => {
  const values = fields.map(({ value }) => resolver.resolve(value));
  const named = values.map((shape, at) => ({ name: fieldName(fields[at], at), shape }));
  return made(resolver.scope, { ...recordOfUniqueNames(named, span), span }, values);
};

/** Builds a record. Throws Refusal when two fields have the same name. */
export const recordOfUniqueNames = (
  fields: readonly (NamedShape & { readonly shape: Pick<Value, 'span'> })[],
  span: Span,
): Shape => {
  const taken = new Set<string>();
  for (const { name, shape } of fields) {
    if (shape.type.kind === 'interval') refuse(shape.span, 'an interval cannot be part of a struct');
    if (taken.has(name.toLowerCase())) refuse(span, `two fields of this struct are called ${name}`);
    taken.add(name.toLowerCase());
  }
  return recordOf(fields);
};

/** Returns the author's name, the name of the column, or a name from the position. */
const fieldName = (field: StructField | undefined, at: number): string => {
  if (field?.name) return field.name;
  const own = field?.value.kind === 'path' ? field.value.parts.at(-1) : undefined;
  return own ?? `_field_${at + 1}`;
};

export const elementOf = (resolver: Resolver, expression: Node<'element'>): Value => {
  const { span, from } = expression;
  const of = resolver.resolve(expression.of);
  const at = resolver.resolve(expression.at);
  if (typeof at.literal === 'string')
    return made(resolver.scope, { ...stepInto(of, at.literal, of.span), span }, [of]);
  return made(resolver.scope, { ...elementShape(of, at, from), span }, [of, at]);
};

/** An element beyond the end is NULL. A record counts as an array of one element, since the dialect stores records so. */
const elementShape = (of: Value, at: Value, from: 0 | 1): Shape => {
  const items = elementType(of.type);
  const index = typeof at.literal === 'number' ? at.literal - from : null;
  if (of.type.kind === 'record')
    return index === 0 ? of : refuse(at.span, 'a record has one element, [offset(0)]');
  if (isJson(of.type)) {
    const { base, path } = placeOf(of);
    if (index !== null && index >= 0) return valueAt({ base, path: [...path, index] }, items);
    const list = sql`json_extract(json_extract(${base}, ${jsonPlace(path)}), '$[*]')`;
    return valueAt({ base: listElement(list, at, from), path: [] }, items);
  }
  if (of.type.kind !== 'array') return refuse(of.span, `${anyOf(of.type)} has no elements`);
  return { sql: listElement(of.sql, at, from), type: items };
};

/** The engine counts from 1, and negative indexes from the end. The dialect has no negative indexes. */
const listElement = (list: EngineSql, at: Value, from: 0 | 1): EngineSql => {
  const index = convert(at, 'integer', at.span);
  return sql`list_extract(${list}, CASE WHEN ${index} >= ${integerLiteral(from)} THEN ${index} + ${integerLiteral(1 - from)} END)`;
};
