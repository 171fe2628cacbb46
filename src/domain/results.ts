/**
 * A result: its single, average, date, region and boards, derived from its attempts and the facts around it; and the one
 * order in which results rank. There is only this one derivation, so an attempt, a moved person and an edited contest
 * cannot disagree.
 */
import { type ContestType, NOT_TAKEN, type RoundFormat } from './attempts.js';
import type { EventRef, RoundKey } from './references.js';
import { CONTINENTS, continentOf, type DatedRegion, regionOf, regionOn } from './regions.js';
import { type AverageRules, averageOf, padded, singleOf } from './scoring.js';
import { textOrder } from './text-order.js';

/** A result as rounds show it and rankings compare it. */
export interface Result extends RoundKey {
  readonly id: string;
  readonly resultId: string;
  /** The present persons of the result, in the team's order. */
  readonly personIds: readonly number[];
  /** The persons when the result was entered. After a merge, results keep the regions of these persons. */
  readonly enteredFor: readonly number[];
  /** One value for each attempt of the format; 0: not taken. */
  readonly attempts: readonly number[];
  readonly best: number;
  readonly average: number;
  /** When the present best was entered, in milliseconds since 1970. */
  readonly singleAt: number;
  /** The same of the average. */
  readonly averageAt: number;
  /** YYYY-MM-DD */
  readonly date: string;
  /** Country, or the continent when a team shares only that; null: none. */
  readonly regionCode: string | null;
  readonly continent: string | null;
  readonly category: OneCategory;
  /** The boards of the result; null: none, because it has no valid value or the contest is not public. */
  readonly singleBoard: string | null;
  readonly averageBoard: string | null;
}

/**
 * The result id alone may be ambiguous, because its separator may occur in the ids that it joins; together with the
 * event id it is unique. A space sorts before every character of an id, so results sort by result id.
 */
export const resultKey = (resultId: string, eventId: string): string => `${resultId} ${eventId}`;

/** Whether the key is that of a result of the event. */
export const isKeyOfEvent = (key: string, eventId: string): boolean => key.endsWith(` ${eventId}`);

// --- categories and boards ------------------------------------------------------------------------------------------

export const ONE_CATEGORIES = ['competitions', 'meetups', 'online'] as const;
/** The results of one type of contest. */
export type OneCategory = (typeof ONE_CATEGORIES)[number];

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

/** Single, average of 5, average of 3. */
export type BoardKind = 's' | '5' | '3';

const CATEGORY_LETTERS: Readonly<Record<OneCategory, string>> = {
  competitions: 'c',
  meetups: 'm',
  online: 'o',
};

/** A board holds the results that compete: one event of a space, one kind of value and one category. */
export const boardName = (spaceId: string, eventId: string, kind: BoardKind, category: OneCategory): string =>
  `${spaceId}/${eventId}/${kind}${CATEGORY_LETTERS[category]}`;

/** The value that a ranking compares. */
export type ValueKind = 'single' | 'average';
export const VALUE_KINDS: readonly ValueKind[] = ['single', 'average'];

const KINDS_OF: Readonly<Record<ValueKind, readonly BoardKind[]>> = { single: ['s'], average: ['5', '3'] };

/** All boards of an event with values of this kind: which averages count depends on the own format of the event. */
export const boardsOfKind = (
  { spaceId, eventId }: EventRef,
  kind: ValueKind,
  category: OneCategory,
): readonly string[] => KINDS_OF[kind].map((board) => boardName(spaceId, eventId, board, category));

export const boardOf = (result: Result, kind: ValueKind): string | null =>
  kind === 'single' ? result.singleBoard : result.averageBoard;

export const boardKindOf = ({ attempts }: Pick<Result, 'attempts'>, kind: ValueKind): BoardKind => {
  if (kind === 'single') return 's';
  return attempts.length === 5 ? '5' : '3';
};

export const rankedValue = (result: Pick<Result, 'best' | 'average'>, kind: ValueKind): number =>
  kind === 'single' ? result.best : result.average;

/** When the value was entered, in milliseconds since 1970. */
export const enteredAt = (result: Pick<Result, 'singleAt' | 'averageAt'>, kind: ValueKind): number =>
  kind === 'single' ? result.singleAt : result.averageAt;

// --- order ----------------------------------------------------------------------------------------------------------

export const oldestFirst = (a: Pick<Result, 'date' | 'id'>, b: Pick<Result, 'date' | 'id'>): number =>
  textOrder(a.date, b.date) || textOrder(a.id, b.id);

/** Results by their single or by their average, then by date, then by id. */
export const bestFirst =
  (kind: ValueKind) =>
  (a: Result, b: Result): number =>
    rankedValue(a, kind) - rankedValue(b, kind) || oldestFirst(a, b);

/** A value of a result in a ranking. */
export interface RankedEntry {
  readonly value: number;
  readonly date: string;
  /** Id of the result. */
  readonly result: string;
}

/** The same order. Members of one team share a result and compare as equal. */
export const compareEntries = (a: RankedEntry, b: RankedEntry): number =>
  a.value - b.value || textOrder(a.date, b.date) || textOrder(a.result, b.result);

// --- derivation -----------------------------------------------------------------------------------------------------

/** What an entry changes: one attempt, else all attempts. What it does not name is not taken from then on. */
export interface AttemptsChange {
  readonly resultId: string;
  /** From 1. */
  readonly attemptNumber?: number;
  readonly value?: number;
  readonly attempts?: readonly number[];
}

/** Returns one value for each attempt of the format. `before` is empty for a new result. */
export const attemptsAfter = (
  before: readonly number[],
  format: RoundFormat,
  { attemptNumber, value = NOT_TAKEN, attempts = [] }: AttemptsChange,
): readonly number[] =>
  attemptNumber === undefined
    ? padded(attempts, format)
    : padded(before, format).with(attemptNumber - 1, value);

/** Facts of a contest that its results depend on. */
export interface ContestOfResult {
  readonly category: OneCategory;
  readonly endDate: string;
  /** Whether its results count. */
  readonly listed: boolean;
}

/** Facts of a round that its results depend on. */
export interface RoundOfResult extends AverageRules {
  readonly date: string | null;
}

/** A result before its values are derived. */
export type BareResult = Pick<
  Result,
  | 'id'
  | 'resultId'
  | 'spaceId'
  | 'competitionId'
  | 'eventId'
  | 'roundNumber'
  | 'personIds'
  | 'enteredFor'
  | 'attempts'
  | 'singleAt'
  | 'averageAt'
>;

/** Derives the result from these facts. `timelines`: the regions of the persons it was entered for, null if not known. */
export const withFacts = (
  result: BareResult,
  contest: ContestOfResult,
  round: RoundOfResult,
  timelines: readonly (readonly DatedRegion[] | null)[],
): Result => {
  const date = round.date ?? contest.endDate;
  const regionCode = regionOf(timelines.map((timeline) => (timeline ? regionOn(timeline, date) : null)));
  const attempts = padded(result.attempts, round.format);
  const values = { attempts, best: singleOf(attempts), average: averageOf(attempts, round) };
  const { singleBoard, averageBoard } = boardsOf(result, values, contest);
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
    best: values.best,
    average: values.average,
    singleAt: result.singleAt,
    averageAt: result.averageAt,
    date,
    regionCode,
    continent: continentOfRegion(regionCode),
    category: contest.category,
    singleBoard,
    averageBoard,
  };
};

/** Both are derived here, so comparing ids, persons, attempts, times of entry and these values is enough. */
export const isSameResult = (a: Result, b: Result): boolean =>
  a.best === b.best &&
  a.average === b.average &&
  a.date === b.date &&
  a.regionCode === b.regionCode &&
  a.category === b.category &&
  a.singleBoard === b.singleBoard &&
  a.averageBoard === b.averageBoard &&
  a.singleAt === b.singleAt &&
  a.averageAt === b.averageAt &&
  sameNumbers(a.attempts, b.attempts) &&
  sameNumbers(a.personIds, b.personIds);

const sameNumbers = (a: readonly number[], b: readonly number[]): boolean =>
  a.length === b.length && a.every((value, index) => value === b[index]);

/** `attempts` has one value for each attempt of the format. */
export const boardsOf = (
  { spaceId, eventId }: EventRef,
  values: Pick<Result, 'attempts' | 'best' | 'average'>,
  { listed, category }: Pick<ContestOfResult, 'listed' | 'category'>,
): Pick<Result, 'singleBoard' | 'averageBoard'> => {
  const boardFor = (kind: ValueKind): string | null =>
    listed && rankedValue(values, kind) > 0
      ? boardName(spaceId, eventId, boardKindOf(values, kind), category)
      : null;
  return { singleBoard: boardFor('single'), averageBoard: boardFor('average') };
};

/** Returns the continent of a result's region, which may already be a continent. */
const continentOfRegion = (regionCode: string | null): string | null => {
  if (regionCode === null) return null;
  return Object.hasOwn(CONTINENTS, regionCode) ? regionCode : continentOf(regionCode);
};
