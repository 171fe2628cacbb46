/**
 * Checks the attempts of one result against the rules of its round: team, values, cutoff, time limit. Each
 * check returns the wrong fields. Entering one attempt, entering results and changing the rules of a round all
 * use these checks.
 */
import {
  type Cutoff,
  FEWEST_MOVES,
  MAX_MOVES,
  NOT_TAKEN,
  type RoundRules,
  type TimeLimit,
  type ValueFormat,
} from './attempts.js';
import type { FieldError, Rejection, RejectionCode } from './rejections.js';
import {
  attemptsBehindCutoff,
  attemptsOf,
  isCutoffMet,
  timeSpent,
  timeSpentOn,
  valueProblem,
} from './scoring.js';

/** A wrong field, with the code of a refusal for this field alone. */
export interface Problem extends FieldError {
  readonly rule: RejectionCode;
}

/** Returns one refusal for all problems with the code of the first, or null when there are none. */
export const refusal = (problems: readonly Problem[]): Rejection | null => {
  const [first, ...others] = problems;
  if (first === undefined) return null;
  const more = others.length === 0 ? '' : ` (and ${others.length} more)`;
  return { code: first.rule, detail: `${first.field}: ${first.message}${more}`, errors: problems };
};

const rowOf = ({ field }: FieldError): number => Number(/^results\[(\d+)\]/.exec(field)?.[1] ?? -1);

/** Returns one refusal of them all, with the code of the first and every wrong field in the order of the rows; null for none. */
export const joinedRefusal = (given: readonly (Rejection | null | undefined)[]): Rejection | null => {
  const refusals = given.filter((each) => each != null);
  const [first] = refusals;
  if (first === undefined || refusals.length === 1) return first ?? null;
  const errors = refusals.flatMap((each) => each.errors ?? []);
  return { ...first, errors: errors.toSorted((a, b) => rowOf(a) - rowOf(b)) };
};

/** Returns the name of the request field that holds the attempt with this index. */
export type AttemptField = (index: number) => string;

export const tooManyAttempts = (field: string, format: RoundRules['format']): Problem => {
  const most = attemptsOf(format);
  const message = `the round has ${most === 1 ? 'one attempt' : `${most} attempts`}`;
  return { field, rule: 'attempt-number-above-format', message };
};

/** A team has as many members as the event has participants, each once. */
export const teamProblems = (
  personIds: readonly number[],
  participants: number,
  field: string,
): readonly Problem[] => {
  if (personIds.length !== participants) {
    const members = participants === 1 ? 'one competitor' : `teams of ${participants}`;
    return [{ field, rule: 'team-size', message: `the event is for ${members}, not ${personIds.length}` }];
  }
  const repeated = personIds.find((id, index) => personIds.indexOf(id) !== index);
  return repeated === undefined
    ? []
    : [{ field, rule: 'competitor-repeated', message: `person ${repeated} is named twice` }];
};

interface Valued {
  readonly eventId: string;
  readonly valueFormat: ValueFormat;
}

/** A solution has at most 80 moves, in the event of fewest moves alone: other events may count anything. */
export const hasTooManyMoves = (value: number, { eventId, valueFormat }: Valued): boolean =>
  eventId === FEWEST_MOVES && valueFormat === 'number' && value > MAX_MOVES;

/** Judges the attempts that `isEntered` names, by their index. */
export const valueProblems = (
  values: readonly number[],
  valued: Valued,
  { field, isEntered }: { readonly field: AttemptField; readonly isEntered: (index: number) => boolean },
): readonly Problem[] =>
  values.flatMap((value, index): readonly Problem[] => {
    if (!isEntered(index)) return [];
    const message = valueProblem(value, valued.valueFormat);
    if (message !== null) return [{ field: field(index), rule: 'attempt-value', message }];
    if (!hasTooManyMoves(value, valued)) return [];
    return [
      { field: field(index), rule: 'too-many-moves', message: `a solution has at most ${MAX_MOVES} moves` },
    ];
  });

const below = (cutoff: Cutoff): string =>
  `the cutoff (below ${cutoff.attemptResult} in the first ${cutoff.numberOfAttempts}) is not met`;

/**
 * While the cutoff is not met, no attempt may follow it, even when earlier ones are missing. `attemptNumber` is
 * the attempt being entered. A correction that would fail the cutoff names the later attempts.
 */
const cutoffProblems = (
  attempts: readonly number[],
  cutoff: Cutoff | null,
  { field, attemptNumber }: { readonly field: AttemptField; readonly attemptNumber?: number },
): readonly Problem[] => {
  const behind = attemptsBehindCutoff(attempts, cutoff);
  if (cutoff === null || behind.length === 0 || isCutoffMet(attempts, cutoff)) return [];
  const rule = 'cutoff-not-met';
  if (attemptNumber === undefined)
    return behind.map((number) => ({
      field: field(number - 1),
      rule,
      message: `${below(cutoff)}: attempt ${number} cannot be entered`,
    }));
  const message =
    attemptNumber > cutoff.numberOfAttempts
      ? `${below(cutoff)}: attempt ${attemptNumber} cannot be entered`
      : `${below(cutoff)} any more with this value, but attempts are entered behind it (${behind.join(', ')}): clear them first`;
  return [{ field: field(attemptNumber - 1), rule, message }];
};

interface Timed {
  readonly rules: Pick<RoundRules, 'timeLimit'>;
  readonly valueFormat: ValueFormat;
}

interface Limited extends Timed {
  readonly rules: RoundRules;
}

interface TimeLimitScope {
  readonly field: AttemptField;
  /** Centiseconds spent in the other rounds of a cumulative limit. */
  readonly elsewhere: number;
  /** Whether the attempt with this index gets its value now. Stored values are not judged again. */
  readonly isEntered: (index: number) => boolean;
}

/**
 * The index of the entered time at which the running total reaches the limit, else of the last entered time; -1 when no
 * time is entered.
 */
const reachingIndex = (
  attempts: readonly number[],
  limit: number,
  { elsewhere, isEntered }: TimeLimitScope,
): number => {
  let total = elsewhere;
  let last = -1;
  for (const [index, value] of attempts.entries()) {
    total += timeSpent(value);
    if (timeSpent(value) === 0 || !isEntered(index)) continue;
    if (total >= limit) return index;
    last = index;
  }
  return last;
};

const cumulativeProblems = (
  attempts: readonly number[],
  { centiseconds }: TimeLimit,
  scope: TimeLimitScope,
): readonly Problem[] => {
  const total = scope.elsewhere + timeSpentOn(attempts);
  if (total < centiseconds) return [];
  const index = reachingIndex(attempts, centiseconds, scope);
  if (index < 0) return [];
  const message = `${total} centiseconds in all reach the cumulative limit of ${centiseconds}: send -1 (DNF)`;
  return [{ field: scope.field(index), rule: 'time-limit-exceeded', message }];
};

/**
 * No entered time may reach the limit: a time equal to it is a DNF. DNFs and unknown times are exempt. A cumulative
 * limit counts the sum with the other rounds.
 */
export const timeLimitProblems = (
  attempts: readonly number[],
  { rules: { timeLimit }, valueFormat }: Timed,
  scope: TimeLimitScope,
): readonly Problem[] => {
  if (timeLimit === null || valueFormat !== 'time') return [];
  if (timeLimit.cumulativeRounds.length > 0) return cumulativeProblems(attempts, timeLimit, scope);
  return attempts.flatMap((value, index) => {
    if (!scope.isEntered(index) || timeSpent(value) < timeLimit.centiseconds) return [];
    const message = `${value} reaches the time limit of ${timeLimit.centiseconds} centiseconds: send -1 (DNF)`;
    return [{ field: scope.field(index), rule: 'time-limit-exceeded', message }];
  });
};

/** What the cutoff and the time limit of the round refuse. `attemptNumber`: the attempt being entered, when it is a single one. */
export const limitProblems = (
  attempts: readonly number[],
  { rules, valueFormat }: Limited,
  scope: TimeLimitScope & { readonly attemptNumber?: number },
): readonly Problem[] => [
  ...cutoffProblems(attempts, rules.cutoff, scope),
  ...timeLimitProblems(attempts, { rules, valueFormat }, scope),
];

/** Returns the results that break these rules, with the part of the rules that each breaks. `nameOf`: whose result it is, for readers. */
export const rulesConflicts = <R extends { readonly attempts: readonly number[] }>(
  results: readonly R[],
  { rules, valueFormat }: Limited,
  nameOf: (result: R) => string,
): readonly Problem[] =>
  results.flatMap((result) => {
    const { attempts } = result;
    const conflict = (field: string, message: string): Problem[] => [
      { field, rule: 'rules-conflict', message: `${nameOf(result)}: ${message}` },
    ];
    const most = attemptsOf(rules.format);
    if (attempts.some((value, index) => index >= most && value !== NOT_TAKEN))
      return conflict('format', 'more attempts were entered than this format has');
    const [unmet] = cutoffProblems(attempts, rules.cutoff, { field: () => 'cutoff' });
    if (unmet !== undefined)
      return conflict('cutoff', 'attempts were entered that this cutoff does not allow');
    const [over] = timeLimitProblems(
      attempts,
      { rules, valueFormat },
      { field: () => 'timeLimit', elsewhere: 0, isEntered: () => true },
    );
    return over === undefined ? [] : conflict('timeLimit', 'a time was entered that reaches this limit');
  });
