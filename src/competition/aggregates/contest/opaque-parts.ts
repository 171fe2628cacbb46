/**
 * What a contest has from a file and Podium keeps as it is given: rounds of a format that Podium does not have, such as head to
 * head, and how competitors come to a round where Podium has no such rule. They are shown and exported. They have no entry,
 * and count in no ranking and no record.
 */

import type { RoundRef } from '../../../domain/attempts.js';

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

export const NO_OPAQUE_PARTS: OpaqueParts = { rounds: [], participation: [] };

export const isOpaqueRound = ({ rounds }: OpaqueParts, { eventId, roundNumber }: RoundRef): boolean =>
  rounds.some((round) => round.eventId === eventId && round.roundNumber === roundNumber);
