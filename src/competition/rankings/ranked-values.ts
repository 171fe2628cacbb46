/**
 * The bests of all persons at one event, as sorted values for each region. Places are counted from them. They take a
 * thousandth of the memory of the lists.
 */

import type { RankingList } from '../../domain/rankings.js';
import { boardsOf } from '../../domain/rankings.js';
import type { ReadView } from '../../foundation/read-models/read-model-store.js';
import { type RankingEntryDocument, rankingEntries } from '../results/ranking-documents.js';
import { requireEvent } from '../spaces/known-events.js';

/** Asks for the bests of all persons at one event, in every region. */
export type PlacesRequest = Pick<RankingList, 'spaceId' | 'eventId' | 'type'>;

/** By region (null is World): ascending, one value for each person in the list of all categories. */
export type RankedValues = ReadonlyMap<string | null, Float64Array>;

const PAGE = 1_000;

/** Throws RejectedError `space-not-found`, `event-not-found`. */
export const rankedValues = async (
  view: ReadView,
  { spaceId, eventId, type }: PlacesRequest,
): Promise<RankedValues> => {
  const event = await requireEvent(view, spaceId, eventId);
  const bests = new Map<string | null, Map<number, number>>();
  for (const board of boardsOf({ spaceId, eventId, type, category: 'all' }, event)) {
    let after: RankingEntryDocument | undefined;
    do {
      const page = await view.scan(rankingEntries, {
        index: 'world',
        equals: { board },
        limit: PAGE,
        ...(after && { after }),
      });
      for (const entry of page) take(bests, entry);
      after = page.length < PAGE ? undefined : page.at(-1);
    } while (after);
  }
  return new Map(
    [...bests].map(([region, ofPersons]) => [region, Float64Array.from(ofPersons.values()).sort()]),
  );
};

/** Keeps one value for each person: a person may have entries of several regions and categories. */
const take = (
  bests: Map<string | null, Map<number, number>>,
  { personId, regionCode, continent, value }: RankingEntryDocument,
): void => {
  for (const region of new Set([regionCode, continent, null])) {
    const ofPersons = bests.get(region) ?? new Map<number, number>();
    bests.set(region, ofPersons);
    const known = ofPersons.get(personId);
    if (known === undefined || value < known) ofPersons.set(personId, value);
  }
};

/** RANK(): one plus the number of better values. */
export const placeOf = (value: number, ascending: Float64Array): number => {
  let [from, to] = [0, ascending.length];
  while (from < to) {
    const middle = (from + to) >> 1;
    if ((ascending[middle] ?? 0) < value) from = middle + 1;
    else to = middle;
  }
  return from + 1;
};
