/**
 * Places of persons in rankings, each a search in memory. Another thread reads the bests of an event once. From then on only
 * those persons are read again whose best has changed, before the next place is told.
 */

import { Inject, Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { bestsIn, type ChangedTags, tags } from '../../domain/tags.js';
import { READ_MODELS, type ReadModels } from '../../foundation/projections/read-models.js';
import { EventPlaces } from './event-places.js';
import { ListBuilder } from './list-builder.js';
import { bestsOf, type PlacesRequest } from './ranked-values.js';

/** Bytes for all cached values. */
const BUDGET = 64 * 1024 * 1024;

@Injectable()
export class Places {
  readonly #kept = new LRUCache<string, EventPlaces>({
    maxSize: BUDGET,
    // One that is larger than all of the room is kept alone.
    sizeCalculation: ({ bytes }) => Math.min(bytes, BUDGET),
  });
  /** Those that are read for the first time. */
  readonly #begun = new Map<string, EventPlaces>();

  constructor(
    @Inject(ListBuilder) private readonly builder: Pick<ListBuilder, 'rankedValues'>,
    @Inject(READ_MODELS) private readonly readModels: ReadModels,
  ) {}

  /**
   * Returns the place of the value in each region's list of persons; null is World. Throws RejectedError
   * `event-not-found`.
   */
  async of(
    request: PlacesRequest,
    value: number,
    regions: readonly (string | null)[],
  ): Promise<readonly number[]> {
    const key = `${request.spaceId}/${request.eventId}/${request.type}`;
    const places = this.#kept.get(key) ?? this.#begun.get(key) ?? this.#begin(key, request);
    try {
      await places.update();
      if (this.#begun.get(key) === places) this.#kept.set(key, places);
    } catch (error) {
      if (this.#kept.peek(key) === places) this.#kept.delete(key);
      throw error;
    } finally {
      if (this.#begun.get(key) === places) this.#begun.delete(key);
    }
    return regions.map((region) => places.placeOf(value, region));
  }

  /** `changed` null: anything may have changed. */
  advance(changed: ChangedTags | null): void {
    const known = [this.#kept, this.#begun];
    if (changed === null) for (const places of known) places.clear();
    else if (this.#kept.size + this.#begun.size > 0) {
      const bests = bestsIn(changed);
      for (const places of known) note(places, changed, bests);
    }
  }

  #begin(key: string, request: PlacesRequest): EventPlaces {
    const places = new EventPlaces(request, {
      all: () => this.builder.rankedValues(request),
      of: (personIds) => this.readModels.snapshot((view) => bestsOf(view, request, personIds)),
    });
    this.#begun.set(key, places);
    return places;
  }
}

/** Notes what has changed, and lets go of those where that is not known. */
const note = (
  known: Map<string, EventPlaces> | LRUCache<string, EventPlaces>,
  changed: ChangedTags,
  bests: ReturnType<typeof bestsIn>,
): void => {
  for (const [key, places] of [...known.entries()]) {
    const { spaceId, eventId } = places.request;
    const personIds = bests.get(`${spaceId}/${eventId}`) ?? [];
    places.noteChanged(personIds);
    // An older node that projects does not say whose best it was.
    const isOfSomebody = personIds.length === 0 && changed.has(tags.places(spaceId, eventId));
    if (isOfSomebody || changed.has(tags.event(spaceId, eventId))) known.delete(key);
  }
};
