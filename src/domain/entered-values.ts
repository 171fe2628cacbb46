/**
 * The single and the average of a result as its entries make them: when each was entered, what each was before, and what was
 * withdrawn.
 */
import {
  type AttemptsChange,
  attemptsAfter,
  enteredAt,
  type Result,
  type RoundOfResult,
  rankedValue,
  type ValueKind,
} from './results.js';
import { averageOf, singleOf } from './scoring.js';

/** A change of a result, and when its event was recorded, in milliseconds since 1970. */
export interface RecordedChange {
  readonly recordedAt: number;
  readonly change: AttemptsChange;
}

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

// --- withdrawn values ------------------------------------------------------------------------------------------------

// Values that results had until an entry made them worse or removed them. A reader may have seen such a value as a record, so
// the feed of records says that it was withdrawn. A value is kept whether it was a record or not: that depends on other
// results, which may change later. It is kept with its result, because that is written anyway.

export type EnteredValue = Pick<LostValue, 'value' | 'enteredAt'>;

export interface Withdrawals {
  /** The best single that was lost. It may have been entered again since. Null: none was lost. */
  readonly lostSingle: EnteredValue | null;
  /** The same of averages. */
  readonly lostAverage: EnteredValue | null;
  /** When a value was last lost, in milliseconds since 1970. */
  readonly withdrawnAt: number;
}

/** Returns what was lost before and is lost now; an empty object when that is nothing. */
export const withdrawalsOf = (
  before: readonly (Partial<Withdrawals> | null)[],
  lost: readonly LostValue[],
): Partial<Withdrawals> => {
  if (lost.length === 0 && before.every((known) => known?.withdrawnAt === undefined)) return {};
  const times = before.flatMap((known) => known?.withdrawnAt ?? []);
  const withdrawnAt = lost.at(-1)?.lostAt ?? Math.max(...times);
  const lostOf = (kind: ValueKind): readonly LostValue[] => lost.filter((one) => one.kind === kind);
  return {
    lostSingle: bestOf([...before.map((known) => known?.lostSingle), ...lostOf('single')]),
    lostAverage: bestOf([...before.map((known) => known?.lostAverage), ...lostOf('average')]),
    withdrawnAt,
  };
};

/** Of equal values the first. */
const bestOf = (values: readonly (EnteredValue | null | undefined)[]): EnteredValue | null => {
  let best: EnteredValue | null = null;
  for (const one of values) {
    if (one && (best === null || one.value < best.value))
      best = { value: one.value, enteredAt: one.enteredAt };
  }
  return best;
};
