/** Steps from a record into its fields, whose names are those that entries have had. */
import { refuse } from '../query-problem.js';
import type { Span } from '../tree.js';
import { anyOf } from './convert.js';
import { isJson, type JsonPlace, placeOf, type Shape, type ValueType, valueAt } from './values.js';

/** A field's name as the entries have it, and its type: exactly as written, or the only one but for the case. */
export const fieldOf = (type: ValueType, name: string): { name: string; type: ValueType } | null => {
  if (type.kind !== 'record') return null;
  const exact = Object.hasOwn(type.fields, name) ? type.fields[name] : undefined;
  if (exact !== undefined) return { name, type: exact };
  const alike = Object.entries(type.fields).filter(([known]) => known.toLowerCase() === name.toLowerCase());
  const only = alike.length === 1 ? alike[0] : undefined;
  return only === undefined ? null : { name: only[0], type: only[1] };
};

/** One step into JSON: a field that is not known may still be there, or is NULL. Throws Refusal for what is no JSON. */
export const stepInto = (value: Shape, name: string, span: Span): Shape => {
  const field = fieldOf(value.type, name) ?? { name, type: { kind: 'json' as const } };
  const { base, path } = placeWithin(value, span);
  return valueAt({ base, path: [...path, field.name] }, field.type);
};

/** Of a field that has held nothing but scalars so far, the next entry may hold a record. */
const placeWithin = (value: Shape, span: Span): JsonPlace => {
  if (isJson(value.type)) return placeOf(value);
  return value.readFrom ?? refuse(span, `${anyOf(value.type)} has no fields`);
};

/** A path into a value. */
export const stepsInto = (value: Shape, names: readonly string[], span: Span): Shape =>
  names.reduce((at, name) => stepInto(at, name, span), value);
