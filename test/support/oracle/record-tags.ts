/**
 * What the oracle says that each result was on its day: it replays the days, oldest first, and keeps the best value so far
 * of the world, of each region and of each person. All results of a day are counted before one of them gets its tag,
 * because the order within a day is unknown. What is known from outside the space counts from its day on.
 */

import { type Candidate, candidates, type OracleList } from './candidates.js';
import { referencesIn } from './references.js';
import { CONTINENT_CODES, countsIn } from './regions.js';
import { type OracleWorld, personNow } from './world.js';

export type OracleTag = 'WR' | 'CR' | 'NR' | 'PR';

type Board = Pick<OracleList, 'eventId' | 'category'> & { readonly type: 'single' | 'average' };

/** By result id; a result without a tag is left out. */
export const oracleTags = (world: OracleWorld, board: Board): ReadonlyMap<string, OracleTag> => {
  const ofWorld = replayed.get(world) ?? new Map<string, ReadonlyMap<string, OracleTag>>();
  replayed.set(world, ofWorld);
  const name = JSON.stringify([board.eventId, board.category, board.type]);
  const known =
    ofWorld.get(name) ??
    replay(candidates(world, { ...board, show: 'results', region: null }), outsideOf(world, board));
  ofWorld.set(name, known);
  return known;
};

/** A world never changes, and its tags are asked for thousands of times. */
const replayed = new WeakMap<OracleWorld, Map<string, ReadonlyMap<string, OracleTag>>>();

/** A value from outside that is the best so far of these places, from a day on. */
interface Outside {
  readonly date: string;
  readonly value: number;
  readonly places: readonly string[];
}

const outsideOf = (world: OracleWorld, { eventId, category, type }: Board): readonly Outside[] => [
  ...referencesIn(world, { eventId, category, type, region: null }).map(({ since, value, region }) => ({
    date: since,
    value,
    places: ['world', ...regionsOf(region)],
  })),
  ...world.bests
    .filter((best) => category === 'competitions' && best.eventId === eventId && best.kind === type)
    .map(({ on, value, personId }) => ({ date: on, value, places: [String(personNow(world, personId))] })),
];

const replay = (
  values: readonly Candidate[],
  outside: readonly Outside[],
): ReadonlyMap<string, OracleTag> => {
  const bests = new Map<string, number>();
  const tags = new Map<string, OracleTag>();
  for (const date of [...new Set(values.map(({ result }) => result.date))].sort()) {
    const ofDay = values.filter(({ result }) => result.date === date);
    for (const { value, places } of outside.filter((one) => one.date <= date))
      for (const place of places) bests.set(place, Math.min(value, bests.get(place) ?? value));
    for (const { value, result } of ofDay) {
      const places = ['world', ...regionsOf(result.regionCode), ...result.personIds.map(String)];
      for (const place of places) bests.set(place, Math.min(value, bests.get(place) ?? value));
    }
    for (const { value, result } of ofDay) {
      const isBestOf = (place: string): boolean => bests.get(place) === value;
      const { regionCode, personIds } = result;
      if (isBestOf('world')) tags.set(result.resultId, 'WR');
      else if (CONTINENT_CODES.some((code) => countsIn(regionCode, code) && isBestOf(code)))
        tags.set(result.resultId, 'CR');
      else if (regionCode !== null && isBestOf(regionCode)) tags.set(result.resultId, 'NR');
      else if (personIds.map(String).every(isBestOf)) tags.set(result.resultId, 'PR');
    }
  }
  return tags;
};

const regionsOf = (regionCode: string | null): readonly string[] =>
  regionCode === null
    ? []
    : [...new Set([regionCode, ...CONTINENT_CODES.filter((code) => countsIn(regionCode, code))])];
