/**
 * The elements of an array as rows. A record counts as an array of one element, a scalar as an empty one. JSON elements stay
 * JSON, so their fields are read where they are used.
 */
import type { FromNode, Term } from '../../../../foundation/log-store/query-tree.js';
import { column, NULL, read } from '../../terms.js';
import { isJson, placeOf, type Shape, type Value, type ValueType, valueAt } from '../../values/values.js';

export interface Unnested {
  readonly from: FromNode;
  /** The value of each row. */
  readonly element: Shape;
  /** Its index in the array, from 0. */
  readonly offset: Shape;
}

/** `as`: the alias of the rows. */
export const unnested = (array: Value, as: string): Unnested => {
  const { list, type } = listOf(array);
  return {
    from: { kind: 'elements', list, as },
    element: elementShape(column(as, 'e'), array, type),
    offset: { term: column(as, 'o'), type: { kind: 'integer' } },
  };
};

/** Returns the array as a list, and the type of its elements. */
const listOf = (value: Value): { list: Term; type: ValueType } => {
  if (value.type.kind === 'array' && value.type.form === 'list')
    return { list: value.term, type: value.type.items };
  if (!isJson(value.type)) return { list: read('rows', { base: NULL, path: [] }), type: { kind: 'json' } };
  const type = value.type.kind === 'array' ? value.type.items : value.type;
  return { list: read('rows', placeOf(value)), type };
};

/** Elements of JSON are JSON. Elements of a list keep their type. */
const elementShape = (at: Term, array: Value, type: ValueType): Shape =>
  isJson(array.type) || isJson(type) ? valueAt({ base: at, path: [] }, type) : { term: at, type };
