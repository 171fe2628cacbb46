/**
 * Places of persons in rankings. The sorted values of an event are cached until a best at it changes, so that a place
 * is a search in memory. Another thread reads them.
 */

import { Injectable } from '@nestjs/common';
import { tags } from '../../domain/tags.js';
import type { Position } from '../../foundation/event-store/event-store.js';
import { TaggedCache } from '../../http/replies/tagged-cache.js';
import { ListBuilder } from './list-builder.js';
import { type PlacesRequest, placeOf, type RankedValues } from './ranked-values.js';

/** Bytes for all cached values. */
const BUDGET = 64 * 1024 * 1024;

const memoryOf = (values: RankedValues): number =>
  [...values.values()].reduce((sum, { byteLength }) => sum + byteLength + 100, 100);

@Injectable()
export class Places {
  readonly #kept = new TaggedCache<RankedValues>(BUDGET, memoryOf);

  constructor(private readonly builder: ListBuilder) {}

  /**
   * Returns the place of the value in each region's list of persons; null is World. Throws RejectedError
   * `event-not-found`.
   */
  async of(
    request: PlacesRequest,
    value: number,
    regions: readonly (string | null)[],
  ): Promise<readonly number[]> {
    const { spaceId, eventId, type } = request;
    const shows = [tags.places(spaceId, eventId), tags.event(spaceId, eventId)];
    const values = await this.#kept.getOrMake(`${spaceId}/${eventId}/${type}`, shows, () =>
      this.builder.rankedValues(request),
    );
    return regions.map((region) => placeOf(value, values.get(region) ?? new Float64Array()));
  }

  advance(position: Position, changed: ReadonlySet<string> | null): void {
    this.#kept.advance(position, changed);
  }
}
