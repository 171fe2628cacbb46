/**
 * Reads what results were on their day: a record of the world, of its continent or of its country, or its persons' own
 * best, among the results of the space and what is known from elsewhere. The steps of the records tell the first three. Only what is none of them is looked up in the steps of its persons.
 */

import { boardsOf, personalStepsId, recordId } from '../../domain/rankings.js';
import { isRecordOn, type RecordSteps } from '../../domain/record-steps.js';
import type { RecordTag, RecordTags } from '../../domain/record-tags.js';
import { boardOf, rankedValue, VALUE_KINDS, type ValueKind } from '../../domain/results.js';
import type { Collection, Document, ReadView } from '../../foundation/read-models/read-model-store.js';
import type { EventDefinition } from '../aggregates/space/space.events.js';
import { personalSteps, type ResultDocument, records } from './ranking-documents.js';

export type EventOfTags = Pick<EventDefinition, 'eventId' | 'defaultRoundFormat'>;

/** Returns the tags of results of one space, in their order. `events`: at least those of the results. */
export const recordTagsOf = async (
  view: ReadView,
  shown: readonly ResultDocument[],
  events: readonly EventOfTags[],
): Promise<readonly RecordTags[]> => {
  const counted = countedBoards(shown[0]?.spaceId ?? '', events);
  const values = shown.flatMap((result) => valuesOf(result, counted));
  const ofRegions = await stepsOf(view, records, values.flatMap(recordIds));
  const tags = new Map(values.map((value) => [value.name, regionalTag(value, ofRegions)]));
  const others = values.filter(({ name }) => tags.get(name) === null);
  const ofPersons = await stepsOf(view, personalSteps, others.flatMap(personalIds));
  for (const value of others) {
    if (personalIds(value).every((id) => stands(value, ofPersons.get(id)))) tags.set(value.name, 'PR');
  }
  return shown.map((result) => ({
    single: tags.get(nameOf(result, 'single')) ?? null,
    average: tags.get(nameOf(result, 'average')) ?? null,
  }));
};

/** The boards that count for records: singles, and averages of the own format of each event. */
export const countedBoards = (spaceId: string, events: readonly EventOfTags[]): ReadonlySet<string> =>
  new Set(
    events.flatMap((event) =>
      VALUE_KINDS.flatMap((type) =>
        boardsOf({ spaceId, eventId: event.eventId, type, category: 'all' }, event),
      ),
    ),
  );

/** A value of a result that counts for records. */
interface CountedValue {
  /** Of the value among all values. */
  readonly name: string;
  readonly result: ResultDocument;
  readonly kind: ValueKind;
  readonly board: string;
}

const nameOf = ({ id }: ResultDocument, kind: ValueKind): string => `${id} ${kind}`;

const valuesOf = (result: ResultDocument, counted: ReadonlySet<string>): readonly CountedValue[] =>
  VALUE_KINDS.flatMap((kind) => {
    const board = boardOf(result, kind);
    return board !== null && counted.has(board) ? [{ name: nameOf(result, kind), result, kind, board }] : [];
  });

const recordIds = ({ board, result: { continent, regionCode } }: CountedValue): readonly string[] =>
  [null, continent, regionCode].map((region) => recordId(board, region));

const personalIds = ({ board, result }: CountedValue): readonly string[] =>
  result.personIds.map((personId) => personalStepsId(board, personId));

/** Of a record, or of a person. */
export interface Steps {
  readonly steps: RecordSteps;
  readonly references?: RecordSteps;
}

type StepsById = ReadonlyMap<string, Steps>;

const regionalTag = (value: CountedValue, steps: StepsById): RecordTag | null => {
  const [world = '', continent = '', country = ''] = recordIds(value);
  const { result } = value;
  if (stands(value, steps.get(world))) return 'WR';
  if (result.continent !== null && stands(value, steps.get(continent))) return 'CR';
  return result.regionCode !== null && stands(value, steps.get(country)) ? 'NR' : null;
};

const stands = ({ result, kind }: CountedValue, known: Steps | undefined): boolean =>
  known !== undefined && isRecordOn(known, { date: result.date, value: rankedValue(result, kind) });

/** Steps by the ids of their documents; those that are not there are left out. */
export const stepsOf = async <D extends Document & Steps>(
  view: ReadView,
  collection: Collection<D>,
  ids: readonly string[],
): Promise<StepsById> => {
  const found = await view.getMany(collection, [...new Set(ids)]);
  return new Map(found.flatMap((document) => (document === null ? [] : [[document.id, document]])));
};
