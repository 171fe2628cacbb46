/**
 * The persons of a generated world: names of their country, association ids in the association's form, a talent
 * each, and for a few a move to another country.
 */
import type { RegionPeriod } from '../../../competition/aggregates/person/person.events.js';
import { dateOf, dayAt, WORLD_DAYS } from './calendar.js';
import { WORLD_COUNTRIES, type WorldCountry } from './countries.js';
import type { Random } from './random.js';

export interface WorldPerson {
  /** From 0. The store gives the id. */
  readonly index: number;
  readonly name: string;
  readonly localizedName: string | null;
  readonly assocId: string | null;
  readonly country: WorldCountry;
  /** As it is registered. */
  readonly timeline: readonly RegionPeriod[];
  /** The first contest is not before this day. */
  readonly startDay: number;
  /** Deviation from the average competitor; below 0 is faster. */
  readonly talent: number;
  readonly move: { readonly day: number; readonly to: WorldCountry } | null;
  /** A wrong registration, and the day of its correction. */
  readonly correction: { readonly day: number; readonly timeline: readonly RegionPeriod[] } | null;
}

const WITHOUT_ASSOC_ID = 0.12;
const THERE_FROM_THE_START = 0.1;
/** At least this many start at once, so that the first contests have competitors. */
const FOUNDERS = 12;
const MOVES = 0.03;
const CORRECTED = 0.01;

export const makePeople = (count: number, random: Random): readonly WorldPerson[] => {
  const taken = new Map<string, number>();
  return Array.from({ length: count }, (_, index) => makePerson(index, random, taken));
};

const makePerson = (index: number, random: Random, taken: Map<string, number>): WorldPerson => {
  const country = random.weighted(WORLD_COUNTRIES);
  const { name, localizedName, family } = makeName(country, random);
  const startDay = index < FOUNDERS || random.chance(THERE_FROM_THE_START) ? 0 : dayAt(random.unit());
  const moveDay = random.integer(startDay, WORLD_DAYS);
  const wrong = random.chance(CORRECTED);
  const timeline = [{ from: null, regionCode: country.code }];
  return {
    index,
    name,
    localizedName,
    assocId: random.chance(WITHOUT_ASSOC_ID) ? null : assocIdOf(family, startDay, taken),
    country,
    timeline: wrong ? [{ from: null, regionCode: random.weighted(WORLD_COUNTRIES).code }] : timeline,
    startDay,
    talent: random.normal(),
    move: !wrong && random.chance(MOVES) ? { day: moveDay, to: random.weighted(WORLD_COUNTRIES) } : null,
    correction: wrong ? { day: moveDay, timeline } : null,
  };
};

const makeName = ({ names }: WorldCountry, random: Random) => {
  const given = random.integer(0, names.given.length - 1);
  const family = random.integer(0, names.family.length - 1);
  const local = [names.localFamily?.[family], names.localGiven?.[given]];
  return {
    name: `${names.given[given] ?? ''} ${names.family[family] ?? ''}`,
    localizedName: local.every((part) => part !== undefined) ? local.join('') : null,
    family: names.family[family] ?? '',
  };
};

/**
 * Year of the first contest, four letters of the family name, a number: 2012PERE03. Null when all numbers are
 * taken.
 */
const assocIdOf = (family: string, startDay: number, taken: Map<string, number>): string | null => {
  const letters = family
    .normalize('NFD')
    .replaceAll('ß', 'ss')
    .replaceAll(/[łŁ]/g, 'l')
    .replaceAll(/[øØ]/g, 'o');
  const stem = `${dateOf(startDay).slice(0, 4)}${letters
    .replaceAll(/[^A-Za-z]/g, '')
    .toUpperCase()
    .padEnd(4, 'A')
    .slice(0, 4)}`;
  const number = (taken.get(stem) ?? 0) + 1;
  taken.set(stem, number);
  return number > 99 ? null : `${stem}${String(number).padStart(2, '0')}`;
};
