/**
 * Turns what class-validator finds in a body into field errors: the path as the sender wrote it
 * (`results[3].attempts[2].result`), the rule's name and a sentence. The DTO classes are the one description of a
 * body's shape; this runs only for bodies that the quick reader of the DTO did not accept.
 */
import { type ValidationError, validateSync } from 'class-validator';
import type { FieldError } from '../domain/rejections.js';

/** More would tell nobody anything. */
const MOST_ERRORS = 100;

export const fieldErrors = (dto: object): readonly FieldError[] => {
  const found: FieldError[] = [];
  const collect = (errors: readonly ValidationError[], path: string): void => {
    for (const { property, constraints = {}, children = [] } of errors) {
      const field = pathTo(path, property);
      for (const [rule, message] of Object.entries(constraints)) {
        if (found.length < MOST_ERRORS)
          found.push({ field, rule, message: sentence(message, property, field) });
      }
      collect(children, field);
    }
  };
  collect(validateSync(dto, { stopAtFirstError: true, forbidUnknownValues: false }), '');
  return found;
};

const pathTo = (path: string, property: string): string => {
  if (/^\d+$/.test(property)) return `${path}[${property}]`;
  return path === '' ? property : `${path}.${property}`;
};

/** class-validator's messages begin with the bare property; readers want its path. */
const sentence = (message: string, property: string, field: string): string =>
  message.startsWith(`${property} `) ? field + message.slice(property.length) : message;
