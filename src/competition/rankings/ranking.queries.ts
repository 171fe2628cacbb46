/**
 * The query for rankings: its result, field by field in the order of the public API, and its handler. It answers with ready
 * replies. A list is built for the largest requested topN, and every smaller topN is cut from it.
 */
import { Inject } from '@nestjs/common';
import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import { LRUCache } from 'lru-cache';
import type { ContestType } from '../../domain/attempts.js';
import { type RankingList } from '../../domain/rankings.js';
import type { RecordTag } from '../../domain/record-tags.js';
import { type ChangedTags, tags } from '../../domain/tags.js';
import type { Position } from '../../foundation/event-store/event-store.js';
import { READ_MODELS, type ReadModels } from '../../foundation/projections/read-models.js';
import { cutList } from '../../http/replies/json-list.js';
import { ByteCache, JSON_TYPE, ReadyReply } from '../../http/replies/ready-reply.js';
import { TaggedCache } from '../../http/replies/tagged-cache.js';
import type { AttemptView } from '../contests/contest.queries.js';
import type { PersonView } from '../persons/person.queries.js';
import { PersonDirectory } from '../persons/person-directory.js';
import { ListBuilder } from './list-builder.js';
import { type BuiltList, buildRankingList } from './ranking-list.js';

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
  /** Of the value. */
  readonly recordTag: RecordTag | null;
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

/** Bytes for all cached lists, not counting the replies cut from them. */
const LIST_BUDGET = 96 * 1024 * 1024;

/** A longer list would block the event loop, so it is built in another thread. */
const LONG_LIST = 2_000;

@QueryHandler(GetRankings)
export class GetRankingsHandler implements IQueryHandler<GetRankings> {
  readonly #lists = new TaggedCache<BuiltList>(
    LIST_BUDGET,
    ({ bytes, ends, values }) => bytes.byteLength + ends.byteLength + values.byteLength,
    ({ values, complete }) => (complete ? undefined : values.at(-1)) ?? Number.POSITIVE_INFINITY,
  );
  /** The largest topN that was built for each list. */
  readonly #longest = new LRUCache<string, number>({ max: 20_000 });

  constructor(
    @Inject(READ_MODELS) private readonly readModels: ReadModels,
    private readonly directory: PersonDirectory,
    private readonly replies: ByteCache,
    private readonly builder: ListBuilder,
  ) {}

  execute({ list, topN }: GetRankings): Promise<ReadyReply> {
    const shows = [tags.ranking(list), tags.event(list.spaceId, list.eventId)];
    return this.replies.getOrMake(rankingKey(list, topN), shows, async () => {
      const built = this.#cached(list, topN) ?? (await this.#made(list, topN, shows));
      return new ReadyReply(cutList(built, topN), [], JSON_TYPE, built.values[topN - 1]);
    });
  }

  /** Invalidates the lists that carry a changed tag and reach its change; null: all. */
  advance(position: Position, changed: ChangedTags | null): void {
    this.#lists.advance(position, changed);
  }

  /** The longest cached list, when it holds the first `topN` entries. */
  #cached(list: RankingList, topN: number): BuiltList | undefined {
    const longest = this.#lists.get(rankingKey(list, this.#longest.get(tags.ranking(list)) ?? 0));
    return longest && (longest.complete || longest.ends.length >= topN) ? longest : undefined;
  }

  /** Builds each length separately, so that a request for 100 entries does not wait for 100,000. */
  async #made(list: RankingList, topN: number, shows: readonly string[]): Promise<BuiltList> {
    const made = await this.#lists.getOrMake(rankingKey(list, topN), shows, () => this.#build(list, topN));
    if (!this.#cached(list, topN)) this.#longest.set(tags.ranking(list), topN);
    return made;
  }

  #build(list: RankingList, topN: number): Promise<BuiltList> {
    if (topN > LONG_LIST) return this.builder.build(list, topN);
    return this.readModels.snapshot((view) => buildRankingList(view, this.directory, list, topN));
  }
}
