/** The tags of replies that show a result: its round and contest, its lists, its records. */
import { type RankingType, type Show } from './rankings.js';
import type { RoundKey } from './references.js';
import { type BoardKind, boardKindOf, type OneCategory, type Result, type ValueKind } from './results.js';
import { tags } from './tags.js';

/** Of the replies that show the result, but for ranking lists: its pages and records. */
export const pageAndRecordTags = (result: Result): readonly string[] => [
  ...pageTags(result),
  ...regionsOf(result).flatMap((region) => recordListTags(result, region)),
];

/** Of the pages that show the result: its round and its contest. */
export const pageTags = (result: RoundKey): readonly string[] => [tags.round(result), tags.contest(result)];

/** Of the records of one of the result's regions; null: of the world. */
export const recordListTags = (
  { spaceId, eventId, category }: Pick<Result, 'spaceId' | 'eventId' | 'category'>,
  region: string | null,
): readonly string[] => [
  tags.records({ spaceId, eventId, category, region }),
  tags.records({ spaceId, eventId, category: 'all', region }),
  tags.allRecords({ spaceId, category, region }),
  tags.allRecords({ spaceId, category: 'all', region }),
  tags.recentRecords(spaceId),
];

const TYPES: Readonly<Record<BoardKind, readonly RankingType[]>> = {
  s: ['single'],
  // The event defines which of the two is its own format, and this file does not know the event.
  '5': ['average', 'all-avg-formats'],
  '3': ['average', 'all-avg-formats'],
};

const MAX_NAMES = 20_000;
const known = new Map<string, readonly string[]>();

/** Of the lists of results or persons that rank this value of the result. Equal lists of names are one array. */
export const listTags = (show: Show, kind: ValueKind, place: Result): readonly string[] => {
  const board = boardKindOf(place, kind);
  const key = `${show}/${board}/${place.spaceId}/${place.eventId}/${place.category}/${place.regionCode}`;
  let names = known.get(key);
  if (!names) {
    if (known.size >= MAX_NAMES) known.clear();
    names = listNames(show, TYPES[board], place);
    known.set(key, names);
  }
  return names;
};

const listNames = (show: Show, types: readonly RankingType[], place: Result): readonly string[] => {
  const { spaceId, eventId, category } = place;
  const categories: readonly (OneCategory | 'all')[] = [category, 'all'];
  return types.flatMap((type) =>
    categories.flatMap((one) =>
      regionsOf(place).map((region) => tags.ranking({ spaceId, eventId, type, category: one, show, region })),
    ),
  );
};

/** World, continent and country, each once. */
const regionsOf = ({ continent, regionCode }: Result): readonly (string | null)[] => [
  ...new Set([null, continent, regionCode]),
];
