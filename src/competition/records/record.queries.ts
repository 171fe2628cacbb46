/** The queries on records and what they answer: the JSON of the public API, field by field in its order. */
import { Query } from '@nestjs/cqrs';
import type { RankingEntryView } from '../rankings/ranking.queries.js';
import type { RecordList } from '../tags.js';

export const RECORD_TYPES = ['single', 'average'] as const;
export type RecordType = (typeof RECORD_TYPES)[number];

/** A result that was the record, alone or with others, from its date until it was beaten. */
export interface RecordView
  extends Pick<RankingEntryView, 'persons' | 'result' | 'attempts' | 'date' | 'contest'> {
  readonly resultId: string;
  readonly roundNumber: number;
  /** That the result counts for: country, or continent where a team shares only that; null: none. */
  readonly regionCode: string | null;
  /** It equalled the record that another result had set before. */
  readonly tie: boolean;
  /** YYYY-MM-DD of the day on which it was beaten; null: it stands. */
  readonly until: string | null;
}

export interface RecordHistoryView extends Omit<RecordList, 'spaceId'> {
  readonly type: RecordType;
  /** Those that stand. */
  readonly current: readonly RecordView[];
  /** Oldest first, then by result id; those that stand are its end. */
  readonly history: readonly RecordView[];
}

/** The records of an event that stand; empty where there is none. */
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
