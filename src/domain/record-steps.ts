/**
 * The steps of a record: each day on which it was improved, with its value at the end of that day. No result up to
 * that day beats a step. So the steps are all results except those that another result beat on the same day or
 * before. The holders are not stored: they are read from the results.
 */

export interface RecordStep {
  /** YYYY-MM-DD */
  readonly date: string;
  readonly value: number;
}

/** Ascending dates, descending values. */
export type RecordSteps = readonly RecordStep[];

const lastUpTo = (steps: RecordSteps, date: string): number => {
  let at = steps.length - 1;
  while (at >= 0 && (steps[at]?.date ?? '') > date) at -= 1;
  return at;
};

/** The record at the end of a day; null before the first step. */
export const recordOn = (steps: RecordSteps, date: string): number | null =>
  steps[lastUpTo(steps, date)]?.value ?? null;

/** Returns the steps with one more result. Returns the same array when it improves no day. */
export const withStep = (steps: RecordSteps, { date, value }: RecordStep): RecordSteps => {
  const before = lastUpTo(steps, date);
  const standing = steps[before];
  if (standing && standing.value <= value) return steps;
  const kept = standing?.date === date ? before : before + 1;
  const later = steps.slice(before + 1).filter((step) => step.value < value);
  return [...steps.slice(0, kept), { date, value }, ...later];
};

export const withoutStep = (steps: RecordSteps, { date, value }: RecordStep): RecordSteps =>
  steps.filter((step) => step.date !== date || step.value !== value);

/** Merges the steps of several boards. */
export const mergedSteps = (races: readonly RecordSteps[]): RecordSteps => {
  let merged: RecordSteps = [];
  for (const steps of races) for (const step of steps) merged = withStep(merged, step);
  return merged;
};
