/** The single and the average of a result as its entries make them: when each was entered, and what each was before. */
import {
  attemptsAfter,
  enteredAt,
  type Result,
  type RoundOfResult,
  rankedValue,
  type ValueKind,
} from '../../domain/results.js';
import { averageOf, singleOf } from '../../domain/scoring.js';
import type { RecordedChange } from './result-runs.js';

export type EnteredValues = Pick<Result, 'attempts' | 'best' | 'average' | 'singleAt' | 'averageAt'>;

/** Of a result before its first entry. */
export const NO_VALUES: EnteredValues = { attempts: [], best: 0, average: 0, singleAt: 0, averageAt: 0 };

/** A valid value that an entry replaced by a worse one or by none. */
export interface LostValue {
  readonly kind: ValueKind;
  readonly value: number;
  /** When it was entered and when it was replaced, in milliseconds since 1970. */
  readonly enteredAt: number;
  readonly lostAt: number;
}

/** `lost`: oldest first. */
export const valuesAfter = (
  before: EnteredValues,
  changes: readonly RecordedChange[],
  round: RoundOfResult,
): { readonly values: EnteredValues; readonly lost: readonly LostValue[] } => {
  let { attempts, best, average, singleAt, averageAt } = before;
  const lost: LostValue[] = [];
  // Without an object for each change: every attempt comes through here.
  for (const { recordedAt: lostAt, change } of changes) {
    attempts = attemptsAfter(attempts, round.format, change);
    const single = singleOf(attempts);
    if (isWorse(single, best)) lost.push({ kind: 'single', value: best, enteredAt: singleAt, lostAt });
    if (single !== best) [best, singleAt] = [single, lostAt];
    const mean = averageOf(attempts, round);
    if (isWorse(mean, average)) lost.push({ kind: 'average', value: average, enteredAt: averageAt, lostAt });
    if (mean !== average) [average, averageAt] = [mean, lostAt];
  }
  return { values: { attempts, best, average, singleAt, averageAt }, lost };
};

/** Whether a valid value was replaced by a worse one or by none. */
const isWorse = (value: number, before: number): boolean => before > 0 && (value <= 0 || value > before);

/** A value that stays keeps its time. */
export const timesAfter = (
  before: Pick<EnteredValues, 'best' | 'average' | 'singleAt' | 'averageAt'>,
  after: Pick<EnteredValues, 'best' | 'average'>,
  at: number,
): Pick<EnteredValues, 'singleAt' | 'averageAt'> => {
  const timeOf = (kind: ValueKind): number =>
    rankedValue(before, kind) === rankedValue(after, kind) ? enteredAt(before, kind) : at;
  return { singleAt: timeOf('single'), averageAt: timeOf('average') };
};
