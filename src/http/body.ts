/** Reads a body by the class that describes it: its fields and no others. */
import { invalid, RejectedError } from '../domain/rejections.js';
import { fieldErrors } from './validate.js';

/** Throws RejectedError `invalid-request` with every field that is wrong. */
export const readBody = <T extends object>(body: unknown, Dto: new () => T): T => {
  const message = 'the body has to be a JSON object';
  if (typeof body !== 'object' || body === null || Array.isArray(body))
    throw new RejectedError(invalid([{ field: 'body', rule: 'object', message }]));
  const read = Object.assign(new Dto(), body);
  const errors = fieldErrors(read);
  if (errors.length > 0) throw new RejectedError(invalid(errors));
  return read;
};
