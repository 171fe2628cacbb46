/**
 * Reads a flat body by the class that describes it: its fields and no others. Bodies with parts inside are read by
 * JsonFields, which names the path of a fault.
 */

import { invalidRequest } from '../problems/problems.js';
import { membersOfBody, unknownField } from './json-fields.js';
import { fieldErrors, fieldsOf } from './validate.js';

/** Throws RejectedError `invalid-request` with every field that is wrong. */
export const readBody = <T extends object>(body: unknown, Dto: new () => T): T => {
  const members = membersOfBody(body);
  const known = fieldsOf(Dto);
  const others = Object.keys(members).filter((field) => !known.has(field));
  const read = Object.assign(new Dto(), members);
  const errors = [...fieldErrors(read), ...others.map((field) => unknownField(field, known))];
  if (errors.length > 0) throw invalidRequest(errors);
  return read;
};
