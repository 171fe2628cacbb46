/**
 * What the oracle says that the history of a record must show: every result that nothing beat on its day or before,
 * said in as many words for each result by looking at all others.
 */

import { type Candidate, candidates } from './candidates.js';
import { oracleTags } from './record-tags.js';
import { type OracleRecordList, referencesIn } from './references.js';
import { type OracleWorld, personShown } from './world.js';

/** Oldest first, then by result id. */
export const oracleRecords = (world: OracleWorld, list: OracleRecordList): readonly object[] => {
  const competing = onePerResult(candidates(world, { ...list, show: 'results' }));
  const all: readonly Rival[] = [
    ...competing.map(({ value, result }) => ({ value, date: result.date })),
    ...referencesIn(world, list).map(({ value, since }) => ({ value, date: since })),
  ];
  return competing
    .filter((one) => !all.some((other) => other.value < one.value && other.date <= one.result.date))
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
      tie: all.some((other) => other.value === one.value && other.date < one.result.date),
      until: firstDate(all.filter((other) => other.value < one.value)),
      recordTag: oracleTags(world, { ...list, category: one.category }).get(one.result.resultId) ?? null,
    }));
};

/** A result or a reference record. */
interface Rival {
  readonly value: number;
  readonly date: string;
}

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

const firstDate = (some: readonly Rival[]): string | null => some.map(({ date }) => date).sort()[0] ?? null;

const byText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

const oldestFirst = (a: Candidate, b: Candidate): number =>
  byText(a.result.date, b.result.date) || byText(a.result.resultId, b.result.resultId);
