/**
 * The vocabulary of results: attempt values, round formats and the rules of a round. An attempt is one integer in
 * every value format, lower is better, and the special values below mean the same everywhere (source: the
 * association's results format, as the facts in docs/domain.md state it).
 */

/** `time`: centiseconds. `number`: the count. `multi`: (9999 - points), 7 digits of centiseconds, 4 of missed. */
export const VALUE_FORMATS = ['time', 'number', 'multi'] as const;
export type ValueFormat = (typeof VALUE_FORMATS)[number];

export const DNF = -1;
export const DNS = -2;
/** Entering this value clears an attempt. */
export const NOT_TAKEN = 0;
/** In a time event: solved, time not known. Exempt from the time limit and slower than any known time. */
export const TIME_NOT_KNOWN = 8_640_000;
export const MAX_VALUE = 999_999_999_999_999;

/** The event of fewest moves, and the most moves of a solution in it. */
export const FEWEST_MOVES = '333fm';
export const MAX_MOVES = 80;

/** `1` `2` `3` `5`: best of n. `m`: mean of 3. `a`: average of 5. */
export const ROUND_FORMATS = ['1', '2', '3', '5', 'm', 'a'] as const;
export type RoundFormat = (typeof ROUND_FORMATS)[number];

export const CONTEST_TYPES = ['competition', 'meetup', 'online'] as const;
export type ContestType = (typeof CONTEST_TYPES)[number];

/** Met by one of the first `numberOfAttempts` attempts strictly below `attemptResult`. */
export interface Cutoff {
  readonly numberOfAttempts: number;
  readonly attemptResult: number;
}

/** `cumulativeRounds` names rounds of the contest as `<eventId>-r<roundNumber>`; empty: the limit is per attempt. */
export interface TimeLimit {
  readonly centiseconds: number;
  readonly cumulativeRounds: readonly string[];
}

export const ADVANCEMENT_TYPES = ['number', 'percent', 'value'] as const;

/**
 * `number`: so many of the first. `percent`: of the round's competitors, at most 75. `value`: all whose result is below it; the result
 * is the average or the single, whichever the format ranks by, in its unit (the mean of a number event is 100 times the count).
 */
export interface Advancement {
  readonly type: (typeof ADVANCEMENT_TYPES)[number];
  readonly value: number;
}

/** What a round asks for. `date` is YYYY-MM-DD, null: the contest's end date counts. */
export interface RoundRules {
  readonly format: RoundFormat;
  readonly date: string | null;
  readonly timeLimit: TimeLimit | null;
  readonly cutoff: Cutoff | null;
  readonly advancement: Advancement | null;
}

/** Names a round inside its contest. */
export interface RoundRef {
  readonly eventId: string;
  readonly roundNumber: number;
}

/** A round's name inside its contest, as WCIF writes it: `333-r1`. */
export const roundCode = ({ eventId, roundNumber }: RoundRef): string => `${eventId}-r${roundNumber}`;
