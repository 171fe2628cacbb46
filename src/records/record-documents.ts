/**
 * What the rankings projection keeps of records: the steps of each board in each region. It is a part of that
 * projection because a record follows from the same results: on its own it would have to derive all of them again.
 */
import type { RankedRange } from '../rankings/ranked-range.js';
import type { Collection, Document } from '../readmodel/read-model-store.js';
import type { RecordSteps } from './record-steps.js';

export interface RecordDocument extends Document {
  /** At least one. */
  readonly steps: RecordSteps;
}

export const records: Collection<RecordDocument> = { name: 'records', indexes: {} };

export const recordId = (board: string, region: RankedRange['region']): string => `${board} ${region ?? ''}`;
