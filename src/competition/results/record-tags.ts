/** Reads what results were on their day, from the steps of the records and of the persons. */

import { boardsOf } from '../../domain/rankings.js';
import { recordOn } from '../../domain/record-steps.js';
import type { RecordTag, RecordTags } from '../../domain/record-tags.js';
import { boardOf, rankedValue, VALUE_KINDS, type ValueKind } from '../../domain/results.js';
import type { ReadView } from '../../foundation/read-models/read-model-store.js';
import type { EventDefinition } from '../aggregates/space/space.events.js';
import { personalSteps, personalStepsId } from './personal-steps.js';
import type { ResultDocument } from './ranking-documents.js';
import { type RecordDocument, recordId, records } from './record-keeper.js';

export type EventOfTags = Pick<EventDefinition, 'eventId' | 'defaultRoundFormat'>;

/** Returns the tags of results of one space, in their order. `events`: at least those of the results. */
export const recordTagsOf = async (
  view: ReadView,
  shown: readonly ResultDocument[],
  events: readonly EventOfTags[],
): Promise<readonly RecordTags[]> => {
  const counted = countedBoards(shown, events);
  const steps = await stepsOf(view, shown, counted);
  return shown.map((result) => ({
    single: tagOf(result, 'single', { counted, steps }),
    average: tagOf(result, 'average', { counted, steps }),
  }));
};

interface Judged {
  /** The boards that count for records: singles, and averages of the own format of an event. */
  readonly counted: ReadonlySet<string>;
  /** Of records and of persons, by the id of their document. */
  readonly steps: ReadonlyMap<string, RecordDocument['steps']>;
}

const tagOf = (result: ResultDocument, kind: ValueKind, { counted, steps }: Judged): RecordTag | null => {
  const board = boardOf(result, kind);
  if (board === null || !counted.has(board)) return null;
  const stands = (id: string): boolean =>
    recordOn(steps.get(id) ?? [], result.date) === rankedValue(result, kind);
  const { regionCode, continent } = result;
  if (stands(recordId(board, null))) return 'WR';
  if (continent !== null && stands(recordId(board, continent))) return 'CR';
  if (regionCode !== null && stands(recordId(board, regionCode))) return 'NR';
  const isBest = result.personIds.every((personId) => stands(personalStepsId(board, personId)));
  return isBest ? 'PR' : null;
};

const countedBoards = (
  shown: readonly ResultDocument[],
  events: readonly EventOfTags[],
): ReadonlySet<string> => {
  const [first] = shown;
  if (first === undefined) return new Set();
  const { spaceId } = first;
  const taken = new Set(shown.map(({ eventId }) => eventId));
  const boards = events
    .filter(({ eventId }) => taken.has(eventId))
    .flatMap((event) =>
      VALUE_KINDS.flatMap((type) =>
        boardsOf({ spaceId, eventId: event.eventId, type, category: 'all' }, event),
      ),
    );
  return new Set(boards);
};

const stepsOf = async (
  view: ReadView,
  shown: readonly ResultDocument[],
  counted: ReadonlySet<string>,
): Promise<Judged['steps']> => {
  const recordIds = new Set<string>();
  const personalIds = new Set<string>();
  for (const result of shown) {
    for (const kind of VALUE_KINDS) {
      const board = boardOf(result, kind);
      if (board === null || !counted.has(board)) continue;
      for (const region of [null, result.continent, result.regionCode])
        recordIds.add(recordId(board, region));
      for (const personId of result.personIds) personalIds.add(personalStepsId(board, personId));
    }
  }
  const found = await view.getMany(records, [...recordIds]);
  const own = await view.getMany(personalSteps, [...personalIds]);
  return new Map(
    [...found, ...own].flatMap((document) => (document === null ? [] : [[document.id, document.steps]])),
  );
};
