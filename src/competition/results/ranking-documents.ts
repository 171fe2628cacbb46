/**
 * What the rankings projection keeps. A board is one race: a space's event, one kind of value (single, or average of
 * 5 or of 3 attempts) and one category. Every list that can be asked for is a merge of few boards, read in ranking
 * order from one of three indexes (world, continent, country).
 */

import type { Cutoff, RoundFormat, ValueFormat } from '../../domain/attempts.js';
import type { ContestRef, RoundKey } from '../../domain/references.js';
import type { ProjectionSession } from '../../foundation/projections/projection.js';
import type { Collection, Document } from '../../foundation/read-models/read-model-store.js';
import type { RegionPeriod } from '../aggregates/person/person.events.js';
import type { Category } from '../tags.js';

/** `all` is a merge of the others. */
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
  /** Whose result it is now, in the team's order. */
  readonly personIds: readonly number[];
  /** Whose it was when it appeared: a merged person's results keep the regions that person had. */
  readonly enteredFor: readonly number[];
  /** One value for each attempt of the format, 0 where none is in. */
  readonly attempts: readonly number[];
  readonly best: number;
  readonly average: number;
  /** YYYY-MM-DD */
  readonly date: string;
  /** Country, or continent where a team shares only that; null: none. */
  readonly regionCode: string | null;
  readonly continent: string | null;
  readonly category: OneCategory;
  /** The boards it stands on; null: on none (no valid value, or the contest is not public). */
  readonly singleBoard: string | null;
  readonly averageBoard: string | null;
}

/** Brings something up to date with a result: `before` null when it is new, `after` null when it is removed. */
export type ResultUpdate = (
  session: ProjectionSession,
  before: ResultDocument | null,
  after: ResultDocument | null,
) => Promise<void>;

/** A person's best on a board in one region: what lists of persons are made of. */
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

/** What results take from their contest. Its id is the contest's. */
export interface ContestFacts extends Document {
  readonly competitionId: string;
  readonly shortName: string;
  readonly category: OneCategory;
  readonly regionCode: string | null;
  readonly endDate: string;
  /** Whether its results count. */
  readonly listed: boolean;
  /** How many persons have a result. */
  readonly participants: number;
}

/** What results take from their round. */
export interface RoundFacts extends Document {
  readonly format: RoundFormat;
  readonly valueFormat: ValueFormat;
  readonly cutoff: Cutoff | null;
  readonly date: string | null;
}

/** Its id is the person's as text. */
export interface PersonFacts extends Document {
  readonly timeline: readonly RegionPeriod[];
}

/** A person's results in one contest. Gone with the last of them. */
export interface Participation extends Document {
  readonly personId: number;
  /** Ids of ResultDocuments, in an order that means nothing. */
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

/** The id ends the order: entries of one team's members stand in the order of the members' ids as text. */
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
 * A result's id names contest, event and round with a separator that ids may hold, so two rounds can give the same;
 * with the event's id they cannot. A space sorts before every character of an id: documents sort by result id.
 */
export const resultKey = (resultId: string, eventId: string): string => `${resultId} ${eventId}`;

export const contestKey = ({ spaceId, competitionId }: ContestRef): string => `${spaceId}/${competitionId}`;

export const roundId = (round: RoundKey): string =>
  `${contestKey(round)}/${round.eventId}/${round.roundNumber}`;

export const participationId = (contest: ContestRef, personId: number): string =>
  `${contestKey(contest)}/${personId}`;

/** A person in one region of a board. */
export const entryId = (board: string, personId: number, regionCode: string | null): string =>
  `${board}/${personId}/${regionCode ?? ''}`;
