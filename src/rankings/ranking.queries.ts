/** The rankings query and what it answers: the JSON of the public API, field by field in its order. */
import { Query } from '@nestjs/cqrs';
import type { AttemptView } from '../contests/contest.queries.js';
import type { ContestType } from '../domain/attempts.js';
import type { PersonView } from '../persons/person.queries.js';
import type { RankingList } from '../projections/tags.js';

export interface RankingEntryView {
  /** `<result id>_p<person id>`, `<result id>_a<attempt number>` or the result id. */
  readonly rankingId: string;
  /** RANK(): equal values share a place and the next is skipped. */
  readonly ranking: number;
  /** Only with show=persons. */
  readonly personId?: number;
  readonly persons: readonly PersonView[];
  readonly result: number;
  readonly attempts: readonly AttemptView[];
  /** YYYY-MM-DD */
  readonly date: string;
  readonly contest: {
    readonly competitionId: string;
    readonly shortName: string;
    readonly type: ContestType;
    readonly regionCode: string | null;
  };
}

export const TOP_N_DEFAULT = 100;
export const TOP_N_LARGEST = 100_000;

/** A ready reply: the JSON's bytes with a strong ETag of them, one for each content coding. */
export interface ReadyBytes {
  /** Of the uncompressed bytes, in quotes. */
  readonly etag: string;
  readonly body: Buffer;
}

/** The list cut at `topN`, as bytes. Throws RejectedError `space-not-found`, `event-not-found`. */
export class GetRankings extends Query<ReadyBytes> {
  constructor(
    readonly list: RankingList,
    readonly topN: number,
  ) {
    super();
  }
}
