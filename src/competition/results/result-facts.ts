/**
 * Derives a result's date, region, category, single, average and boards from its attempts and the facts around it.
 * There is only this one derivation, so an attempt, a moved person and an edited contest cannot disagree.
 */
import type { ContestType } from '../../domain/attempts.js';
import { CONTINENTS, continentOf, regionOf, regionOn } from '../../domain/regions.js';
import { averageOf, padded, singleOf } from '../../domain/scoring.js';
import {
  boardName,
  type ContestFacts,
  type OneCategory,
  type PersonFacts,
  type ResultDocument,
  type RoundFacts,
} from './ranking-documents.js';

const CATEGORY_OF: Readonly<Record<ContestType, OneCategory>> = {
  competition: 'competitions',
  meetup: 'meetups',
  online: 'online',
};
const TYPE_OF: Readonly<Record<OneCategory, ContestType>> = {
  competitions: 'competition',
  meetups: 'meetup',
  online: 'online',
};

export const categoryOf = (type: ContestType): OneCategory => CATEGORY_OF[type];
export const contestTypeOf = (category: OneCategory): ContestType => TYPE_OF[category];

/** Returns the continent of a result's region, which may already be a continent. */
const continentOfRegion = (regionCode: string | null): string | null => {
  if (regionCode === null) return null;
  return Object.hasOwn(CONTINENTS, regionCode) ? regionCode : continentOf(regionCode);
};

type Standing = Pick<ResultDocument, 'best' | 'average' | 'singleBoard' | 'averageBoard'>;

/** Returns single, average and boards. `attempts` has one value for each attempt of the format. */
const standingOf = (
  { spaceId, eventId }: Pick<ResultDocument, 'spaceId' | 'eventId'>,
  attempts: readonly number[],
  round: RoundFacts,
  contest: Pick<ContestFacts, 'category' | 'listed'>,
): Standing => {
  const best = singleOf(attempts);
  const average = averageOf(attempts, round);
  const { listed, category } = contest;
  return {
    best,
    average,
    singleBoard: listed && best > 0 ? boardName(spaceId, eventId, 's', category) : null,
    averageBoard:
      listed && average > 0 ? boardName(spaceId, eventId, attempts.length === 5 ? '5' : '3', category) : null,
  };
};

/** Returns the result with other attempts. Date and region stay. */
export const withAttempts = (
  result: ResultDocument,
  attempts: readonly number[],
  round: RoundFacts,
  contest: ContestFacts,
): ResultDocument => ({ ...result, attempts, ...standingOf(result, attempts, round, contest) });

/** Derives the result from these facts. `persons` are those it was entered for. */
export const withFacts = (
  result: Omit<ResultDocument, keyof Standing | 'date' | 'regionCode' | 'continent' | 'category'>,
  facts: {
    readonly contest: ContestFacts;
    readonly round: RoundFacts;
    readonly persons: readonly (PersonFacts | null)[];
  },
): ResultDocument => {
  const { contest, round, persons } = facts;
  const date = round.date ?? contest.endDate;
  const regionCode = regionOf(persons.map((person) => (person ? regionOn(person.timeline, date) : null)));
  const attempts = padded(result.attempts, round.format);
  const { best, average, singleBoard, averageBoard } = standingOf(result, attempts, round, contest);
  return {
    id: result.id,
    resultId: result.resultId,
    spaceId: result.spaceId,
    competitionId: result.competitionId,
    eventId: result.eventId,
    roundNumber: result.roundNumber,
    personIds: result.personIds,
    enteredFor: result.enteredFor,
    attempts,
    best,
    average,
    date,
    regionCode,
    continent: continentOfRegion(regionCode),
    category: contest.category,
    singleBoard,
    averageBoard,
  };
};
