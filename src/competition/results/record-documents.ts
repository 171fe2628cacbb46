/**
 * What the rankings projection keeps of records: the steps of each board in each region. It is a part of that
 * projection because a record follows from the same results: on its own it would have to derive all of them again.
 */

import type { Collection, Document } from '../../foundation/read-models/read-model-store.js';
import type { RankedRange } from './ranked-range.js';
import type { RecordStep, RecordSteps } from './record-steps.js';

export interface RecordDocument extends Document {
  /** At least one. */
  readonly steps: RecordSteps;
}

/** A step that is gone, and nobody has looked yet for what it had kept from being any. */
export interface GoneStepDocument extends Document, RankedRange, RecordStep {}

export const records: Collection<RecordDocument> = { name: 'records', indexes: {} };
/** Empty but while a rebuild is under way. */
export const goneSteps: Collection<GoneStepDocument> = { name: 'goneSteps', indexes: { byBoard: ['board'] } };

export const recordId = (board: string, region: RankedRange['region']): string => `${board} ${region ?? ''}`;
export const goneStepId = ({ board, region }: RankedRange, { date, value }: RecordStep): string =>
  `${recordId(board, region)} ${date} ${value}`;
