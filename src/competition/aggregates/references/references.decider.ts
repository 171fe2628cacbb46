/**
 * The reference records of a space, which are replaced as a whole set. An event has only what the new set changes, so the
 * same set again appends nothing. Order: state, commands, fold, decisions.
 */

import { Map as ImmutableMap } from 'immutable';
import { MAX_VALUE } from '../../../domain/attempts.js';
import { accept, type Decision, decideBy, reject } from '../../../domain/decider.js';
import { isSameData } from '../../../domain/equality.js';
import { isDate, isEventId } from '../../../domain/ids.js';
import { type ReferenceKey, type ReferenceRecord, referenceKey } from '../../../domain/reference-records.js';
import { parseRegion } from '../../../domain/regions.js';
import { type FieldError, invalid } from '../../../domain/rejections.js';
import { ONE_CATEGORIES, VALUE_KINDS } from '../../../domain/results.js';
import { type ReferencesEvent, referencesStream } from './references.events.js';

/** By key. */
export type ReferencesState = ImmutableMap<string, ReferenceRecord>;

export interface ReferencesCommand {
  readonly type: 'ReplaceReferences';
  readonly references: readonly ReferenceRecord[];
}

/** So a new set, and one that has nothing in common with the old one, fit into one append of 1,000,000 bytes. */
export const MAX_REFERENCES = 4_000;

// --- fold -----------------------------------------------------------------------------------------------------------

const initialReferences: ReferencesState = ImmutableMap();

const evolve = (state: ReferencesState, event: ReferencesEvent): ReferencesState => {
  switch (event.type) {
    case 'ReferencesReplaced': {
      const { removed, added } = event.data;
      return state
        .deleteAll(removed.map(referenceKey))
        .merge(added.map((reference): [string, ReferenceRecord] => [referenceKey(reference), reference]));
    }
    default:
      event.type satisfies never;
      return state;
  }
};

// --- decisions ------------------------------------------------------------------------------------------------------

const wrongIn = (reference: ReferenceRecord): readonly FieldError[] => {
  const { eventId, kind, category, region, value, since, holderId } = reference;
  const errors: FieldError[] = [];
  const check = (holds: boolean, field: keyof ReferenceRecord, rule: string, message: string): void => {
    if (!holds) errors.push({ field, rule, message });
  };
  check(isEventId(eventId), 'eventId', 'pattern', 'must be 1 to 64 letters, digits, - or _');
  check(VALUE_KINDS.includes(kind), 'kind', 'one-of', `must be one of ${VALUE_KINDS.join(', ')}`);
  check(
    ONE_CATEGORIES.includes(category),
    'category',
    'one-of',
    `must be one of ${ONE_CATEGORIES.join(', ')}`,
  );
  const isRegion = region === null || parseRegion(region)?.code === region;
  check(isRegion, 'region', 'region', 'must be the code of a country or a continent, or null for the world');
  const isValue = Number.isSafeInteger(value) && value >= 1 && value <= MAX_VALUE;
  check(isValue, 'value', 'range', `must be an integer from 1 to ${MAX_VALUE}`);
  check(isDate(since), 'since', 'date', 'must be a date, YYYY-MM-DD');
  const isHolder = holderId === null || (Number.isSafeInteger(holderId) && holderId >= 1);
  check(isHolder, 'holderId', 'integer', 'must be a positive integer or null');
  return errors;
};

/** Copies exactly these fields, in this order. */
const plain = (reference: ReferenceRecord): ReferenceRecord => ({
  ...plainKey(reference),
  value: reference.value,
  holderId: reference.holderId,
});

const plainKey = ({ eventId, kind, category, region, since }: ReferenceKey): ReferenceKey => ({
  eventId,
  kind,
  category,
  region,
  since,
});

const replace = ({ references }: ReferencesCommand, state: ReferencesState): Decision<ReferencesEvent> => {
  if (references.length > MAX_REFERENCES) {
    const message = `has ${references.length} reference records; ${MAX_REFERENCES} are the most`;
    return reject(invalid([{ field: 'references', rule: 'range', message }]));
  }
  const errors: FieldError[] = [];
  const wanted = new Map<string, ReferenceRecord>();
  for (const [index, reference] of references.entries()) {
    const field = `references[${index}]`;
    errors.push(...wrongIn(reference).map((error) => ({ ...error, field: `${field}.${error.field}` })));
    const key = referenceKey(reference);
    if (wanted.has(key))
      errors.push({
        field,
        rule: 'unique',
        message: 'has the event, kind, category, region and day of another',
      });
    wanted.set(key, plain(reference));
  }
  if (errors.length > 0) return reject(invalid(errors));
  const { added, changed, removed } = differencesOf(state, [...wanted.values()]);
  if (added.length + changed.length + removed.length === 0) return accept();
  return accept({
    type: 'ReferencesReplaced',
    data: { removed: removed.map(plainKey), added: [...added, ...changed] },
  });
};

export interface ReferenceDifferences {
  readonly added: readonly ReferenceRecord[];
  /** With their new value and holder. */
  readonly changed: readonly ReferenceRecord[];
  /** As they are stored. */
  readonly removed: readonly ReferenceRecord[];
}

/** `references`: a whole set, each key once. */
export const differencesOf = (
  state: ReferencesState,
  references: readonly ReferenceRecord[],
): ReferenceDifferences => {
  const keys = new Set(references.map(referenceKey));
  const isKnown = (reference: ReferenceRecord): boolean => state.has(referenceKey(reference));
  return {
    added: references.filter((reference) => !isKnown(reference)),
    changed: references.filter(
      (reference) => isKnown(reference) && !isSameData(state.get(referenceKey(reference)), reference),
    ),
    removed: [...state.values()].filter((reference) => !keys.has(referenceKey(reference))),
  };
};

const decide = decideBy<ReferencesCommand, ReferencesState, ReferencesEvent>({ ReplaceReferences: replace });

export const referencesDecider = { initialState: initialReferences, evolve, decide };

/** By the space's slug. */
export const referencesAggregate = {
  stream: referencesStream,
  decider: referencesDecider,
  schema: 1,
  sizeOf: (state: ReferencesState): number => 100 + 400 * state.size,
};
