/** Access to fields of records. The known fields are those of the catalogue, from past entries. */
import { refuse } from '../query-problem.js';
import type { Span } from '../tree.js';
import { anyOf } from './convert.js';
import { isJson, type JsonPlace, placeOf, type Shape, type ValueType, valueAt } from './values.js';

/** Returns the field with exactly this name, or the only one whose name differs in case; otherwise null. */
export const fieldOf = (type: ValueType, name: string): { name: string; type: ValueType } | null => {
  if (type.kind !== 'record') return null;
  const exact = Object.hasOwn(type.fields, name) ? type.fields[name] : undefined;
  if (exact !== undefined) return { name, type: exact };
  const alike = Object.entries(type.fields).filter(([known]) => known.toLowerCase() === name.toLowerCase());
  const only = alike.length === 1 ? alike[0] : undefined;
  return only === undefined ? null : { name: only[0], type: only[1] };
};

/** Returns all fields whose name is this in any case, the exact one first. */
export const fieldsLike = (type: ValueType, name: string): readonly string[] => {
  if (type.kind !== 'record') return [];
  const alike = Object.keys(type.fields).filter((known) => known.toLowerCase() === name.toLowerCase());
  return alike.sort((one, other) => Number(other === name) - Number(one === name));
};

/** Returns a field of a JSON value. An unknown field is allowed, and NULL if it is missing. Throws Refusal for other types. */
export const stepInto = (value: Shape, name: string, span: Span): Shape => {
  const field = fieldOf(value.type, name) ?? { name, type: { kind: 'json' as const } };
  const { base, path } = placeWithin(value, span);
  return valueAt({ base, path: [...path, field.name] }, field.type);
};

/** A field that was always a scalar so far may be a record in the next entry, so it may have fields too. */
const placeWithin = (value: Shape, span: Span): JsonPlace => {
  if (isJson(value.type)) return placeOf(value);
  return value.readFrom ?? refuse(span, `${anyOf(value.type)} has no fields`);
};

/** Returns the value at a path of fields. Throws Refusal. */
export const stepsInto = (value: Shape, names: readonly string[], span: Span): Shape =>
  names.reduce((at, name) => stepInto(at, name, span), value);
