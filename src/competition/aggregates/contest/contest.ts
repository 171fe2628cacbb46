/**
 * The stream, events, state and fold of a contest. The stream holds its details, planned rounds, competitor numbers
 * and API key ids. Each round has a stream of its own. The decisions are in contest.decider.ts.
 */

import { Map as ImmutableMap, OrderedMap, OrderedSet } from 'immutable';
import { type ContestType, type RoundRules, roundCode } from '../../../domain/attempts.js';
import type { EventKinds } from '../../../domain/decider.js';
import type { ContestRef } from '../../../domain/references.js';
import type { StreamCategory } from '../../../domain/streams.js';

export const contestStream: StreamCategory<ContestRef> = {
  name: 'contest',
  id: { spaceId: 'text', competitionId: 'text' },
};

export interface ContestDetails {
  readonly name: string;
  readonly shortName: string;
  readonly type: ContestType;
  readonly city: string | null;
  /** ISO 3166-1 alpha-2; null: the contest has no country. */
  readonly regionCode: string | null;
  readonly venue: string | null;
  /** YYYY-MM-DD */
  readonly startDate: string;
  readonly endDate: string;
  /** Person ids. Names are personal data, which events never contain. */
  readonly organizerIds: readonly number[];
}

export interface PlannedRound {
  readonly eventId: string;
  readonly roundNumber: number;
  readonly rules: RoundRules;
}

export interface NumberedCompetitor {
  readonly personId: number;
  /** From 1, unique in the contest, never reused for another person. */
  readonly number: number;
}

export type ContestEvent =
  | {
      readonly type: 'ContestCreated';
      readonly data: {
        readonly spaceId: string;
        readonly competitionId: string;
        readonly details: ContestDetails;
      };
    }
  | { readonly type: 'ContestEdited'; readonly data: { readonly details: ContestDetails } }
  | { readonly type: 'RoundAdded'; readonly data: PlannedRound }
  | { readonly type: 'RoundEdited'; readonly data: PlannedRound }
  | {
      readonly type: 'RoundRemoved';
      readonly data: { readonly eventId: string; readonly roundNumber: number };
    }
  | { readonly type: 'ContestAnnounced'; readonly data: Record<string, never> }
  /** The first round was opened: the contest is ongoing. */
  | { readonly type: 'ContestStarted'; readonly data: Record<string, never> }
  | { readonly type: 'ContestKeyIssued'; readonly data: { readonly keyId: string } }
  /** From now on these persons have a number in this contest. */
  | {
      readonly type: 'CompetitorsNumbered';
      readonly data: { readonly competitors: readonly NumberedCompetitor[] };
    }
  /** Entry is refused from now on. Rounds and keys are then closed one by one, until the ending is recorded. */
  | { readonly type: 'ContestEnding'; readonly data: { readonly ending: 'finish' | 'delete' } }
  | { readonly type: 'ContestFinished'; readonly data: Record<string, never> }
  | { readonly type: 'ContestDeleted'; readonly data: Record<string, never> }
  | { readonly type: 'ContestReopened'; readonly data: Record<string, never> };

export const contestEvents: EventKinds<ContestEvent> = {
  ContestCreated: 'control',
  ContestEdited: 'control',
  RoundAdded: 'control',
  RoundEdited: 'control',
  RoundRemoved: 'control',
  ContestAnnounced: 'control',
  ContestStarted: 'control',
  ContestKeyIssued: 'control',
  CompetitorsNumbered: 'control',
  ContestEnding: 'control',
  ContestFinished: 'control',
  ContestDeleted: 'control',
  ContestReopened: 'control',
};

export type Ending = 'finish' | 'delete';

export interface ContestState {
  readonly phase: 'none' | 'draft' | 'announced' | 'ongoing' | 'ending' | 'finished' | 'deleted';
  /** Null: there is no such contest. */
  readonly details: ContestDetails | null;
  /** By round code, such as `333-r1`, in the order of planning. A round is opened with its `rules`. */
  readonly rounds: OrderedMap<string, PlannedRound>;
  /** By person id as numbered. Persons who were merged later keep their entry. */
  readonly competitorNumbers: ImmutableMap<number, number>;
  /** Keys that the next ending has to end. */
  readonly keyIds: OrderedSet<string>;
  /** The kind of ending while the phase is `ending`. */
  readonly ending: Ending | null;
}

export const initialContest: ContestState = {
  phase: 'none',
  details: null,
  rounds: OrderedMap(),
  competitorNumbers: ImmutableMap(),
  keyIds: OrderedSet(),
  ending: null,
};

/** Forgets the keys: they stay ended, so a later ending skips them. */
const ended = (state: ContestState, phase: 'finished' | 'deleted'): ContestState => ({
  ...state,
  phase,
  ending: null,
  keyIds: OrderedSet(),
});

export const evolve = (state: ContestState, event: ContestEvent): ContestState => {
  switch (event.type) {
    case 'ContestCreated':
      return { ...state, phase: 'draft', details: event.data.details };
    case 'ContestEdited':
      return { ...state, details: event.data.details };
    case 'RoundAdded':
    case 'RoundEdited':
      return { ...state, rounds: state.rounds.set(roundCode(event.data), event.data) };
    case 'RoundRemoved':
      return { ...state, rounds: state.rounds.delete(roundCode(event.data)) };
    case 'ContestAnnounced':
      return { ...state, phase: 'announced' };
    case 'ContestStarted':
    case 'ContestReopened':
      return { ...state, phase: 'ongoing' };
    case 'ContestKeyIssued':
      return { ...state, keyIds: state.keyIds.add(event.data.keyId) };
    case 'CompetitorsNumbered': {
      const { competitors } = event.data;
      const given = competitors.map(({ personId, number }): [number, number] => [personId, number]);
      return { ...state, competitorNumbers: state.competitorNumbers.concat(given) };
    }
    case 'ContestEnding':
      return { ...state, phase: 'ending', ending: event.data.ending };
    case 'ContestFinished':
      return ended(state, 'finished');
    case 'ContestDeleted':
      return ended(state, 'deleted');
    default:
      event satisfies never;
      return state;
  }
};
