/** The places of one kind of value at one event, in every region, as of the last change that was noted before they were asked for. */
import type { bestsOf, PlacesRequest, ValuesByRegion } from './ranked-values.js';
import { RegionPlaces } from './region-places.js';

/** When more persons have changed, all are read anew: in another thread, which keeps this one free. */
const MAX_CHANGED = 200;

export interface EventReads {
  readonly all: () => Promise<ValuesByRegion>;
  readonly of: (personIds: readonly number[]) => ReturnType<typeof bestsOf>;
}

export class EventPlaces {
  readonly request: PlacesRequest;
  readonly #reads: EventReads;
  /** Persons whose bests have changed since they were read. */
  readonly #changed = new Set<number>();
  #regions: Map<string | null, RegionPlaces> | null = null;
  #updated: Promise<void> = Promise.resolve();

  constructor(request: PlacesRequest, reads: EventReads) {
    this.request = request;
    this.#reads = reads;
  }

  /** Estimated, in memory. */
  get bytes(): number {
    return [...(this.#regions?.values() ?? [])].reduce((sum, { bytes }) => sum + bytes, 200);
  }

  noteChanged(personIds: readonly number[]): void {
    for (const personId of personIds) this.#changed.add(personId);
  }

  /** Reads what has changed, one caller after another. After a failure this object is of no more use. */
  update(): Promise<void> {
    this.#updated = this.#updated.then(() => this.#read());
    return this.#updated;
  }

  placeOf(value: number, region: string | null): number {
    return this.#regions?.get(region)?.placeOf(value) ?? 1;
  }

  async #read(): Promise<void> {
    const personIds = [...this.#changed];
    this.#changed.clear();
    if (this.#regions === null || personIds.length > MAX_CHANGED) {
      const all = await this.#reads.all();
      this.#regions = new Map([...all].map(([region, values]) => [region, new RegionPlaces(values)]));
    } else if (personIds.length > 0) this.#put(this.#regions, personIds, await this.#reads.of(personIds));
  }

  #put(
    regions: Map<string | null, RegionPlaces>,
    personIds: readonly number[],
    bests: Awaited<ReturnType<EventReads['of']>>,
  ): void {
    for (const region of bests.keys()) if (!regions.has(region)) regions.set(region, new RegionPlaces());
    for (const [region, places] of regions) {
      const ofRegion = bests.get(region);
      for (const personId of personIds) places.set(personId, ofRegion?.get(personId) ?? 0);
    }
  }
}
