/**
 * Where the fields of the catalogue of all projects are in the entries. A name with several fields there is ambiguous only when
 * one project alone has several of them. A type of that catalogue remembers its places through subqueries and unions.
 */
import type { FieldPlace, FieldType, RecordType } from '../../../foundation/log-store/field-catalogue.js';
import { knownFieldsOf } from '../../../foundation/log-store/known-fields.js';
import type { LogSource } from '../../../foundation/log-store/sources.js';
import type { ValueType } from './values.js';

const places = new WeakMap<ValueType, readonly FieldPlace[]>();
const converted = new WeakMap<RecordType, ValueType>();

/** Converts the type of a source's metadata. The result is cached, since queries share the catalogue. */
export const placedMetadata = (source: LogSource, metadata: RecordType): ValueType => {
  const known = converted.get(metadata);
  if (known !== undefined) return known;
  const type = placedType(metadata, { source, path: [] });
  converted.set(metadata, type);
  return type;
};

const placedType = (field: FieldType, place: FieldPlace): ValueType => {
  const type = withPlaces(field, place);
  places.set(type, [place]);
  return type;
};

const withPlaces = (field: FieldType, { source, path }: FieldPlace): ValueType => {
  switch (field.kind) {
    case 'record': {
      const fields = Object.entries(field.fields).map(
        ([name, type]) => [name, placedType(type, { source, path: [...path, name] })] as const,
      );
      return { kind: 'record', fields: Object.fromEntries(fields), arrays: field.arrays ?? false };
    }
    case 'array':
      return {
        kind: 'array',
        items: placedType(field.items, { source, path: [...path, null] }),
        form: 'json',
      };
    default:
      return { kind: field.kind };
  }
};

/** Gives a type that was made of others the places of all. */
export const placedAs = (type: ValueType, others: readonly ValueType[]): ValueType => {
  const all = others.map((other) => places.get(other));
  const known = all.filter((some) => some !== undefined);
  // What a query itself makes is there whatever a project has.
  if (known.length > 0 && known.length === all.length) places.set(type, known.flat());
  return type;
};

/** Returns the places of a field; null: the entries of every project may have it. */
export const placesOf = (type: ValueType): readonly FieldPlace[] | null => {
  const found = places.get(type);
  return found === undefined || found.some(isDocumented) ? null : found;
};

const isDocumented = ({ source, path }: FieldPlace): boolean => {
  let type: FieldType | undefined = knownFieldsOf(source);
  for (const step of path) {
    if (step === null) type = type?.kind === 'array' ? type.items : undefined;
    else type = type?.kind === 'record' && Object.hasOwn(type.fields, step) ? type.fields[step] : undefined;
  }
  return type !== undefined;
};
