/**
 * The stream, events, state and fold of a contest. The stream holds its details, planned rounds, competitors (competitor-list.ts),
 * parts of files that Podium only keeps, and API key ids. Each round has a stream of its own. The decisions are in
 * contest.decider.ts.
 */

import { Map as ImmutableMap, OrderedMap, OrderedSet } from 'immutable';
import { type ContestType, type RoundRef, type RoundRules, roundCode } from '../../../domain/attempts.js';
import type { EventKinds } from '../../../domain/decider.js';
import type { ContestRef } from '../../../domain/references.js';
import type { StreamCategory } from '../../../domain/streams.js';
import {
  type CompetitorList,
  type CompetitorListEvent,
  evolveList,
  isListEvent,
} from '../competitor-list/competitor-list.js';

export const contestStream: StreamCategory<ContestRef> = {
  name: 'contest',
  id: { spaceId: 'text', competitionId: 'text' },
};

// --- events ----------------------------------------------------------------------------------------------------------

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

/** The state to which an import brings a contest: announced, ongoing or finished. */
export type ImportGoal = 'announce' | 'open' | 'finish';

export type ContestEvent =
  | {
      readonly type: 'ContestCreated';
      readonly data: {
        readonly spaceId: string;
        readonly competitionId: string;
        readonly details: ContestDetails;
        /** An import created the contest. Missing: a moderator did. */
        readonly importing?: ImportGoal;
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
  | CompetitorListEvent
  /** From now on the contest has these parts of a file, instead of those before. */
  | { readonly type: 'OpaquePartsKept'; readonly data: OpaqueParts }
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
  CompetitorsRegistered: 'control',
  CompetitorEventsChanged: 'control',
  CompetitorsCheckedIn: 'control',
  CompetitorsWithdrawn: 'control',
  CompetitorsDropped: 'control',
  OpaquePartsKept: 'control',
  ContestEnding: 'control',
  ContestFinished: 'control',
  ContestDeleted: 'control',
  ContestReopened: 'control',
};

/** Events that change what is known of a contest, or its stage: whether and how pages show it. */
export const SHOWN_CONTEST_EVENTS: readonly ContestEvent['type'][] = [
  'ContestEdited',
  'ContestAnnounced',
  'ContestStarted',
  'ContestFinished',
  'ContestDeleted',
  'ContestReopened',
];

// --- opaque parts ----------------------------------------------------------------------------------------------------

// What a contest has from a file and Podium keeps as it is given: rounds of a format that Podium does not have, such as head to
// head, and how competitors come to a round where Podium has no such rule. They are shown and exported. They have no entry, and
// count in no ranking and no record.

/** `h`: head to head. */
export const OPAQUE_FORMATS = ['h'] as const;
export type OpaqueFormat = (typeof OPAQUE_FORMATS)[number];

/** As the file gives it; null: not given. */
export interface OpaqueResult {
  readonly personIds: readonly number[];
  readonly place: number | null;
  /** In the value format of the event. */
  readonly attempts: readonly number[];
  readonly best: number | null;
  readonly average: number | null;
}

export interface OpaqueRound extends RoundRef {
  readonly format: OpaqueFormat;
  /** YYYY-MM-DD */
  readonly date: string | null;
  /** In the order of the file. */
  readonly results: readonly OpaqueResult[];
}

/** A condition on results of other rounds, in the terms of WCIF 2. */
export interface ResultCondition {
  readonly type: 'ranking' | 'percent' | 'resultAchieved';
  readonly scope: 'single' | 'average';
  /** Null: not decided. */
  readonly value: number | null;
}

/** How competitors come to a round, as WCIF 2 says it, as far as Podium's own rules do not. */
export interface RoundParticipation extends RoundRef {
  /** Codes of the rounds whose results are taken together, such as `333-r1`; null: the round stands alone. */
  readonly linkedRounds: readonly string[] | null;
  /** Null: the competitors come from one round, or from the registrations. */
  readonly source: {
    readonly roundIds: readonly string[];
    readonly resultCondition: ResultCondition | null;
  } | null;
  readonly reservedPlaces: {
    /** ISO 3166-1 alpha-2 */
    readonly nationalities: readonly string[];
    readonly count: number;
  } | null;
}

export interface OpaqueParts {
  readonly rounds: readonly OpaqueRound[];
  readonly participation: readonly RoundParticipation[];
}

const NO_OPAQUE_PARTS: OpaqueParts = { rounds: [], participation: [] };

export const isOpaqueRound = ({ rounds }: OpaqueParts, { eventId, roundNumber }: RoundRef): boolean =>
  rounds.some((round) => round.eventId === eventId && round.roundNumber === roundNumber);

// --- state -----------------------------------------------------------------------------------------------------------

export type Ending = 'finish' | 'delete';

export interface ContestState extends CompetitorList {
  readonly phase: 'none' | 'draft' | 'announced' | 'ongoing' | 'ending' | 'finished' | 'deleted';
  /** Null: there is no such contest. */
  readonly details: ContestDetails | null;
  /** By round code, such as `333-r1`, in the order of planning. A round is opened with its `rules`. */
  readonly rounds: OrderedMap<string, PlannedRound>;
  readonly opaque: OpaqueParts;
  /** Keys that the next ending has to end. */
  readonly keyIds: OrderedSet<string>;
  /** The kind of ending while the phase is `ending`. */
  readonly ending: Ending | null;
  /**
   * The goal of the import that created the contest, until the contest has reached it. A moderator who issues a key
   * takes the contest over. Null: no import is under way or was interrupted.
   */
  readonly importing: ImportGoal | null;
}

export const initialContest: ContestState = {
  phase: 'none',
  details: null,
  rounds: OrderedMap(),
  competitorNumbers: ImmutableMap(),
  personsByNumber: ImmutableMap(),
  registrations: ImmutableMap(),
  listChanges: 0,
  opaque: NO_OPAQUE_PARTS,
  keyIds: OrderedSet(),
  ending: null,
  importing: null,
};

/** Forgets the keys: they stay ended, so a later ending skips them. */
const ended = (state: ContestState, phase: 'finished' | 'deleted'): ContestState => ({
  ...state,
  phase,
  ending: null,
  importing: null,
  keyIds: OrderedSet(),
});

const reached = ({ importing }: ContestState, goal: ImportGoal): ImportGoal | null =>
  importing === goal ? null : importing;

export const evolve = (state: ContestState, event: ContestEvent): ContestState => {
  if (isListEvent(event)) return evolveList(state, event);
  switch (event.type) {
    case 'ContestCreated':
      return {
        ...state,
        phase: 'draft',
        details: event.data.details,
        importing: event.data.importing ?? null,
      };
    case 'ContestEdited':
      return { ...state, details: event.data.details };
    case 'RoundAdded':
    case 'RoundEdited':
      return { ...state, rounds: state.rounds.set(roundCode(event.data), event.data) };
    case 'RoundRemoved':
      return { ...state, rounds: state.rounds.delete(roundCode(event.data)) };
    case 'ContestAnnounced':
      return { ...state, phase: 'announced', importing: reached(state, 'announce') };
    case 'ContestStarted':
    case 'ContestReopened':
      return { ...state, phase: 'ongoing', importing: reached(state, 'open') };
    case 'OpaquePartsKept':
      return { ...state, opaque: event.data };
    case 'ContestKeyIssued':
      return { ...state, keyIds: state.keyIds.add(event.data.keyId), importing: null };
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
