/**
 * The documents of records: the steps of each board in each region. They belong to the rankings projection, because a
 * separate projection would have to derive all results again.
 */

import type { Collection, Document } from '../../foundation/read-models/read-model-store.js';
import type { RankedRange } from './ranked-range.js';
import type { RecordStep, RecordSteps } from './record-steps.js';

export interface RecordDocument extends Document {
  /** At least one. */
  readonly steps: RecordSteps;
}

/** A removed step. The results that it had kept from being a step are not searched yet. */
export interface GoneStepDocument extends Document, RankedRange, RecordStep {}

export const records: Collection<RecordDocument> = { name: 'records', indexes: {} };
/** Empty except during a rebuild. */
export const goneSteps: Collection<GoneStepDocument> = { name: 'goneSteps', indexes: { byBoard: ['board'] } };

export const recordId = (board: string, region: RankedRange['region']): string => `${board} ${region ?? ''}`;
export const goneStepId = ({ board, region }: RankedRange, { date, value }: RecordStep): string =>
  `${recordId(board, region)} ${date} ${value}`;
