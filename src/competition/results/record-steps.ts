/**
 * How a record came down: its steps, each a day on which it was improved and the value that it had at the end of that
 * day. A step is not beaten by any result up to its day, so steps are what remains of all results when every one that
 * another beat on the same day or before is left out. Who made a step, and who equalled it later, is not kept: it is
 * read from the results themselves.
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

/** The record at the end of a day; null before the first. */
export const recordOn = (steps: RecordSteps, date: string): number | null =>
  steps[lastUpTo(steps, date)]?.value ?? null;

/** The steps with one more result; the same array where that is no improvement of its day. */
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

/** The steps of several races taken as one. */
export const mergedSteps = (races: readonly RecordSteps[]): RecordSteps => {
  let merged: RecordSteps = [];
  for (const steps of races) for (const step of steps) merged = withStep(merged, step);
  return merged;
};
