/**
 * Turns what class-validator finds in a body into field errors: the path as the sender wrote it
 * (`results[3].attempts[2].result`), the rule's name and a sentence. The DTO classes are the one description of a
 * body's shape; this runs only for bodies that the quick reader of the DTO did not accept.
 */
import { getMetadataStorage, ValidateIf, type ValidationError, validateSync } from 'class-validator';
import type { FieldError } from '../../domain/rejections.js';

/** More would tell nobody anything. */
const MAX_ERRORS = 100;
/** What class-validator calls an item that has no fields to look at. */
const NESTED_RULE = 'nestedValidation';

export const fieldErrors = (dto: object): readonly FieldError[] => {
  const found: FieldError[] = [];
  const collect = (errors: readonly ValidationError[], path: string): void => {
    for (const { property, constraints = {}, children = [] } of errors) {
      const field = pathTo(path, property);
      const broken = firstBroken(constraints);
      if (broken && found.length < MAX_ERRORS) {
        found.push({ field, rule: broken.rule, message: sentence(broken, property, field) });
      }
      // A list that is wrong as a whole, too long above all, is not told item by item.
      if (broken === null || broken.rule === NESTED_RULE) collect(children, field);
    }
  };
  collect(validateSync(dto, { forbidUnknownValues: false }), '');
  return found;
};

const pathTo = (path: string, property: string): string => {
  if (/^\d+$/.test(property)) return `${path}[${property}]`;
  return path === '' ? property : `${path}.${property}`;
};

interface BrokenRule {
  readonly rule: string;
  readonly message: string;
}

/**
 * Of the rules of a field that are broken the one that stands first at it: what is missing altogether is told to be no array,
 * not to be an array that is too long. class-validator goes from the last to the first, and to the fields inside last of all.
 */
const firstBroken = (constraints: Readonly<Record<string, string>>): BrokenRule | null => {
  const rules = Object.keys(constraints);
  const rule = rules.filter((name) => name !== NESTED_RULE).at(-1) ?? rules[0];
  return rule === undefined ? null : { rule, message: constraints[rule] ?? '' };
};

/** class-validator's messages begin with the bare property; readers want its path. */
const sentence = ({ rule, message }: BrokenRule, property: string, field: string): string => {
  if (rule === NESTED_RULE) return `${field} must be an object`;
  return message.startsWith(`${property} `) ? field + message.slice(property.length) : message;
};

/** The fields that a body of this class may have. */
export const fieldsOf = (Dto: new () => object): ReadonlySet<string> =>
  new Set(
    getMetadataStorage()
      .getTargetValidationMetadatas(Dto, '', false, false)
      .map(({ propertyName }) => propertyName),
  );

/** Other than with IsOptional, null is a value like any other: where it means something, a rule of the field says so. */
export const MayBeLeftOut = (): PropertyDecorator => ValidateIf((_, value) => value !== undefined);
