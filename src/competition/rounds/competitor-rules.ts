/**
 * How a request names its competitor, as rules that the body's description (src/competition/rounds/entry.dto.ts) and its reader
 * share: `personId` an integer or comma-separated integers, `assocId` (alias `wcaId`) one or more comma-separated
 * association ids, exactly one of them. Or `registrantId`, the number in the contest, written as a `personId`: it excludes
 * `personId`, and may stand beside an association id, which can be empty. Null counts as absent. A team's order is kept.
 */

import { ValidateBy } from 'class-validator';
import type { EntrantSelector, NumberSelector } from '../../domain/references.js';

/** The fields of a body that name a competitor, unchecked. */
export interface CompetitorFields {
  readonly personId?: unknown;
  readonly assocId?: unknown;
  /** Alias of assocId. */
  readonly wcaId?: unknown;
  /** Number in the contest. */
  readonly registrantId?: unknown;
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

const hasNumber = ({ registrantId }: CompetitorFields): boolean => registrantId != null;

/** Devices that name competitors by number send an empty association id for those who have none. */
const orNull = (assocId: unknown): unknown => (assocId === '' ? null : assocId);

const isOneCompetitor = (fields: CompetitorFields): boolean => {
  if (!hasNumber(fields)) return selectorsIn(fields) === 1;
  const { personId, assocId, wcaId } = fields;
  return personId == null && selectorsIn({ assocId: orNull(assocId), wcaId: orNull(wcaId) }) <= 1;
};

const readNumbered = ({ registrantId, assocId, wcaId }: CompetitorFields): NumberSelector | null => {
  const registrantIds = readPersonIds(registrantId);
  const beside = orNull(assocId) ?? orNull(wcaId) ?? null;
  const assocIds = beside === null ? null : readAssocIds(beside);
  if (registrantIds === null || (beside !== null && assocIds === null)) return null;
  return { by: 'registrantId', registrantIds, assocIds };
};

/** Null when the fields do not name one competitor. */
export const readCompetitor = (fields: CompetitorFields): EntrantSelector | null => {
  if (!isOneCompetitor(fields)) return null;
  if (hasNumber(fields)) return readNumbered(fields);
  if (fields.personId != null) {
    const personIds = readPersonIds(fields.personId);
    return personIds && { by: 'personId', personIds };
  }
  const assocIds = readAssocIds(fields.assocId ?? fields.wcaId);
  return assocIds && { by: 'assocId', assocIds };
};

/** On `personId`: exactly one of the selectors is given, or a number in the contest. */
export const ExactlyOneSelector = (): PropertyDecorator =>
  ValidateBy({
    name: 'exactlyOneSelector',
    validator: {
      validate: (_, context) => isOneCompetitor(context?.object ?? {}),
      defaultMessage: (context) =>
        hasNumber(context?.object ?? {})
          ? 'registrantId names the competitor: personId cannot stand beside it, and only one association id can'
          : 'personId, assocId or registrantId names the competitor: one of them has to be given, and not both personId and assocId',
    },
  });

export const ArePersonIds = (): PropertyDecorator =>
  ValidateBy({
    name: 'personIds',
    validator: {
      validate: (value) => value == null || readPersonIds(value) !== null,
      defaultMessage: (context) =>
        `${context?.property} must be an integer above 0, or for a team a string of such integers with commas`,
    },
  });

export const AreAssocIds = (): PropertyDecorator =>
  ValidateBy({
    name: 'assocIds',
    validator: {
      validate: (value, context) =>
        value == null || (value === '' && hasNumber(context?.object ?? {})) || readAssocIds(value) !== null,
      defaultMessage: (context) =>
        `${context?.property} must be an alphanumeric association id, or for a team a string of them with commas`,
    },
  });
