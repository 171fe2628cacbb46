/**
 * Reads a flat body by the class that describes it: its fields and no others. Bodies with parts inside are read by
 * JsonFields, which names the path of a fault.
 */
import { invalid, RejectedError } from '../domain/rejections.js';
import { membersOfBody } from './json-fields.js';
import { fieldErrors } from './validate.js';

/** Throws RejectedError `invalid-request` with every field that is wrong. */
export const readBody = <T extends object>(body: unknown, Dto: new () => T): T => {
  const read = Object.assign(new Dto(), membersOfBody(body));
  const errors = fieldErrors(read);
  if (errors.length > 0) throw new RejectedError(invalid(errors));
  return read;
};
