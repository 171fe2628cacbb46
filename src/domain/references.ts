/** How events, contests, rounds and competitors are named everywhere: in commands, queries, streams and tags. */
import type { RoundRef } from './attempts.js';

export interface EventRef {
  readonly spaceId: string;
  readonly eventId: string;
}

/** An event's id among those of all spaces. */
export const eventKey = ({ spaceId, eventId }: EventRef): string => `${spaceId}/${eventId}`;

export interface ContestRef {
  readonly spaceId: string;
  readonly competitionId: string;
}

/** A round anywhere: its contest and its place in it. */
export interface RoundKey extends ContestRef, RoundRef {}

/** The contest as one text, such as the id of a document. */
export const contestKey = ({ spaceId, competitionId }: ContestRef): string => `${spaceId}/${competitionId}`;

/** The round as one text. */
export const roundId = (round: RoundKey): string =>
  `${contestKey(round)}/${round.eventId}/${round.roundNumber}`;

export const roundAfter = (round: RoundKey): RoundKey => ({ ...round, roundNumber: round.roundNumber + 1 });

/** Null for the first round. */
export const roundBefore = (round: RoundKey): RoundKey | null =>
  round.roundNumber === 1 ? null : { ...round, roundNumber: round.roundNumber - 1 };

/** A competitor, one person or a team, as one text: the persons in their order. */
export const competitorKey = (personIds: readonly number[]): string => personIds.join(',');

/** Names a team whatever the order of its members. */
export const membersKey = (personIds: readonly number[]): string =>
  competitorKey(personIds.length === 1 ? personIds : personIds.toSorted((a, b) => a - b));

/** How a request names its competitor: database ids, or association ids; in a team's order. */
export type CompetitorSelector =
  | { readonly by: 'personId'; readonly personIds: readonly number[] }
  | { readonly by: 'assocId'; readonly assocIds: readonly string[] };

/** By numbers of the contest. Association ids beside them, when given, have to name the same persons. */
export interface NumberSelector {
  readonly by: 'registrantId';
  readonly registrantIds: readonly number[];
  readonly assocIds: readonly string[] | null;
}

/** How result entry names its competitor: also by the numbers of the contest that the entry is for. */
export type EntrantSelector = CompetitorSelector | NumberSelector;
