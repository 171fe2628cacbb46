/**
 * Values that results had until an entry made them worse or removed them. Somebody may have read such a value as a
 * record, so the feed of records says that it was withdrawn. A value is kept whether it was a record or not: that depends
 * on other results, which may change later. It is kept with its result, because that is written anyway.
 */
import type { ValueKind } from '../../domain/results.js';
import type { LostValue } from './entered-values.js';

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
