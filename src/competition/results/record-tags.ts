/**
 * Reads what results were on their day, by the steps of the records of their regions. Only what is none of them is looked up in
 * the steps of its persons.
 */
import {
  countedBoards,
  countedValues,
  type EventOfTags,
  isPersonalRecord,
  NO_TAGS,
  personalIds,
  type RecordTags,
  recordIds,
  regionalTag,
  type Steps,
  type StepsById,
} from '../../domain/record-tags.js';
import { VALUE_KINDS, type ValueKind } from '../../domain/results.js';
import type { Collection, Document, ReadView } from '../../foundation/read-models/read-model-store.js';
import { personalSteps, type ResultDocument, records } from './ranking-documents.js';

/** Returns the tags of results of one space, in their order. `events`: at least those of the results. `kinds`: other values get none. */
export const recordTagsOf = async (
  view: ReadView,
  shown: readonly ResultDocument[],
  events: readonly EventOfTags[],
  kinds: readonly ValueKind[] = VALUE_KINDS,
): Promise<readonly RecordTags[]> => {
  const counted = countedBoards(shown[0]?.spaceId ?? '', events);
  const values = shown.map((result) =>
    countedValues(result, counted).filter(({ kind }) => kinds.includes(kind)),
  );
  const ofRegions = await stepsOf(view, records, values.flat().flatMap(recordIds));
  const tags = new Map(values.flat().map((value) => [value, regionalTag(value, ofRegions)]));
  const others = values.flat().filter((value) => tags.get(value) === null);
  const ofPersons = await stepsOf(view, personalSteps, others.flatMap(personalIds));
  for (const value of others) if (isPersonalRecord(value, ofPersons)) tags.set(value, 'PR');
  return values.map((ofResult) => ({
    ...NO_TAGS,
    ...Object.fromEntries(ofResult.map((value) => [value.kind, tags.get(value) ?? null])),
  }));
};

/** Steps by the ids of their documents; those that are not there are left out. */
export const stepsOf = async <D extends Document & Steps>(
  view: ReadView,
  collection: Collection<D>,
  ids: readonly string[],
): Promise<StepsById> => {
  const found = await view.getMany(collection, [...new Set(ids)]);
  return new Map(found.flatMap((document) => (document === null ? [] : [[document.id, document]])));
};
