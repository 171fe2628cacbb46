/**
 * Reference records: the records of the world outside a space, such as those of the association. They are no results of
 * the space. A result of the space is a record only when no reference record beats it on its day.
 */
import { continentOf, parseRegion } from './regions.js';
import type { OneCategory, ValueKind } from './results.js';

export interface ReferenceRecord {
  readonly eventId: string;
  readonly kind: ValueKind;
  readonly category: OneCategory;
  /** A country, or a continent; null: the world. */
  readonly region: string | null;
  /** In the unit of the event, as results have it. */
  readonly value: number;
  /** YYYY-MM-DD: the day from which on it is the record. */
  readonly since: string;
  /** Names the holder in the operational store; null: not given. */
  readonly holderId: number | null;
}

/** The references of an event, a kind of value and a category. */
export type ReferenceGroup = Pick<ReferenceRecord, 'eventId' | 'kind' | 'category'>;

/** Two references of one space with the same key are the same one, perhaps with another value or holder. */
export type ReferenceKey = Omit<ReferenceRecord, 'value' | 'holderId'>;

export const referenceKey = ({ eventId, kind, category, region, since }: ReferenceKey): string =>
  [eventId, kind, category, region ?? '', since].join('/');

/** The region and those that hold it, ending with the world: a national record also counts in its continent and the world. */
export const regionsAround = (region: string | null): readonly (string | null)[] => {
  if (region === null) return [null];
  return parseRegion(region)?.kind === 'continent' ? [region, null] : [region, continentOf(region), null];
};
