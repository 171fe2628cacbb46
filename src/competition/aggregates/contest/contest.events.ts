/**
 * The events of a contest's life. The contest's stream holds its details, the plan of its rounds and the ids of the
 * API keys issued for it; what happens inside a round is in the round's own stream.
 */

import type { ContestType, RoundRules } from '../../../domain/attempts.js';
import type { EventKinds } from '../../../domain/decider.js';
import type { ContestRef } from '../../../domain/references.js';
import type { StreamCategory } from '../../../foundation/event-store/streams.js';

export const contestStream: StreamCategory<ContestRef> = {
  name: 'contest',
  partsOf: ({ spaceId, competitionId }) => [spaceId, competitionId],
  idOf: ([spaceId = '', competitionId = '']) => ({ spaceId, competitionId }),
};

export interface ContestDetails {
  readonly name: string;
  readonly shortName: string;
  readonly type: ContestType;
  readonly city: string | null;
  /** ISO 3166-1 alpha-2, null when the contest names no country. */
  readonly regionCode: string | null;
  readonly venue: string | null;
  /** YYYY-MM-DD */
  readonly startDate: string;
  readonly endDate: string;
  /** Person ids: names are personal data and stay out of events. */
  readonly organizerIds: readonly number[];
}

export interface PlannedRound {
  readonly eventId: string;
  readonly roundNumber: number;
  readonly rules: RoundRules;
}

export interface NumberedCompetitor {
  readonly personId: number;
  /** From 1 on, unique in the contest and never given to somebody else. */
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
  /** From now on these persons can be called by a number in this contest. */
  | {
      readonly type: 'CompetitorsNumbered';
      readonly data: { readonly competitors: readonly NumberedCompetitor[] };
    }
  /** From here on entry is refused; the rounds and keys are closed one by one until the ending is recorded. */
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
