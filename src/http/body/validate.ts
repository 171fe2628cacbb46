/**
 * Turns the findings of class-validator into field errors: the path as the client wrote it
 * (`results[3].attempts[2].result`), the name of the rule and a sentence. The DTO classes alone describe the
 * shape of a body. This runs only for bodies that the fast reader of the DTO did not accept.
 */
import { getMetadataStorage, ValidateIf, type ValidationError, validateSync } from 'class-validator';
import type { FieldError } from '../../domain/rejections.js';

/** From here on only the first error of each further item of a list is told, so that every bad row is named. */
const MANY_ERRORS = 100;
/** The rule of class-validator for an item that is no object. */
const NESTED_RULE = 'nestedValidation';

export const fieldErrors = (dto: object): readonly FieldError[] => {
  const found: FieldError[] = [];
  const items = new Set<string | undefined>([undefined]);
  const add = (error: FieldError): void => {
    const item = /^\w+\[\d+\]/.exec(error.field)?.[0];
    if (found.length < MANY_ERRORS || !items.has(item)) found.push(error);
    items.add(item);
  };
  const collect = (errors: readonly ValidationError[], path: string): void => {
    for (const { property, constraints = {}, children = [] } of errors) {
      const field = pathTo(path, property);
      const broken = firstBroken(constraints);
      if (broken) add({ field, rule: broken.rule, message: sentence(broken, property, field) });
      // A list that is wrong as a whole, such as too long, is not checked item by item.
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
 * Returns the broken rule that is declared first. A missing list is reported as no array, not as a list that is
 * too long. class-validator runs rules from the last to the first, and nested fields at the end.
 */
const firstBroken = (constraints: Readonly<Record<string, string>>): BrokenRule | null => {
  const rules = Object.keys(constraints);
  const rule = rules.filter((name) => name !== NESTED_RULE).at(-1) ?? rules[0];
  return rule === undefined ? null : { rule, message: constraints[rule] ?? '' };
};

/** Messages of class-validator begin with the bare property; clients need its path. */
const sentence = ({ rule, message }: BrokenRule, property: string, field: string): string => {
  if (rule === NESTED_RULE) return `${field} must be an object`;
  return message.startsWith(`${property} `) ? field + message.slice(property.length) : message;
};

/** Returns the fields that a body of this class may have. */
export const fieldsOf = (Dto: new () => object): ReadonlySet<string> =>
  new Set(
    getMetadataStorage()
      .getTargetValidationMetadatas(Dto, '', false, false)
      .map(({ propertyName }) => propertyName),
  );

/** The field is optional. Unlike with IsOptional, null is a value: a rule of the field must allow it. */
export const MayBeLeftOut = (): PropertyDecorator => ValidateIf((_, value) => value !== undefined);
