/**
 * A cache of the rounds that contest pages show. An attempt rebuilds only its own round, not the thousands of results
 * beside it.
 */

import { Inject, Injectable } from '@nestjs/common';
import { EventsHandler, type IEventHandler } from '@nestjs/cqrs';
import type { RoundKey } from '../../domain/references.js';
import { tags } from '../../domain/tags.js';
import {
  READ_MODELS,
  type ReadModels,
  ReadModelsAdvanced,
} from '../../foundation/projections/read-models.js';
import { TaggedCache } from '../../http/replies/tagged-cache.js';
import { PersonDirectory } from '../persons/person-directory.js';
import type { RoundView } from './contest.queries.js';
import { contestId, contests } from './contest-documents.js';
import { roundPage } from './contest-page.js';

const BUDGET = 64 * 1024 * 1024;
/** Approximate memory of a round and of each of its results, in bytes. */
const ROUND_BYTES = 1_000;
const RESULT_BYTES = 1_000;

@Injectable()
export class RoundViews {
  readonly #views = new TaggedCache<{ readonly view: RoundView | null }>(
    BUDGET,
    ({ view }) => ROUND_BYTES + RESULT_BYTES * (view?.results.length ?? 0),
  );

  constructor(
    @Inject(READ_MODELS) private readonly readModels: ReadModels,
    private readonly directory: PersonDirectory,
  ) {}

  /** Returns null when the contest has no such round. */
  async get(round: RoundKey): Promise<RoundView | null> {
    const tag = tags.round(round);
    const shows = [tag, tags.event(round.spaceId, round.eventId)];
    const { view } = await this.#views.getOrMake(tag, shows, async () => {
      // Uses a new snapshot, taken after the cache lookup. An older one could put outdated content into the cache.
      return this.readModels.snapshot(async (moment) => {
        const contest = await moment.get(contests, contestId(round.spaceId, round.competitionId));
        return { view: contest && (await roundPage(moment, contest, round, this.directory)) };
      });
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
