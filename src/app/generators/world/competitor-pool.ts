/** Draws the competitors of a contest: mostly of its country, mostly those who started in the last years. */
import type { WorldCountry } from './countries.js';
import type { WorldPerson } from './people.js';
import type { Random } from './random.js';

const FROM_ABROAD = 0.12;
/** Above 1: newer competitors are drawn more often. */
const NEWNESS = 1.6;

export class CompetitorPool {
  /** By country, in the order of their start. */
  readonly #byCountry = new Map<string, WorldPerson[]>();
  readonly #all: readonly WorldPerson[];

  constructor(
    persons: readonly WorldPerson[],
    private readonly random: Random,
  ) {
    this.#all = persons.toSorted((a, b) => a.startDay - b.startDay || a.index - b.index);
    for (const person of this.#all) {
      const { code } = person.country;
      const there = this.#byCountry.get(code);
      if (there) there.push(person);
      else this.#byCountry.set(code, [person]);
    }
  }

  /** Returns distinct persons in no particular order; fewer when not as many have started by that day. */
  draw(country: WorldCountry, day: number, count: number): readonly WorldPerson[] {
    const locals = this.#byCountry.get(country.code) ?? [];
    const here = started(locals, day);
    const everywhere = started(this.#all, day);
    const drawn = new Set<WorldPerson>();
    for (let tries = 0; tries < count * 3 && drawn.size < count; tries += 1) {
      const abroad = here === 0 || this.random.chance(FROM_ABROAD);
      const [from, known] = abroad ? [this.#all, everywhere] : [locals, here];
      const person = from[known - 1 - Math.floor(known * this.random.unit() ** NEWNESS)];
      if (person) drawn.add(person);
    }
    return [...drawn];
  }
}

/** Returns how many of them have started by that day. */
const started = (persons: readonly WorldPerson[], day: number): number => {
  let low = 0;
  let high = persons.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((persons[middle]?.startDay ?? 0) <= day) low = middle + 1;
    else high = middle;
  }
  return low;
};
