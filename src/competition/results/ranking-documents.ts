/**
 * The documents of the rankings projection. A board is one event of a space, one kind of value (single, average of 5,
 * or average of 3) and one category. Every list is a merge of few boards, read in ranking order from one of three
 * indexes (world, continent, country): src/domain/rankings.ts names their ranges.
 */

import type { Withdrawals } from '../../domain/entered-values.js';
import type { KnownSteps } from '../../domain/known-bests.js';
import type { RankingEntry } from '../../domain/ranking-entries.js';
import type { RankedRange } from '../../domain/rankings.js';
import type { RecordStep, RecordSteps } from '../../domain/record-steps.js';
import type { RoundKey } from '../../domain/references.js';
import type { ContestOfResult, OneCategory, Result, RoundOfResult } from '../../domain/results.js';
import type { Collection, Document } from '../../foundation/read-models/read-model-store.js';
import type { RegionPeriod } from '../aggregates/person/person.events.js';
import type { References } from './reference-steps.js';

/** With `withdrawnAt` when a value of it was lost. */
export interface ResultDocument extends Document, Result, Partial<Withdrawals> {}

/** What was lost of a result that was removed. It has the id of the result, which may have been entered again. */
export interface RemovedResultDocument
  extends Document,
    RoundKey,
    Pick<Result, 'resultId' | 'personIds' | 'enteredFor'>,
    Withdrawals {}

/** Its id is the contest's key. */
export interface ContestFacts extends Document, ContestOfResult {
  readonly competitionId: string;
  readonly shortName: string;
  readonly regionCode: string | null;
  /** Number of persons with a result. */
  readonly participants: number;
}

/** Its id is the round's id. */
export interface RoundFacts extends Document, RoundOfResult {}

/** Its id is the person id as text. */
export interface PersonFacts extends Document {
  readonly spaceId: string;
  readonly timeline: readonly RegionPeriod[];
  /** From contests that the space need not have; missing: nothing. */
  readonly bests?: readonly KnownSteps[];
}

/** A person's results in one contest. Removed with the last result. */
export interface Participation extends Document {
  readonly personId: number;
  /** Ids of ResultDocuments, ascending. */
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
    withdrawn: ['spaceId', 'withdrawnAt'],
  },
};

export const removedResults: Collection<RemovedResultDocument> = {
  name: 'removedResults',
  indexes: { withdrawn: ['spaceId', 'withdrawnAt'] },
};

/** Ties end with the entry's id, so members of one team are ordered by their ids as text. */
export const rankingEntries: Collection<RankingEntry> = {
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

// --- records ---------------------------------------------------------------------------------------------------------

/** A board in one region. */
export interface RecordRange extends RankedRange {
  readonly spaceId: string;
  readonly category: OneCategory;
  /** Of the region; null: World. */
  readonly continent: string | null;
}

export interface RecordDocument extends Document, RecordRange {
  /** Of the results of the space. At least one, or else there are or were references. */
  readonly steps: RecordSteps;
  /** Date of the last step; null: there is none. */
  readonly newest: string | null;
  /** At least one; missing: there are none. */
  readonly references?: References['references'];
  /** At least one; missing: there were none. */
  readonly formerReferences?: References['former'];
}

/** A removed step. The results that it had kept from being a step are not searched yet. */
export interface GoneStepDocument extends Document, RecordRange, RecordStep {}

/** The steps of each board in each region. The indexes have the last ones improved or equalled at their end. */
export const records: Collection<RecordDocument> = {
  name: 'records',
  indexes: {
    world: ['spaceId', 'category', 'newest'],
    continent: ['spaceId', 'category', 'continent', 'newest'],
    country: ['spaceId', 'category', 'region', 'newest'],
  },
};

/** Empty except during a rebuild. */
export const goneSteps: Collection<GoneStepDocument> = { name: 'goneSteps', indexes: { byBoard: ['board'] } };

/**
 * The days on which a person improved or equalled the own best on a board, in any region. Its id has the board and the person.
 */
export interface PersonalStepsDocument extends Document {
  /** Of the results of the space. At least one, or else there are references. */
  readonly steps: RecordSteps;
  /** What is known of the person from other contests. At least one; missing: nothing. */
  readonly references?: RecordSteps;
}

export const personalSteps: Collection<PersonalStepsDocument> = { name: 'personalSteps', indexes: {} };
