/** The bests of persons at one event, by region: of all persons, sorted, or of a few. Places are counted from them. */

import type { RankingEntry } from '../../domain/ranking-entries.js';
import type { RankingList } from '../../domain/rankings.js';
import { boardsOfList } from '../../domain/rankings.js';
import { boardOf, isKeyOfEvent, rankedValue, type ValueKind } from '../../domain/results.js';
import type { ReadView } from '../../foundation/read-models/read-model-store.js';
import {
  participations,
  type ResultDocument,
  rankingEntries,
  results,
} from '../results/ranking-documents.js';
import { requireEvent } from '../spaces/known-events.js';

/** Asks for the bests of persons at one event, in every region. */
export interface PlacesRequest extends Pick<RankingList, 'spaceId' | 'eventId'> {
  readonly type: ValueKind;
}

/** Of each person in the list of all categories. */
export interface RankedValues {
  /** Ascending. */
  readonly personIds: Float64Array;
  /** Of these persons, in their order. */
  readonly bests: Float64Array;
  /** The same, ascending. */
  readonly sorted: Float64Array;
}

/** By region; null is World. */
export type ValuesByRegion = ReadonlyMap<string | null, RankedValues>;

/** By region, then by person. */
type Bests = Map<string | null, Map<number, number>>;

const PAGE = 1_000;

/** Throws RejectedError `space-not-found`, `event-not-found`. */
export const rankedValues = async (view: ReadView, request: PlacesRequest): Promise<ValuesByRegion> => {
  const bests: Bests = new Map();
  for (const board of await boardsFor(view, request)) {
    let after: RankingEntry | undefined;
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
  return new Map([...bests].map(([region, ofPersons]) => [region, inOrder(ofPersons)]));
};

const inOrder = (ofPersons: ReadonlyMap<number, number>): RankedValues => {
  const personIds = Float64Array.from(ofPersons.keys()).sort();
  const bests = personIds.map((personId) => ofPersons.get(personId) ?? 0);
  return { personIds, bests, sorted: bests.toSorted() };
};

/** The bests of these persons, by region and person. Throws RejectedError `space-not-found`, `event-not-found`. */
export const bestsOf = async (
  view: ReadView,
  request: PlacesRequest,
  personIds: readonly number[],
): Promise<ReadonlyMap<string | null, ReadonlyMap<number, number>>> => {
  const boards = await boardsFor(view, request);
  const bests: Bests = new Map();
  for (const personId of personIds) {
    for (const result of await resultsOf(view, personId, request.eventId)) {
      if (!boards.includes(boardOf(result, request.type) ?? '')) continue;
      const { regionCode, continent } = result;
      take(bests, { personId, regionCode, continent, value: rankedValue(result, request.type) });
    }
  }
  return bests;
};

/** Without an event id: the results of all events. */
export const resultsOf = async (
  view: ReadView,
  personId: number,
  eventId?: string,
): Promise<ResultDocument[]> => {
  const taken = await view.scan(participations, { index: 'byPerson', equals: { personId } });
  const ids = taken.flatMap((participation) => participation.results);
  const wanted = eventId === undefined ? ids : ids.filter((id) => isKeyOfEvent(id, eventId));
  return (await view.getMany(results, wanted)).filter((result) => result !== null);
};

const boardsFor = async (
  view: ReadView,
  { spaceId, eventId, type }: PlacesRequest,
): Promise<readonly string[]> => {
  const event = await requireEvent(view, spaceId, eventId);
  return boardsOfList({ spaceId, eventId, type, category: 'all' }, event);
};

/** Keeps one value for each person: a person may have entries of several regions and categories. */
const take = (
  bests: Bests,
  {
    personId,
    regionCode,
    continent,
    value,
  }: Pick<RankingEntry, 'personId' | 'regionCode' | 'continent' | 'value'>,
): void => {
  for (const region of new Set([regionCode, continent, null])) {
    const ofPersons = bests.get(region) ?? new Map<number, number>();
    bests.set(region, ofPersons);
    const known = ofPersons.get(personId);
    if (known === undefined || value < known) ofPersons.set(personId, value);
  }
};
