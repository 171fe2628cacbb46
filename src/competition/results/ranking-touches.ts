/**
 * Finds the lists that show one place (a board and a region): lists of its category and of `all`, for the world, the
 * continent and the country. The names are cached for each place, because every attempt needs some of them.
 */

import type { ProjectionSession } from '../../foundation/projections/projection.js';
import { type RankingType, type Show, tags } from '../tags.js';
import type { ValueKind } from './ranked-range.js';
import type { BoardKind, OneCategory, ResultDocument } from './ranking-documents.js';

const TYPES: Readonly<Record<BoardKind, readonly RankingType[]>> = {
  s: ['single'],
  // The event defines which of the two is its own format, and this file does not know the event.
  '5': ['average', 'all-avg-formats'],
  '3': ['average', 'all-avg-formats'],
};

/** The board and region of a result. */
export type Place = Pick<
  ResultDocument,
  'spaceId' | 'eventId' | 'category' | 'regionCode' | 'continent' | 'attempts'
>;

const boardKind = (place: Place, kind: ValueKind): BoardKind => {
  if (kind === 'single') return 's';
  return place.attempts.length === 5 ? '5' : '3';
};

const MAX_NAMES = 20_000;
const known = new Map<string, readonly string[]>();

export const touchLists = (session: ProjectionSession, show: Show, kind: ValueKind, place: Place): void => {
  if (!session.keepsTags) return;
  const board = boardKind(place, kind);
  const key = `${show}/${board}/${place.spaceId}/${place.eventId}/${place.category}/${place.regionCode}`;
  let names = known.get(key);
  if (!names) {
    if (known.size >= MAX_NAMES) known.clear();
    names = listNames(show, TYPES[board], place);
    known.set(key, names);
  }
  for (const name of names) session.touch(name);
};

const listNames = (show: Show, types: readonly RankingType[], place: Place): readonly string[] => {
  const { spaceId, eventId, category, continent, regionCode } = place;
  const regions = new Set([null, continent, regionCode]);
  const categories: readonly (OneCategory | 'all')[] = [category, 'all'];
  return types.flatMap((type) =>
    categories.flatMap((one) =>
      [...regions].map((region) => tags.ranking({ spaceId, eventId, type, category: one, show, region })),
    ),
  );
};
