/**
 * Ranking lists as ready replies. A list is built for the largest requested topN, and every smaller topN is cut from
 * it. Long lists are built in another thread.
 */
import { Inject, Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import type { Position } from '../../foundation/event-store/event-store.js';
import { READ_MODELS, type ReadModels } from '../../foundation/projections/read-models.js';
import { ByteCache } from '../../http/replies/byte-cache.js';
import { ReadyReply } from '../../http/replies/ready-reply.js';
import { type Sized, TaggedCache } from '../../http/replies/tagged-cache.js';
import { PersonDirectory } from '../persons/person-directory.js';
import { type RankingList, tags } from '../tags.js';
import { ListBuilder } from './list-builder.js';
import { rankingKey } from './ranking.queries.js';
import { type BuiltList, buildRankingList, cutList } from './ranking-lists.js';

/** Bytes for all cached lists, not counting the replies cut from them. */
const LIST_BUDGET = 96 * 1024 * 1024;

/** A longer list would block the event loop, so it is built in another thread. */
const LONG_LIST = 2_000;

class KeptList implements Sized {
  constructor(readonly built: BuiltList) {}

  get bytes(): number {
    return this.built.bytes.byteLength + this.built.ends.byteLength;
  }

  holds(topN: number): boolean {
    return this.built.complete || this.built.ends.length >= topN;
  }
}

@Injectable()
export class ListCache {
  readonly #lists = new TaggedCache<KeptList>(LIST_BUDGET);
  /** The largest topN that was built for each list. */
  readonly #longest = new LRUCache<string, number>({ max: 20_000 });

  constructor(
    @Inject(READ_MODELS) private readonly readModels: ReadModels,
    private readonly directory: PersonDirectory,
    private readonly replies: ByteCache,
    private readonly builder: ListBuilder,
  ) {}

  /** Throws RejectedError `space-not-found`, `event-not-found`. */
  reply(list: RankingList, topN: number): Promise<ReadyReply> {
    const shows = [tags.ranking(list), tags.event(list.spaceId, list.eventId)];
    return this.replies.reply(rankingKey(list, topN), shows, async () => {
      const { built } = await this.#list(list, topN, shows);
      return new ReadyReply(cutList(built, topN));
    });
  }

  advance(position: Position, changed: ReadonlySet<string> | null): void {
    this.#lists.advance(position, changed);
  }

  async #list(list: RankingList, topN: number, shows: readonly string[]): Promise<KeptList> {
    const key = tags.ranking(list);
    const keyOf = (length: number): string => `${key}?${length}`;
    const kept = this.#lists.get(keyOf(this.#longest.get(key) ?? 0));
    if (kept?.holds(topN)) return kept;
    // Each length is built separately, so that a request for 100 entries does not wait for 100,000.
    const made = await this.#lists.getOrMake(keyOf(topN), shows, async () => {
      return new KeptList(await this.#build(list, topN));
    });
    const longest = this.#lists.get(keyOf(this.#longest.get(key) ?? 0));
    if (!longest?.holds(topN)) this.#longest.set(key, topN);
    return made;
  }

  #build(list: RankingList, topN: number): Promise<BuiltList> {
    if (topN > LONG_LIST) return this.builder.build(list, topN);
    return this.readModels.snapshot((view) => buildRankingList(view, this.directory, list, topN));
  }
}
