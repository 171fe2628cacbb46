/** How records and their lists show reference records: without a link, because they are no results of the space. */
import type { RecordStep } from '../../domain/record-steps.js';
import type { ReadView } from '../../foundation/read-models/read-model-store.js';
import { ERASED_NAME, type PersonDirectory } from '../persons/person-directory.js';
import type { ReferenceStep } from '../results/reference-steps.js';
import type { RecordHolder, ReferenceHolder } from './record-holders.js';

/** A record that was made outside the space. */
export interface ReferenceView {
  readonly result: number;
  /** The name of its holder; null: not given. */
  readonly who: string | null;
  /** YYYY-MM-DD */
  readonly since: string;
}

export interface RecordReferenceView extends ReferenceView, Pick<RecordHolder, 'tie' | 'until'> {}

type Shown = Pick<ReferenceStep, 'date' | 'value' | 'holderId'>;

/** Reads the names of the holders at once, and returns a function that shows one reference. */
export const referenceViewer = async (
  view: ReadView,
  directory: PersonDirectory,
  shown: readonly (Pick<Shown, 'holderId'> | null)[],
): Promise<(step: Shown) => ReferenceView> => {
  const holders = await directory.views(
    view,
    shown.flatMap((reference) => reference?.holderId ?? []),
  );
  return ({ date, value, holderId }) => ({
    result: value,
    who: holderId === null ? null : (holders.get(holderId)?.name ?? ERASED_NAME),
    since: date,
  });
};

/** The same of references that were the record for some time. */
export const recordReferenceViewer = async (
  view: ReadView,
  directory: PersonDirectory,
  shown: readonly ReferenceHolder[],
): Promise<(holder: ReferenceHolder) => RecordReferenceView> => {
  const viewOf = await referenceViewer(view, directory, shown);
  return ({ since, tie, until, ...step }) => ({ ...viewOf({ ...step, date: since }), tie, until });
};

/** The last reference before this day. */
export const referenceBefore = (
  references: readonly ReferenceStep[],
  { date }: Pick<RecordStep, 'date'>,
): ReferenceStep | null => references.findLast((step) => step.date < date) ?? null;
