/**
 * The documents of the contests projection. Each contest has one document, one listing for each of its events, and one
 * listing for all events. So a filtered list of contests is one range of an index.
 */
import type { Collection, Document } from '../../foundation/read-models/read-model-store.js';
import type { ContestDetails, OpaqueRound, PlannedRound } from '../aggregates/contest/contest.js';

import type { ContestStage } from './contest.queries.js';

export interface PlannedRoundDocument extends PlannedRound {
  readonly open: boolean;
  /** Whether the round was ever open. Only such a round can have results. */
  readonly opened: boolean;
}

export interface ContestDocument extends Document, ContestDetails {
  readonly spaceId: string;
  readonly competitionId: string;
  readonly state: ContestStage;
  /** An ending that was begun and is not yet recorded. */
  readonly ending: 'finish' | 'delete' | null;
  /** Sort key: ascending from the newest start date to the oldest. */
  readonly newness: number;
  /** The continent of its region. */
  readonly continent: string | null;
  /** Sorted by event id, then by number. */
  readonly rounds: readonly PlannedRoundDocument[];
  /** In the order of the file. */
  readonly opaqueRounds: readonly OpaqueRound[];
  /** Rounds removed from the plan. A round that was opened at the same moment returns to the plan, open. */
  readonly unplanned: readonly PlannedRoundDocument[];
}

/** A public contest in the list of one event, or in the list of all events (`ANY_EVENT`). */
export interface ContestListing extends Document {
  /** `<space>/<event>` */
  readonly list: string;
  readonly newness: number;
  readonly competitionId: string;
  readonly regionCode: string | null;
  readonly continent: string | null;
}

export const contests: Collection<ContestDocument> = {
  name: 'contests',
  indexes: {
    bySpace: ['spaceId', 'newness', 'competitionId'],
    ending: ['ending'],
  },
};

export const contestListings: Collection<ContestListing> = {
  name: 'contestListings',
  indexes: {
    world: ['list', 'newness', 'competitionId'],
    continent: ['list', 'continent', 'newness', 'competitionId'],
    country: ['list', 'regionCode', 'newness', 'competitionId'],
  },
};

/**
 * Links organizers to contests, and those with results in opaque rounds: when a name changes, the contest pages that show
 * it are invalidated.
 */
export interface OrganizerDocument extends Document {
  readonly personId: number;
  readonly spaceId: string;
  readonly competitionId: string;
}

export const organizers: Collection<OrganizerDocument> = {
  name: 'organizers',
  indexes: { byPerson: ['personId'] },
};

/**
 * A merged person and the person that they became, whom pages show instead. Its id is the merged person's id as text.
 */
export interface MergedOrganizerDocument extends Document {
  readonly personId: number;
  readonly into: number;
}

export const mergedOrganizers: Collection<MergedOrganizerDocument> = {
  name: 'mergedOrganizers',
  indexes: { byTarget: ['into'] },
};

/** Never the id of an event: ids contain no asterisk. */
export const ANY_EVENT = '*';

export const contestId = (spaceId: string, competitionId: string): string => `${spaceId}/${competitionId}`;
export const listName = (spaceId: string, eventId: string): string => `${spaceId}/${eventId}`;
export const listingId = (contest: string, eventId: string): string => `${contest}/${eventId}`;

export const sameListing = (a: ContestListing, b: ContestListing): boolean =>
  a.newness === b.newness && a.regionCode === b.regionCode;

export const isPublic = ({ state }: ContestDocument): boolean => state !== 'draft' && state !== 'deleted';

/** The listings of a contest; a draft or deleted one has none. */
export const listingsOf = (contest: ContestDocument): readonly ContestListing[] => {
  if (!isPublic(contest)) return [];
  const { spaceId, competitionId, newness, regionCode, continent } = contest;
  const eventIds = new Set([ANY_EVENT, ...contest.rounds.map(({ eventId }) => eventId)]);
  return [...eventIds].map((eventId) => ({
    id: listingId(contest.id, eventId),
    list: listName(spaceId, eventId),
    newness,
    competitionId,
    regionCode,
    continent,
  }));
};
