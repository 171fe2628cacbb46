/**
 * What the oracle says that each result was on its day: it replays the days, oldest first, and keeps the best value so far
 * of the world, of each region and of each person. All results of a day are counted before one of them gets its tag,
 * because the order within a day is unknown.
 */

import { type Candidate, candidates, type OracleList } from './candidates.js';
import { CONTINENT_CODES, countsIn } from './regions.js';
import type { OracleWorld } from './world.js';

export type OracleTag = 'WR' | 'CR' | 'NR' | 'PR';

type Board = Pick<OracleList, 'eventId' | 'category'> & { readonly type: 'single' | 'average' };

/** By result id; a result without a tag is left out. */
export const oracleTags = (world: OracleWorld, board: Board): ReadonlyMap<string, OracleTag> => {
  const ofWorld = replayed.get(world) ?? new Map<string, ReadonlyMap<string, OracleTag>>();
  replayed.set(world, ofWorld);
  const name = JSON.stringify([board.eventId, board.category, board.type]);
  const known = ofWorld.get(name) ?? replay(candidates(world, { ...board, show: 'results', region: null }));
  ofWorld.set(name, known);
  return known;
};

/** A world never changes, and its tags are asked for thousands of times. */
const replayed = new WeakMap<OracleWorld, Map<string, ReadonlyMap<string, OracleTag>>>();

const replay = (values: readonly Candidate[]): ReadonlyMap<string, OracleTag> => {
  const bests = new Map<string, number>();
  const tags = new Map<string, OracleTag>();
  for (const date of [...new Set(values.map(({ result }) => result.date))].sort()) {
    const ofDay = values.filter(({ result }) => result.date === date);
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
