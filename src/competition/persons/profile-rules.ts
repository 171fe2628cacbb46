/** The rules for a person's name and association id, for every command and import. */
import { isAssocId, isName, nameRule } from '../../domain/ids.js';
import type { FieldError } from '../../domain/rejections.js';
import type { ProfileChange } from '../../foundation/operational/operational-store.js';

/** Returns no errors when the given fields are valid. */
export const profileErrors = ({ name, localizedName, assocId }: ProfileChange): readonly FieldError[] => {
  const errors: FieldError[] = [];
  if (name !== undefined && !isName(name)) errors.push({ field: 'name', rule: 'name', message: nameRule() });
  if (localizedName !== undefined && localizedName !== null && !isName(localizedName))
    errors.push({ field: 'localizedName', rule: 'name', message: nameRule() });
  if (assocId !== undefined && assocId !== null && !isAssocId(assocId))
    errors.push({ field: 'assocId', rule: 'pattern', message: 'must be 1 to 32 letters and digits' });
  return errors;
};
