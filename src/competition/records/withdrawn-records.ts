/**
 * Finds what was a record when it was entered and is none any more: a value that was corrected or removed, or that
 * another result of its day has beaten since. taken-records.ts finds what references beat. A reader of the feed may still have it as a record.
 */

import type { EnteredValue } from '../../domain/entered-values.js';
import { beforeResults, type RankedRange, rangeOf, recordId } from '../../domain/rankings.js';
import { isBeaten, isRecordOn, recordOn } from '../../domain/record-steps.js';
import { countedBoards, type EventOfTags } from '../../domain/record-tags.js';
import { contestKey, roundId } from '../../domain/references.js';
import {
  boardKindOf,
  boardName,
  boardOf,
  enteredAt,
  type Result,
  rankedValue,
  VALUE_KINDS,
  type ValueKind,
  withFacts,
} from '../../domain/results.js';
import type { ReadView } from '../../foundation/read-models/read-model-store.js';
import {
  type ContestFacts,
  contestFacts,
  personFacts,
  type RemovedResultDocument,
  type ResultDocument,
  records,
  removedResults,
  results,
  roundFacts,
} from '../results/ranking-documents.js';
import type { ReferenceStep } from '../results/reference-steps.js';
import { newsTime, type RecentFilter, type RecentRecord, recordIdOf } from './recent-records.js';

export interface WithdrawnRecord {
  /** Its persons, round, date and region as they are now; its attempts may be others by now. */
  readonly result: Result;
  readonly kind: ValueKind;
  readonly value: number;
  /** Its time in the list of records, in milliseconds since 1970. */
  readonly newsAt: number;
  readonly withdrawnAt: number;
  /** Where it was a record, perhaps not there alone: a country or a continent; null: the world. */
  readonly region: string | null;
  /** The result of its day that beat it; null: none. */
  readonly beatenBy: ResultDocument | null;
  /** The reference record that took it away; null: none. With neither its own value was changed. */
  readonly takenBy: ReferenceStep | null;
  /** The value that stands instead; 0 or less: none. */
  readonly standing: number;
  /** Whether it is a record there. */
  readonly isRecord: boolean;
}

/** Only so many results with the last changes are looked at, and as many removed ones. */
export const MAX_LOOKED_AT = 128;

/** Returns the values of results that were changed since and would be records if they stood. */
export const correctedRecords = async (
  view: ReadView,
  filter: RecentFilter,
  events: readonly EventOfTags[],
): Promise<readonly WithdrawnRecord[]> => {
  const { spaceId } = filter;
  const newest = { index: 'withdrawn', equals: { spaceId }, descending: true, limit: MAX_LOOKED_AT };
  const changed = await view.scan(results, newest);
  const removed = await view.scan(removedResults, newest);
  const again = await view.getMany(
    results,
    removed.map(({ id }) => id),
  );
  const lost = [
    ...changed.map((document) => ({ document, present: document })),
    ...removed.map((document, index) => ({ document, present: again[index] ?? null })),
  ].flatMap(valuesLost);
  const counted = countedBoards(spaceId, events);
  const found = await Promise.all(lost.map((value) => correctedRecord(view, value, counted)));
  const asked = found.filter((record) => record !== null).filter(({ result }) => isIn(filter, result));
  // The best of what a result lost before and after it was removed.
  const worstFirst = asked.sort((a, b) => b.value - a.value);
  return [...new Map(worstFirst.map((record) => [recordIdOf(record), record])).values()];
};

/** A value that a result has lost. */
interface Lost extends EnteredValue {
  readonly kind: ValueKind;
  readonly from: ResultDocument | RemovedResultDocument;
  readonly present: ResultDocument | null;
  readonly withdrawnAt: number;
}

const valuesLost = ({
  document: from,
  present,
}: {
  readonly document: ResultDocument | RemovedResultDocument;
  readonly present: ResultDocument | null;
}): readonly Lost[] => {
  const { lostSingle, lostAverage, withdrawnAt = 0 } = from;
  return VALUE_KINDS.flatMap((kind) => {
    const lost = kind === 'single' ? lostSingle : lostAverage;
    return lost ? [{ ...lost, kind, from, present, withdrawnAt }] : [];
  });
};

const isIn = ({ category, region }: RecentFilter, result: Result): boolean =>
  (category === 'all' || result.category === category) &&
  (region === null || result.regionCode === region || result.continent === region);

const correctedRecord = async (
  view: ReadView,
  { kind, value, enteredAt: at, withdrawnAt, from, present }: Lost,
  counted: ReadonlySet<string>,
): Promise<WithdrawnRecord | null> => {
  const contest = await view.get(contestFacts, contestKey(from));
  if (!contest?.listed) return null;
  const result = present ?? (await removedResult(view, from, contest));
  if (result === null) return null;
  const { spaceId, eventId, category, date, regionCode } = result;
  const board = boardName(spaceId, eventId, boardKindOf(result, kind), category);
  if (!counted.has(board)) return null;
  const known = await view.get(records, recordId(board, regionCode));
  const standing = present === null ? 0 : rankedValue(present, kind);
  // It was entered again, or another result or a reference record beats it anyway.
  const made = { date, value };
  if (standing > 0 && standing <= value) return null;
  if (known && (isBeaten(known.steps, made) || isBeaten(known.references ?? [], made))) return null;
  const newsAt = newsTime(at, date);
  const isRecord = standing > 0 && known !== null && isRecordOn(known, { date, value: standing });
  return {
    result,
    kind,
    value,
    newsAt,
    withdrawnAt,
    region: regionCode,
    beatenBy: null,
    takenBy: null,
    standing,
    isRecord,
  };
};

/** Returns the result as the facts of today make it. */
const removedResult = async (
  view: ReadView,
  from: ResultDocument | RemovedResultDocument,
  contest: ContestFacts,
): Promise<Result | null> => {
  const round = await view.get(roundFacts, roundId(from));
  if (!round) return null;
  const persons = await view.getMany(personFacts, from.enteredFor.map(String));
  const timelines = persons.map((person) => person?.timeline ?? null);
  return withFacts({ ...from, attempts: [], singleAt: 0, averageAt: 0 }, contest, round, timelines);
};

/**
 * Returns the results that were records for a part of the day on which one of these became a record, once for each region.
 * A result may still be a record of a smaller region.
 */
export const beatenRecords = async (
  view: ReadView,
  standing: readonly RecentRecord[],
): Promise<readonly WithdrawnRecord[]> => {
  const days = new Map<string, RecordDay>();
  for (const { result, kind, tag } of standing) {
    const board = boardOf(result, kind);
    if (board === null) continue;
    const { date, continent, regionCode } = result;
    const regions = [null, continent, regionCode].slice(['WR', 'CR', 'NR'].indexOf(tag));
    for (const region of regions)
      days.set(`${recordId(board, region)} ${date}`, { kind, board, region, date });
  }
  const found = await Promise.all([...days.values()].map((day) => beatenOn(view, day)));
  return found.flat();
};

interface RecordDay extends RankedRange {
  readonly date: string;
}

/** Of one day only so many results are looked at, the best first. */
const MAX_OF_DAY = 64;

const beatenOn = async (
  view: ReadView,
  { date, ...range }: RecordDay,
): Promise<readonly WithdrawnRecord[]> => {
  const { kind, board, region } = range;
  const { steps = [], references = [] } = (await view.get(records, recordId(board, region))) ?? {};
  const value = recordOn(steps, date) ?? 0;
  const before =
    recordOn(
      steps.filter((step) => step.date < date),
      date,
    ) ?? Number.POSITIVE_INFINITY;
  const after = beforeResults(range, { date, value });
  const found = await view.scan(results, { ...rangeOf(range), after, limit: MAX_OF_DAY });
  const ofDay = found.filter((result) => {
    const own = rankedValue(result, kind);
    return result.date === date && own <= before && !isBeaten(references, { date, value: own });
  });
  return ofDay.flatMap((result): readonly WithdrawnRecord[] => {
    const own = rankedValue(result, kind);
    const at = enteredAt(result, kind);
    const [beatenBy] = ofDay
      .filter((other) => rankedValue(other, kind) < own)
      .sort((a, b) => enteredAt(a, kind) - enteredAt(b, kind));
    if (!beatenBy || enteredAt(beatenBy, kind) <= at) return [];
    const withdrawnAt = enteredAt(beatenBy, kind);
    const newsAt = newsTime(at, date);
    const beaten = { result, kind, value: own, newsAt, withdrawnAt, region, beatenBy };
    return [{ ...beaten, takenBy: null, standing: own, isRecord: false }];
  });
};
