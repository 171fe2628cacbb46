/**
 * The events of one round: the consistency boundary of result entry. A round that was opened carries the rules it
 * decides by, so no entry depends on reading the contest.
 */

import type { RoundRules, ValueFormat } from '../../../domain/attempts.js';
import type { EventKinds } from '../../../domain/decider.js';
import type { RoundKey } from '../../../domain/references.js';
import type { StreamCategory } from '../../../foundation/event-store/streams.js';

export const roundStream: StreamCategory<RoundKey> = {
  name: 'round',
  partsOf: ({ spaceId, competitionId, eventId, roundNumber }) => [
    spaceId,
    competitionId,
    eventId,
    roundNumber,
  ],
  idOf: ([spaceId = '', competitionId = '', eventId = '', roundNumber]) => ({
    spaceId,
    competitionId,
    eventId,
    roundNumber: Number(roundNumber),
  }),
};

/** An `Idempotency-Key` as it was used: a hash of API key and header, and a hash of the body it came with. */
export interface EntryRequest {
  readonly key: string;
  readonly fingerprint: string;
}

/** A result's identity inside its round. A team's order is significant and kept. */
export interface ResultRef {
  readonly resultId: string;
  readonly personIds: readonly number[];
}

interface Requested {
  readonly request?: EntryRequest;
}

/** The number, among those of its result, of the change that this one takes back. */
interface Undoing {
  readonly undoes?: number;
}

export type RoundEvent =
  | {
      readonly type: 'RoundOpened';
      readonly data: {
        readonly rules: RoundRules;
        readonly valueFormat: ValueFormat;
        /** Team size of the event. */
        readonly participants: number;
      };
    }
  | { readonly type: 'RoundRulesChanged'; readonly data: { readonly rules: RoundRules } }
  | { readonly type: 'RoundClosed'; readonly data: Record<string, never> }
  | { readonly type: 'RoundReopened'; readonly data: Record<string, never> }
  | {
      readonly type: 'AttemptEntered';
      readonly data: ResultRef & Requested & { readonly attemptNumber: number; readonly value: number };
    }
  | {
      readonly type: 'AttemptCorrected';
      readonly data: ResultRef &
        Requested & { readonly attemptNumber: number; readonly value: number; readonly previous: number };
    }
  | {
      readonly type: 'AttemptCleared';
      readonly data: ResultRef & Requested & { readonly attemptNumber: number; readonly previous: number };
    }
  /** `attempts` has one value for each attempt of the format; not all are 0. */
  | {
      readonly type: 'ResultReplaced';
      readonly data: ResultRef & Requested & Undoing & { readonly attempts: readonly number[] };
    }
  | { readonly type: 'ResultRemoved'; readonly data: ResultRef & Requested & Undoing }
  /** Its attempts were typed a second time and were the same; so it is until the result changes. */
  | { readonly type: 'ResultChecked'; readonly data: ResultRef }
  /** A request that changed nothing but brought an Idempotency-Key: remembered, so that a late repeat stays harmless. */
  | { readonly type: 'EntryRepeated'; readonly data: { readonly request: EntryRequest } }
  /** In every result of this round, `from` is `into` from now on; result ids stay. */
  | { readonly type: 'CompetitorMerged'; readonly data: { readonly from: number; readonly into: number } };

export const roundEvents: EventKinds<RoundEvent> = {
  RoundOpened: 'control',
  RoundRulesChanged: 'control',
  RoundClosed: 'control',
  RoundReopened: 'control',
  CompetitorMerged: 'control',
  AttemptEntered: 'data',
  AttemptCorrected: 'data',
  AttemptCleared: 'data',
  ResultReplaced: 'data',
  ResultRemoved: 'data',
  ResultChecked: 'data',
  EntryRepeated: 'data',
};
