/** The content of a generated world, and its possible actions. */
import type { ContestDetails, PlannedRound } from '../../../competition/aggregates/contest/contest.js';
import type { RegionPeriod } from '../../../competition/aggregates/person/person.events.js';
import type { EventDefinition } from '../../../competition/aggregates/space/space.events.js';
import type { RoundRef } from '../../../domain/attempts.js';
import type { WorldPerson } from './people.js';

export interface WorldOptions {
  /** The number of results of the finished world. */
  readonly results: number;
  /** A 32-bit integer: the same seed and number of results give the same world. */
  readonly seed: number;
}

export interface World extends WorldOptions {
  readonly persons: readonly WorldPerson[];
  readonly events: readonly EventDefinition[];
}

/** A round of a contest of the world. */
export interface WorldRound extends RoundRef {
  readonly competitionId: string;
}

/** Persons are named by their index in the world. */
export type WorldAction =
  | { readonly type: 'define-event'; readonly event: EventDefinition }
  | { readonly type: 'register'; readonly person: WorldPerson }
  | { readonly type: 'move'; readonly person: number; readonly from: string; readonly regionCode: string }
  | { readonly type: 'correct-region'; readonly person: number; readonly timeline: readonly RegionPeriod[] }
  | {
      readonly type: 'create-contest';
      readonly competitionId: string;
      readonly details: Omit<ContestDetails, 'organizerIds'>;
      readonly organizers: readonly number[];
      readonly rounds: readonly PlannedRound[];
    }
  | { readonly type: 'announce' | 'finish'; readonly competitionId: string }
  | { readonly type: 'open-round'; readonly round: WorldRound }
  | {
      readonly type: 'enter-attempt';
      readonly round: WorldRound;
      readonly persons: readonly number[];
      readonly attemptNumber: number;
      readonly value: number;
    }
  | {
      readonly type: 'enter-results';
      readonly round: WorldRound;
      readonly rows: readonly { readonly persons: readonly number[]; readonly attempts: readonly number[] }[];
    };
