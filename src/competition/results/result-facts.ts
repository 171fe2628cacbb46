/**
 * What a result takes from elsewhere and what follows from its attempts: date, region, category, single and average,
 * and with them the boards it stands on. One function makes all of it, so that an attempt, a moved person and an
 * edited contest cannot come to different answers.
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

/** The continent of a result's region, which may be a continent already. */
const continentOfRegion = (regionCode: string | null): string | null => {
  if (regionCode === null) return null;
  return Object.hasOwn(CONTINENTS, regionCode) ? regionCode : continentOf(regionCode);
};

type Standing = Pick<ResultDocument, 'best' | 'average' | 'singleBoard' | 'averageBoard'>;

/** Single, average and boards of these attempts. `attempts` has one value for each attempt of the format. */
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

/** The result with other attempts: where and when it was is as before. */
export const withAttempts = (
  result: ResultDocument,
  attempts: readonly number[],
  round: RoundFacts,
  contest: ContestFacts,
): ResultDocument => ({ ...result, attempts, ...standingOf(result, attempts, round, contest) });

/** The result with all that follows from these facts. `persons` are those it was entered for. */
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
