/**
 * Results of one board in one region by single or average: best first, equal ones oldest first. They are a range of
 * one index.
 */
import { parseRegion } from '../../domain/regions.js';
import { attemptsOf } from '../../domain/scoring.js';
import type { EventDefinition } from '../aggregates/space/space.events.js';
import type { RankingList } from '../tags.js';
import { type BoardKind, boardName, ONE_CATEGORIES, type ResultDocument } from './ranking-documents.js';

/** The value that a ranking compares. */
export type ValueKind = 'single' | 'average';
export const VALUE_KINDS: readonly ValueKind[] = ['single', 'average'];

export type RegionIndex = 'World' | 'Continent' | 'Country';

/** Region null: World. */
export const regionIndex = (region: string | null): RegionIndex => {
  if (region === null) return 'World';
  return parseRegion(region)?.kind === 'continent' ? 'Continent' : 'Country';
};

export const regionFields = (
  region: string | null,
): Partial<Pick<ResultDocument, 'continent' | 'regionCode'>> => {
  switch (regionIndex(region)) {
    case 'World':
      return {};
    case 'Continent':
      return { continent: region };
    case 'Country':
      return { regionCode: region };
  }
};

export interface RankedRange {
  readonly kind: ValueKind;
  readonly board: string;
  /** Country or continent; null: World. */
  readonly region: string | null;
}

/** Returns the index, and the values of its leading fields. */
export const rangeOf = ({ kind, board, region }: RankedRange) => ({
  index: `${kind}${regionIndex(region)}`,
  equals: { [`${kind}Board`]: board, ...regionFields(region) } satisfies Partial<ResultDocument>,
});

/** Returns a place in the range just before all results of this value and date. */
export const beforeResults = (
  { kind, board, region }: RankedRange,
  { value, date }: { readonly value: number; readonly date: string },
): ResultDocument => ({
  ...EMPTY_RESULT,
  [kind === 'single' ? 'best' : 'average']: value,
  [`${kind}Board`]: board,
  ...regionFields(region),
  date,
});

const EMPTY_RESULT: ResultDocument = {
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
  date: '',
  regionCode: null,
  continent: null,
  category: 'competitions',
  singleBoard: null,
  averageBoard: null,
};

export const boardOf = (result: ResultDocument, kind: ValueKind): string | null =>
  kind === 'single' ? result.singleBoard : result.averageBoard;

export const rankedValue = (result: ResultDocument, kind: ValueKind): number =>
  kind === 'single' ? result.best : result.average;

/** Returns the boards whose merge is the list. */
export const boardsOf = (
  { spaceId, eventId, type, category }: Pick<RankingList, 'spaceId' | 'eventId' | 'type' | 'category'>,
  event: Pick<EventDefinition, 'defaultRoundFormat'>,
): readonly string[] => {
  const categories = category === 'all' ? ONE_CATEGORIES : [category];
  return boardKinds(type, event).flatMap((kind) =>
    categories.map((one) => boardName(spaceId, eventId, kind, one)),
  );
};

const boardKinds = (
  type: RankingList['type'],
  { defaultRoundFormat }: Pick<EventDefinition, 'defaultRoundFormat'>,
): readonly BoardKind[] => {
  switch (type) {
    case 'single':
      return ['s'];
    case 'average':
      return [attemptsOf(defaultRoundFormat) === 5 ? '5' : '3'];
    case 'all-avg-formats':
      return ['5', '3'];
    default:
      return type satisfies never;
  }
};
