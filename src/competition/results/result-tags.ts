/** Touches the tags of replies that show a result: its round and contest, its lists, its records. */
import { type RankingType, type Show } from '../../domain/rankings.js';
import type { RoundKey } from '../../domain/references.js';
import {
  type BoardKind,
  boardKindOf,
  boardOf,
  type OneCategory,
  VALUE_KINDS,
  type ValueKind,
} from '../../domain/results.js';
import { tags } from '../../domain/tags.js';
import type { ProjectionSession } from '../../foundation/projections/projection.js';
import type { ResultDocument } from './ranking-documents.js';

/** Touches every reply that shows the result. */
export const touchAll = (session: ProjectionSession, result: ResultDocument): void => {
  touchPage(session, result);
  touchShown(session, result);
  for (const region of regionsOf(result)) touchRecordLists(session, result, region);
};

/** Touches the pages that show the result: its round and its contest. */
export const touchPage = (session: ProjectionSession, result: RoundKey): void => {
  session.touch(() => [tags.round(result), tags.contest(result)]);
};

/** Touches the records of one of the result's regions; null: of the world. */
export const touchRecordLists = (
  session: ProjectionSession,
  { spaceId, eventId, category }: Pick<ResultDocument, 'spaceId' | 'eventId' | 'category'>,
  region: string | null,
): void =>
  session.touch(() => [
    tags.records({ spaceId, eventId, category, region }),
    tags.records({ spaceId, eventId, category: 'all', region }),
    tags.allRecords({ spaceId, category, region }),
    tags.allRecords({ spaceId, category: 'all', region }),
    tags.recentRecords(spaceId),
  ]);

/** Touches every list that shows the result, when its values are unchanged but its display has changed. */
export const touchShown = (session: ProjectionSession, result: ResultDocument): void => {
  for (const kind of VALUE_KINDS) {
    if (boardOf(result, kind) === null) continue;
    touchLists(session, 'results', kind, result);
    touchLists(session, 'persons', kind, result);
  }
};

const TYPES: Readonly<Record<BoardKind, readonly RankingType[]>> = {
  s: ['single'],
  // The event defines which of the two is its own format, and this file does not know the event.
  '5': ['average', 'all-avg-formats'],
  '3': ['average', 'all-avg-formats'],
};

const MAX_NAMES = 20_000;
const known = new Map<string, readonly string[]>();

export const touchLists = (
  session: ProjectionSession,
  show: Show,
  kind: ValueKind,
  place: ResultDocument,
): void => {
  if (!session.keepsTags) return;
  const board = boardKindOf(place, kind);
  const key = `${show}/${board}/${place.spaceId}/${place.eventId}/${place.category}/${place.regionCode}`;
  let names = known.get(key);
  if (!names) {
    if (known.size >= MAX_NAMES) known.clear();
    names = listNames(show, TYPES[board], place);
    known.set(key, names);
  }
  session.touch(names);
};

const listNames = (show: Show, types: readonly RankingType[], place: ResultDocument): readonly string[] => {
  const { spaceId, eventId, category, continent, regionCode } = place;
  const regions = regionsOf({ continent, regionCode });
  const categories: readonly (OneCategory | 'all')[] = [category, 'all'];
  return types.flatMap((type) =>
    categories.flatMap((one) =>
      regions.map((region) => tags.ranking({ spaceId, eventId, type, category: one, show, region })),
    ),
  );
};

/** World, continent and country, each once. */
const regionsOf = ({
  continent,
  regionCode,
}: Pick<ResultDocument, 'continent' | 'regionCode'>): readonly (string | null)[] => [
  ...new Set([null, continent, regionCode]),
];
