/**
 * The rounds of contest pages, each kept until something in it changes: an attempt makes one round of a contest anew
 * and not the thousands of results beside it.
 */

import { Inject, Injectable } from '@nestjs/common';
import { EventsHandler, type IEventHandler } from '@nestjs/cqrs';
import type { RoundKey } from '../../domain/references.js';
import {
  READ_MODELS,
  type ReadModels,
  ReadModelsAdvanced,
} from '../../foundation/projections/read-models.js';
import { TaggedCache } from '../../foundation/replies/tagged-cache.js';
import { PersonDirectory } from '../persons/person-directory.js';
import { tags } from '../tags.js';
import type { RoundView } from './contest.queries.js';
import { roundPage } from './contest-page.js';
import { contestId, contests } from './contests.projection.js';

const BUDGET = 64 * 1024 * 1024;
/** About what a round and a result in it take in memory, in bytes. */
const ROUND_BYTES = 1_000;
const RESULT_BYTES = 1_000;

@Injectable()
export class RoundViews {
  readonly #views = new TaggedCache<{ readonly view: RoundView | null; readonly bytes: number }>(BUDGET);

  constructor(
    @Inject(READ_MODELS) private readonly readModels: ReadModels,
    private readonly directory: PersonDirectory,
  ) {}

  /** Null when the contest has no such round. */
  async get(round: RoundKey): Promise<RoundView | null> {
    const tag = tags.round(round);
    const { view } = await this.#views.getOrMake(tag, [tag], async () => {
      // A moment of its own, begun after the cache was asked: an older one could be out of date and kept.
      const made = await this.readModels.snapshot(async (moment) => {
        const contest = await moment.get(contests, contestId(round.spaceId, round.competitionId));
        return contest && roundPage(moment, contest, round, this.directory);
      });
      return { view: made, bytes: ROUND_BYTES + RESULT_BYTES * (made?.results.length ?? 0) };
    });
    return view;
  }

  advance({ position, tags: changed }: ReadModelsAdvanced): void {
    this.#views.advance(position, changed);
  }
}

@EventsHandler(ReadModelsAdvanced)
export class InvalidateRoundViews implements IEventHandler<ReadModelsAdvanced> {
  constructor(private readonly rounds: RoundViews) {}

  handle(advanced: ReadModelsAdvanced): void {
    this.rounds.advance(advanced);
  }
}
