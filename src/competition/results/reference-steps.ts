/**
 * The steps of the reference records of a range, with the times at which the space got and lost them. The feed of records tells
 * by these times what a new set of references has taken away, and what has become a record again.
 */
import { type RecordStep, stepsMissingIn } from '../../domain/record-steps.js';

export interface ReferenceStep extends RecordStep {
  /** Names the holder in the operational store; null: not given. */
  readonly holderId: number | null;
  /** When the space got it, in milliseconds since 1970. */
  readonly at: number;
}

/** A step that the references had for some time. */
export interface FormerReference extends RecordStep {
  /** In milliseconds since 1970. */
  readonly goneAt: number;
}

export interface References {
  /** The steps that the reference records of the range alone would make. */
  readonly references: readonly ReferenceStep[];
  readonly former: readonly FormerReference[];
}

/** Returns the references with these steps from the time `at` on. A step that stays keeps its time. */
export const withSteps = (
  { references, former }: References,
  steps: readonly Omit<ReferenceStep, 'at'>[],
  at: number,
): References => {
  const known = new Map(references.map((step) => [`${step.date} ${step.value}`, step.at]));
  const gone = stepsMissingIn(references, steps).map(({ date, value }) => ({ date, value, goneAt: at }));
  // Where an earlier one has beaten a value, the later one says it too.
  const kept = former.filter(
    (earlier) => !gone.some((step) => step.date <= earlier.date && step.value <= earlier.value),
  );
  return {
    references: steps.map((step) => ({ ...step, at: known.get(`${step.date} ${step.value}`) ?? at })),
    former: [...kept, ...gone],
  };
};

const beatenBy =
  (made: RecordStep) =>
  (step: RecordStep): boolean =>
    step.date <= made.date && step.value < made.value;

/** Of the references that beat the value, the one that the space got first; null: none beats it. */
export const takenBy = (references: readonly ReferenceStep[], made: RecordStep): ReferenceStep | null =>
  references
    .filter(beatenBy(made))
    .reduce<ReferenceStep | null>((first, step) => (first && first.at <= step.at ? first : step), null);

/** When references last changed whether the value is a record, in milliseconds since 1970; 0: never. */
export const judgedAt = ({ references, former }: References, made: RecordStep): number =>
  Math.max(takenBy(references, made)?.at ?? 0, ...former.filter(beatenBy(made)).map(({ goneAt }) => goneAt));
