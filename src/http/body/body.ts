/**
 * Reads a flat body by its DTO class, and refuses unknown fields. JsonFields reads nested bodies, with the path
 * of each error.
 */

import { invalidRequest } from '../problems/invalid-request.js';
import { membersOfBody, unknownField } from './json-fields.js';
import { fieldErrors, fieldsOf } from './validate.js';

/** Throws RejectedError `invalid-request` with every wrong field. */
export const readBody = <T extends object>(body: unknown, Dto: new () => T): T => {
  const members = membersOfBody(body);
  const known = fieldsOf(Dto);
  const others = Object.keys(members).filter((field) => !known.has(field));
  const read = Object.assign(new Dto(), members);
  const errors = [...fieldErrors(read), ...others.map((field) => unknownField(field, known))];
  if (errors.length > 0) throw invalidRequest(errors);
  return read;
};
