/** Rules of fields that bodies about alerts and drains share. */
import { isName } from '../domain/ids.js';
import type { RejectedError } from '../domain/rejections.js';
import { anInteger, type JsonRule } from '../http/body/json-fields.js';
import { invalidRequest } from '../http/problems/invalid-request.js';

const MAX_NAME_LENGTH = 100;

export const aName: JsonRule<string> = {
  name: 'name',
  allowed: `a text of 1 to ${MAX_NAME_LENGTH} characters that can be shown, not only spaces`,
  read: (value) => (typeof value === 'string' && isName(value, MAX_NAME_LENGTH) ? value : undefined),
};

/** The refusal of a body that lacks some of these fields. */
export const missingOf = (needed: Readonly<Record<string, unknown>>): RejectedError =>
  invalidRequest(
    Object.entries(needed)
      .filter(([, value]) => value === undefined)
      .map(([field]) => ({ field, rule: 'required', message: `${field} must be given` })),
  );

export const aFlag: JsonRule<boolean> = {
  name: 'flag',
  allowed: 'true or false',
  read: (value) => (typeof value === 'boolean' ? value : undefined),
};

export const integerIn = (from: number, to: number): JsonRule<number> => ({
  name: 'range',
  allowed: `an integer from ${from} to ${to}`,
  read: (value) => {
    const given = anInteger.read(value);
    return given !== undefined && given >= from && given <= to ? given : undefined;
  },
});
