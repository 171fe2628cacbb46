/** The single and the average of a result as its entries make them: when each was entered, and what each was before. */
import {
  attemptsAfter,
  enteredAt,
  type Result,
  type RoundOfResult,
  rankedValue,
  VALUE_KINDS,
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
  let values = before;
  const lost: LostValue[] = [];
  for (const { recordedAt: at, change } of changes) {
    const attempts = attemptsAfter(values.attempts, round.format, change);
    const next = { attempts, best: singleOf(attempts), average: averageOf(attempts, round) };
    for (const kind of VALUE_KINDS) {
      const [value, later] = [rankedValue(values, kind), rankedValue(next, kind)];
      if (value > 0 && (later <= 0 || later > value))
        lost.push({ kind, value, enteredAt: enteredAt(values, kind), lostAt: at });
    }
    values = { ...next, ...timesAfter(values, next, at) };
  }
  return { values, lost };
};

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
