/**
 * What the oracle says that the history of a record must show: every result that no other beat on its day or before,
 * said in as many words for each result by looking at all others.
 */

import { type Candidate, candidates, type OracleList } from './candidates.js';
import { oracleTags } from './record-tags.js';
import { type OracleWorld, personShown } from './world.js';

export interface OracleRecordList extends Pick<OracleList, 'eventId' | 'category' | 'region'> {
  readonly type: 'single' | 'average';
}

/** Oldest first, then by result id. */
export const oracleRecords = (world: OracleWorld, list: OracleRecordList): readonly object[] => {
  const competing = onePerResult(candidates(world, { ...list, show: 'results' }));
  return competing
    .filter((one) => !competing.some((other) => beats(other, one) && other.result.date <= one.result.date))
    .sort(oldestFirst)
    .map((one) => ({
      resultId: one.result.resultId,
      persons: one.result.personIds.map((personId) => personShown(world, personId)),
      result: one.value,
      attempts: one.result.attempts.map((result) => ({ result })),
      date: one.result.date,
      contest: one.contest,
      roundNumber: one.roundNumber,
      regionCode: one.result.regionCode,
      tie: competing.some((other) => other.value === one.value && other.result.date < one.result.date),
      until: firstDate(competing.filter((other) => beats(other, one))),
      recordTag: oracleTags(world, { ...list, category: one.category }).get(one.result.resultId) ?? null,
    }));
};

const beats = (a: Candidate, b: Candidate): boolean => a.value < b.value;

/** A result competes by its best attempt, once. */
const onePerResult = (values: readonly Candidate[]): readonly Candidate[] =>
  values.filter(
    (one, place) =>
      !values.some(
        (other, otherPlace) =>
          other.result.resultId === one.result.resultId &&
          (other.value < one.value || (other.value === one.value && otherPlace < place)),
      ),
  );

const firstDate = (some: readonly Candidate[]): string | null =>
  some.map(({ result }) => result.date).sort()[0] ?? null;

const byText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

const oldestFirst = (a: Candidate, b: Candidate): number =>
  byText(a.result.date, b.result.date) || byText(a.result.resultId, b.result.resultId);
