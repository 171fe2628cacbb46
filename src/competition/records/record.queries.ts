/** Queries on records and their results: the JSON of the public API, field by field in its order. */
import { Query } from '@nestjs/cqrs';
import type { RankingEntryView } from '../rankings/ranking.queries.js';
import type { RecordList } from '../tags.js';

export const RECORD_TYPES = ['single', 'average'] as const;
export type RecordType = (typeof RECORD_TYPES)[number];

/** A result that was the record, alone or tied, from its date until it was beaten. */
export interface RecordView
  extends Pick<RankingEntryView, 'persons' | 'result' | 'attempts' | 'date' | 'contest'> {
  readonly resultId: string;
  readonly roundNumber: number;
  /** The region that the result counts for: a country, or a continent when a team shares only that; null: none. */
  readonly regionCode: string | null;
  /** It equalled a record of another result. */
  readonly tie: boolean;
  /** YYYY-MM-DD, the day on which it was beaten; null: it still stands. */
  readonly until: string | null;
}

export interface RecordHistoryView extends Omit<RecordList, 'spaceId'> {
  readonly type: RecordType;
  /** The records that still stand. */
  readonly current: readonly RecordView[];
  /** Oldest first, then by result id. Ends with those that still stand. */
  readonly history: readonly RecordView[];
}

/** The records of an event that still stand; empty when there is none. */
export interface EventRecordsView {
  readonly eventId: string;
  readonly single: readonly RecordView[];
  readonly average: readonly RecordView[];
}

/** Throws RejectedError `space-not-found`, `event-not-found`. */
export class GetRecordHistory extends Query<RecordHistoryView> {
  constructor(
    readonly list: RecordList,
    readonly type: RecordType,
  ) {
    super();
  }
}

/** Every event of the space, in display order. Throws RejectedError `space-not-found`. */
export class ListRecords extends Query<readonly EventRecordsView[]> {
  constructor(readonly list: Omit<RecordList, 'eventId'>) {
    super();
  }
}
