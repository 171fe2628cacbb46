/**
 * How a request names its competitor, as rules that the body's description (src/competition/rounds/entry.dto.ts) and its reader
 * share: `personId` an integer or comma-separated integers, `assocId` (alias `wcaId`) one or more comma-separated
 * association ids, exactly one of them. Null counts as absent. A team's order is kept.
 */

import { ValidateBy } from 'class-validator';
import type { CompetitorSelector } from '../../domain/references.js';

/** The fields of a body that name a competitor, unchecked. */
export interface CompetitorFields {
  readonly personId?: unknown;
  readonly assocId?: unknown;
  /** Alias of assocId. */
  readonly wcaId?: unknown;
}

const PERSON_IDS = /^ *[1-9]\d{0,15} *(?:, *[1-9]\d{0,15} *)*$/;
const ASSOC_IDS = /^ *[A-Za-z0-9]{1,64} *(?:, *[A-Za-z0-9]{1,64} *)*$/;

/** Null when the value names no person. */
export const readPersonIds = (value: unknown): readonly number[] | null => {
  if (typeof value === 'number') return Number.isSafeInteger(value) && value >= 1 ? [value] : null;
  if (typeof value !== 'string' || !PERSON_IDS.test(value)) return null;
  const ids = value.split(',').map(Number);
  return ids.every(Number.isSafeInteger) ? ids : null;
};

const readAssocIds = (value: unknown): readonly string[] | null =>
  typeof value === 'string' && ASSOC_IDS.test(value) ? value.split(',').map((id) => id.trim()) : null;

const selectorsIn = ({ personId, assocId, wcaId }: CompetitorFields): number =>
  Number(personId != null) + Number(assocId != null) + Number(wcaId != null);

/** Null when the fields do not name a competitor by exactly one selector. */
export const readCompetitor = (fields: CompetitorFields): CompetitorSelector | null => {
  if (selectorsIn(fields) !== 1) return null;
  if (fields.personId != null) {
    const personIds = readPersonIds(fields.personId);
    return personIds && { by: 'personId', personIds };
  }
  const assocIds = readAssocIds(fields.assocId ?? fields.wcaId);
  return assocIds && { by: 'assocId', assocIds };
};

/** On `personId`: exactly one of the selectors is given. */
export const ExactlyOneSelector = (): PropertyDecorator =>
  ValidateBy({
    name: 'exactlyOneSelector',
    validator: {
      validate: (_, context) => selectorsIn(context?.object ?? {}) === 1,
      defaultMessage: () =>
        'personId or assocId names the competitor: exactly one of the two has to be given',
    },
  });

export const ArePersonIds = (): PropertyDecorator =>
  ValidateBy({
    name: 'personIds',
    validator: {
      validate: (value) => value == null || readPersonIds(value) !== null,
      defaultMessage: () =>
        'personId must be an integer above 0, or for a team a string of such integers with commas',
    },
  });

export const AreAssocIds = (): PropertyDecorator =>
  ValidateBy({
    name: 'assocIds',
    validator: {
      validate: (value) => value == null || readAssocIds(value) !== null,
      defaultMessage: (context) =>
        `${context?.property} must be an alphanumeric association id, or for a team a string of them with commas`,
    },
  });
