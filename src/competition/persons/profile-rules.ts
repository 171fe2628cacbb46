/** What a person's name and association id have to be, whoever brings them. */
import { isAssocId, isName, nameRule } from '../../domain/ids.js';
import type { FieldError } from '../../domain/rejections.js';
import type { ProfileChange } from '../../foundation/operational/operational-store.js';

/** Empty where the given fields may be kept. */
export const profileErrors = ({ name, localizedName, assocId }: ProfileChange): readonly FieldError[] => {
  const errors: FieldError[] = [];
  if (name !== undefined && !isName(name)) errors.push({ field: 'name', rule: 'name', message: nameRule() });
  if (localizedName !== undefined && localizedName !== null && !isName(localizedName))
    errors.push({ field: 'localizedName', rule: 'name', message: nameRule() });
  if (assocId !== undefined && assocId !== null && !isAssocId(assocId))
    errors.push({ field: 'assocId', rule: 'pattern', message: 'must be 1 to 32 letters and digits' });
  return errors;
};
