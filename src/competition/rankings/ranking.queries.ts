/** The query for rankings and its result: the JSON of the public API, field by field in its order. */
import { Query } from '@nestjs/cqrs';
import type { ContestType } from '../../domain/attempts.js';
import type { ReadyReply } from '../../http/replies/ready-reply.js';
import type { AttemptView } from '../contests/contest.queries.js';
import type { PersonView } from '../persons/person.queries.js';
import { type RankingList, tags } from '../tags.js';

export interface RankingEntryView {
  /** `<result id>_p<person id>`, `<result id>_a<attempt number>` or the result id. */
  readonly rankingId: string;
  /** RANK(): equal values share a place, and the next places are skipped. */
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

export const DEFAULT_TOP_N = 100;
export const MAX_TOP_N = 100_000;

/** The cache key of the list's ready reply. */
export const rankingKey = (list: RankingList, topN: number): string => `${tags.ranking(list)}?${topN}`;

/** The list cut at `topN`, as a ready reply. Throws RejectedError `space-not-found`, `event-not-found`. */
export class GetRankings extends Query<ReadyReply> {
  constructor(
    readonly list: RankingList,
    readonly topN: number,
  ) {
    super();
  }
}
