/**
 * The documents of the rankings projection. A board is one event of a space, one kind of value (single, average of 5,
 * or average of 3) and one category. Every list is a merge of few boards, read in ranking order from one of three
 * indexes (world, continent, country).
 */

import type { Cutoff, RoundFormat, ValueFormat } from '../../domain/attempts.js';
import type { ContestRef, RoundKey } from '../../domain/references.js';
import type { ProjectionSession } from '../../foundation/projections/projection.js';
import type { Collection, Document } from '../../foundation/read-models/read-model-store.js';
import type { RegionPeriod } from '../aggregates/person/person.events.js';
import type { Category } from '../tags.js';

/** `all` is the merge of these. */
export type OneCategory = Exclude<Category, 'all'>;
export const ONE_CATEGORIES: readonly OneCategory[] = ['competitions', 'meetups', 'online'];

/** Single, average of 5, average of 3. */
export type BoardKind = 's' | '5' | '3';

const CATEGORY_LETTERS: Readonly<Record<OneCategory, string>> = {
  competitions: 'c',
  meetups: 'm',
  online: 'o',
};

export const boardName = (spaceId: string, eventId: string, kind: BoardKind, category: OneCategory): string =>
  `${spaceId}/${eventId}/${kind}${CATEGORY_LETTERS[category]}`;

/** A result as rounds show it and rankings compare it. */
export interface ResultDocument extends Document, RoundKey {
  readonly resultId: string;
  /** The present persons of the result, in the team's order. */
  readonly personIds: readonly number[];
  /** The persons when the result was entered. After a merge, results keep the regions of these persons. */
  readonly enteredFor: readonly number[];
  /** One value for each attempt of the format; 0: not taken. */
  readonly attempts: readonly number[];
  readonly best: number;
  readonly average: number;
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

/** Updates documents after a result changed: `before` is null for a new result, `after` for a removed one. */
export type ResultUpdate = (
  session: ProjectionSession,
  before: ResultDocument | null,
  after: ResultDocument | null,
) => Promise<void>;

/** A person's best on a board in one region. Lists of persons consist of these. */
export interface RankingEntryDocument extends Document {
  readonly board: string;
  readonly personId: number;
  readonly regionCode: string | null;
  readonly continent: string | null;
  readonly value: number;
  readonly date: string;
  /** Id of the ResultDocument. */
  readonly result: string;
}

/** Facts of a contest that its results depend on. Its id is the contest's id. */
export interface ContestFacts extends Document {
  readonly competitionId: string;
  readonly shortName: string;
  readonly category: OneCategory;
  readonly regionCode: string | null;
  readonly endDate: string;
  /** Whether its results count. */
  readonly listed: boolean;
  /** Number of persons with a result. */
  readonly participants: number;
}

/** Facts of a round that its results depend on. */
export interface RoundFacts extends Document {
  readonly format: RoundFormat;
  readonly valueFormat: ValueFormat;
  readonly cutoff: Cutoff | null;
  readonly date: string | null;
}

/** Its id is the person id as text. */
export interface PersonFacts extends Document {
  readonly timeline: readonly RegionPeriod[];
}

/** A person's results in one contest. Removed with the last result. */
export interface Participation extends Document {
  readonly personId: number;
  /** Ids of ResultDocuments; their order has no meaning. */
  readonly results: readonly string[];
}

export const results: Collection<ResultDocument> = {
  name: 'results',
  indexes: {
    byRound: ['spaceId', 'competitionId', 'eventId', 'roundNumber'],
    singleWorld: ['singleBoard', 'best', 'date'],
    singleContinent: ['singleBoard', 'continent', 'best', 'date'],
    singleCountry: ['singleBoard', 'regionCode', 'best', 'date'],
    averageWorld: ['averageBoard', 'average', 'date'],
    averageContinent: ['averageBoard', 'continent', 'average', 'date'],
    averageCountry: ['averageBoard', 'regionCode', 'average', 'date'],
  },
};

/** Ties end with the entry's id, so members of one team are ordered by their ids as text. */
export const rankingEntries: Collection<RankingEntryDocument> = {
  name: 'rankingEntries',
  indexes: {
    world: ['board', 'value', 'date', 'result'],
    continent: ['board', 'continent', 'value', 'date', 'result'],
    country: ['board', 'regionCode', 'value', 'date', 'result'],
  },
};

export const contestFacts: Collection<ContestFacts> = { name: 'contestFacts', indexes: {} };
export const roundFacts: Collection<RoundFacts> = { name: 'roundFacts', indexes: {} };
export const personFacts: Collection<PersonFacts> = { name: 'personFacts', indexes: {} };
export const participations: Collection<Participation> = {
  name: 'participations',
  indexes: { byPerson: ['personId'] },
};

/**
 * The result id alone may be ambiguous, because its separator may occur in the ids that it joins; together with the
 * event id it is unique. A space sorts before every character of an id, so documents sort by result id.
 */
export const resultKey = (resultId: string, eventId: string): string => `${resultId} ${eventId}`;

export const contestKey = ({ spaceId, competitionId }: ContestRef): string => `${spaceId}/${competitionId}`;

export const roundId = (round: RoundKey): string =>
  `${contestKey(round)}/${round.eventId}/${round.roundNumber}`;

export const participationId = (contest: ContestRef, personId: number): string =>
  `${contestKey(contest)}/${personId}`;

/** The id of a person's entry in one region of a board. */
export const entryId = (board: string, personId: number, regionCode: string | null): string =>
  `${board}/${personId}/${regionCode ?? ''}`;
