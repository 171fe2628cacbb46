/** Resolves arrays, structs and access to elements. A struct is a JSON record, like those of the metadata. */
import type { Term } from '../../../../foundation/log-store/query-tree.js';
import { listType } from '../../functions/call.js';
import { asOne } from '../../functions/condition-functions.js';
import { refuse } from '../../query-problem.js';
import { apply, choose, literal, read, subqueryTerm } from '../../terms.js';
import type { Expression, Span, StructField } from '../../tree.js';
import { anyOf, convert, type NamedShape, recordOf } from '../../values/convert.js';
import { stepInto } from '../../values/fields.js';
import { elementType, isJson, placeOf, type Shape, type Value, valueAt } from '../../values/values.js';
import { type Node, oneColumn, type Resolver } from '../resolver.js';
import { made } from '../scope.js';

export const arrayOf = (resolver: Resolver, { items, span }: Node<'array'>): Value => {
  const values = namedAlike(items).map((item) => resolver.resolve(item));
  const { type, as } = asOne(values, span);
  const shape = { term: apply('list', ...values.map(as)), type: listType(type) };
  return made(resolver.scope, { ...shape, span }, values);
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
  const { node, columns, references } = resolver.subquery(query, 'list');
  const { type } = oneColumn(columns, span);
  const shape: Shape = { term: subqueryTerm('list', node), type: listType(type) };
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
    return valueAt({ base: listElement(read('items', { base, path }), at, from), path: [] }, items);
  }
  if (of.type.kind !== 'array') return refuse(of.span, `${anyOf(of.type)} has no elements`);
  return { term: listElement(of.term, at, from), type: items };
};

/** Positions in the tree are from 1, negative ones from the end. The dialect has no negative indexes. */
const listElement = (list: Term, at: Value, from: 0 | 1): Term => {
  const index = convert(at, 'integer', at.span);
  const position = choose([[apply('>=', index, literal(from)), apply('add', index, literal(1 - from))]]);
  return apply('list-element', list, position);
};
