/**
 * The steps of a record: each day on which a result improved or equalled it, with its value at the end of that day. No
 * result up to that day beats a step. So the steps are the days and values of all results except those that another
 * result beat on the same day or before. The holders are not stored: they are the results of that day and value.
 */

export interface RecordStep {
  /** YYYY-MM-DD */
  readonly date: string;
  readonly value: number;
}

/** Ascending dates; values never rise. */
export type RecordSteps = readonly RecordStep[];

const lastUpTo = (steps: RecordSteps, date: string): number => {
  let at = steps.length - 1;
  while (at >= 0 && (steps[at]?.date ?? '') > date) at -= 1;
  return at;
};

/** The record at the end of a day; null before the first step. */
export const recordOn = (steps: RecordSteps, date: string): number | null =>
  steps[lastUpTo(steps, date)]?.value ?? null;

/** Whether one of the steps up to its day is better. */
export const isBeaten = (steps: RecordSteps, { date, value }: RecordStep): boolean => {
  const standing = recordOn(steps, date);
  return standing !== null && standing < value;
};

/** Whether the value was the record when its day ended: no result and no reference record beats it. */
export const isRecordOn = (
  { steps, references = [] }: { readonly steps: RecordSteps; readonly references?: RecordSteps },
  made: RecordStep,
): boolean => recordOn(steps, made.date) === made.value && !isBeaten(references, made);

/** Returns the steps with one more result. Returns the same array when it is beaten, or its step is there already. */
export const withStep = (steps: RecordSteps, { date, value }: RecordStep): RecordSteps => {
  const before = lastUpTo(steps, date);
  const standing = steps[before];
  const isOfThatDay = standing?.date === date;
  if (standing && (standing.value < value || (isOfThatDay && standing.value === value))) return steps;
  const later = steps.slice(before + 1).filter((step) => step.value <= value);
  return [...steps.slice(0, isOfThatDay ? before : before + 1), { date, value }, ...later];
};

/** Returns the steps of `steps` that are not in `others`. */
export const stepsMissingIn = (steps: RecordSteps, others: RecordSteps): RecordSteps =>
  steps.filter(({ date, value }) => !others.some((other) => other.date === date && other.value === value));

export const withoutStep = (steps: RecordSteps, { date, value }: RecordStep): RecordSteps =>
  steps.filter((step) => step.date !== date || step.value !== value);

/** Merges the steps of several boards. */
export const mergedSteps = (races: readonly RecordSteps[]): RecordSteps => {
  let merged: RecordSteps = [];
  for (const steps of races) for (const step of steps) merged = withStep(merged, step);
  return merged;
};
