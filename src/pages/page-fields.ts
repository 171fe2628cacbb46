/** The fields of the forms on pages. */
import { FieldReader, type Fields } from '../http/body/fields.js';

/** Drops empty fields, which forms send too. */
export const givenIn = (query: Fields): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(query).flatMap(([name, value]) => (value === '' ? [] : [[name, String(value)]])),
  );

export const filledIn = (query: Fields): FieldReader => new FieldReader(givenIn(query));
