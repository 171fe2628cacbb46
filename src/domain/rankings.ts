/**
 * Ranking lists: which there are, and what each is made of. A list is the merge of few boards. In a region, the results of
 * a board are one range in ranking order.
 */
import type { RoundFormat } from './attempts.js';
import type { EventRef } from './references.js';
import { parseRegion } from './regions.js';
import { type BoardKind, boardName, ONE_CATEGORIES, type Result, type ValueKind } from './results.js';
import { attemptsOf } from './scoring.js';

export const RANKING_TYPES = ['single', 'average', 'all-avg-formats'] as const;
export type RankingType = (typeof RANKING_TYPES)[number];

export const CATEGORIES = [...ONE_CATEGORIES, 'all'] as const;
export type Category = (typeof CATEGORIES)[number];

export const SHOWS = ['persons', 'results'] as const;
export type Show = (typeof SHOWS)[number];

/** One ranking list. `region` is a country or continent code in upper case; null is World. */
export interface RankingList extends EventRef {
  readonly type: RankingType;
  readonly category: Category;
  readonly show: Show;
  readonly region: string | null;
}

/** The records of one event in one region. */
export type RecordList = Pick<RankingList, 'spaceId' | 'eventId' | 'category' | 'region'>;

/** Returns the boards whose merge is the list. */
export const boardsOfList = (
  { spaceId, eventId, type, category }: Pick<RankingList, 'spaceId' | 'eventId' | 'type' | 'category'>,
  event: { readonly defaultRoundFormat: RoundFormat },
): readonly string[] => {
  const categories = category === 'all' ? ONE_CATEGORIES : [category];
  return boardKinds(type, event.defaultRoundFormat).flatMap((kind) =>
    categories.map((one) => boardName(spaceId, eventId, kind, one)),
  );
};

const boardKinds = (type: RankingType, format: RoundFormat): readonly BoardKind[] => {
  switch (type) {
    case 'single':
      return ['s'];
    case 'average':
      return [attemptsOf(format) === 5 ? '5' : '3'];
    case 'all-avg-formats':
      return ['5', '3'];
    default:
      return type satisfies never;
  }
};

// --- ranges ---------------------------------------------------------------------------------------------------------

export type RegionIndex = 'World' | 'Continent' | 'Country';

/** Region null: World. */
export const regionIndex = (region: string | null): RegionIndex => {
  if (region === null) return 'World';
  return parseRegion(region)?.kind === 'continent' ? 'Continent' : 'Country';
};

export const regionFields = (region: string | null): Partial<Pick<Result, 'continent' | 'regionCode'>> => {
  switch (regionIndex(region)) {
    case 'World':
      return {};
    case 'Continent':
      return { continent: region };
    case 'Country':
      return { regionCode: region };
  }
};

/** Results of one board in one region by single or average, best first, equal ones oldest first: a range of one index. */
export interface RankedRange {
  readonly kind: ValueKind;
  readonly board: string;
  /** Country or continent; null: World. */
  readonly region: string | null;
}

/** The id of the record of a board in a region. */
export const recordId = (board: string, region: RankedRange['region']): string => `${board} ${region ?? ''}`;

/** The id of the personal records of a board and a person. */
export const personalStepsId = (board: string, personId: number): string => `${board}/${personId}`;

/** Returns the name of the index that holds the range, and what its results have in common. */
export const rangeOf = ({ kind, board, region }: RankedRange) => ({
  index: `${kind}${regionIndex(region)}`,
  equals: { [`${kind}Board`]: board, ...regionFields(region) } satisfies Partial<Result>,
});

/** Returns a place in the range just before all results of this value and date. */
export const beforeResults = (
  { kind, board, region }: RankedRange,
  { value, date }: { readonly value: number; readonly date: string },
): Result => ({
  ...EMPTY_RESULT,
  [kind === 'single' ? 'best' : 'average']: value,
  [`${kind}Board`]: board,
  ...regionFields(region),
  date,
});

const EMPTY_RESULT: Result = {
  id: '',
  resultId: '',
  spaceId: '',
  competitionId: '',
  eventId: '',
  roundNumber: 0,
  personIds: [],
  enteredFor: [],
  attempts: [],
  best: 0,
  average: 0,
  singleAt: 0,
  averageAt: 0,
  date: '',
  regionCode: null,
  continent: null,
  category: 'competitions',
  singleBoard: null,
  averageBoard: null,
};
