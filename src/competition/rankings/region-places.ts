/**
 * The places of persons in one region. A new best is put beside the values that were read, so that neither it nor a place after
 * it costs more in a longer list. Now and then the values are merged, in one pass.
 */
import type { RankedValues } from './ranked-values.js';

/** So many values came and went before they are merged. */
const MAX_CHANGES = 4_096;

const NOTHING: RankedValues = {
  personIds: new Float64Array(),
  bests: new Float64Array(),
  sorted: new Float64Array(),
};

type Ascending = Float64Array | readonly number[];

export class RegionPlaces {
  readonly #read: RankedValues;
  /** By person, where it has changed since; 0: the person has none. */
  readonly #changed = new Map<number, number>();
  #sorted: Float64Array;
  /** Values that came and that went since `#sorted` was made, both ascending. */
  #came: number[] = [];
  #went: number[] = [];

  constructor(values: RankedValues = NOTHING) {
    this.#read = values;
    this.#sorted = values.sorted;
  }

  /** Estimated, in memory. */
  get bytes(): number {
    const { personIds, bests } = this.#read;
    return 200 + personIds.byteLength + bests.byteLength + this.#sorted.byteLength;
  }

  /** RANK(): one plus the number of better values. */
  placeOf(value: number): number {
    return 1 + below(value, this.#sorted) + below(value, this.#came) - below(value, this.#went);
  }

  /** `best` 0: the person has none any more. */
  set(personId: number, best: number): void {
    const before = this.#bestOf(personId);
    if (before === best) return;
    this.#changed.set(personId, best);
    if (before > 0) move(before, this.#came, this.#went);
    if (best > 0) move(best, this.#went, this.#came);
    if (this.#came.length + this.#went.length > MAX_CHANGES) this.#merge();
  }

  #bestOf(personId: number): number {
    const changed = this.#changed.get(personId);
    if (changed !== undefined) return changed;
    const { personIds, bests } = this.#read;
    const at = below(personId, personIds);
    return personIds[at] === personId ? (bests[at] ?? 0) : 0;
  }

  #merge(): void {
    const merged = new Float64Array(this.#sorted.length + this.#came.length - this.#went.length);
    let [came, went, end] = [0, 0, 0];
    for (const value of this.#sorted) {
      for (; (this.#came[came] ?? Number.POSITIVE_INFINITY) < value; came += 1, end += 1)
        merged[end] = this.#came[came] ?? 0;
      if (this.#went[went] === value) went += 1;
      else {
        merged[end] = value;
        end += 1;
      }
    }
    merged.set(this.#came.slice(came), end);
    this.#sorted = merged;
    this.#came = [];
    this.#went = [];
  }
}

/** Takes the value out of the one, or else puts it into the other. Equal values are as good as each other. */
const move = (value: number, from: number[], to: number[]): void => {
  const at = below(value, from);
  if (from[at] === value) from.splice(at, 1);
  else to.splice(below(value, to), 0, value);
};

/** How many are less than the value. */
const below = (value: number, ascending: Ascending): number => {
  let [from, to] = [0, ascending.length];
  while (from < to) {
    const middle = (from + to) >> 1;
    if ((ascending[middle] ?? 0) < value) from = middle + 1;
    else to = middle;
  }
  return from;
};
