/**
 * Checks the attempts of one result against the rules of its round: team, values, cutoff, time limit. Each
 * check returns the wrong fields. Entering one attempt, entering results and changing the rules of a round all
 * use these checks.
 */
import { type Cutoff, NOT_TAKEN, type RoundRules, type TimeLimit, type ValueFormat } from './attempts.js';
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

export const valueProblems = (
  values: readonly number[],
  format: ValueFormat,
  field: AttemptField,
): readonly Problem[] =>
  values.flatMap((value, index) => {
    const message = valueProblem(value, format);
    return message === null ? [] : [{ field: field(index), rule: 'attempt-value', message }];
  });

const below = (cutoff: Cutoff): string =>
  `the cutoff (below ${cutoff.attemptResult} in the first ${cutoff.numberOfAttempts}) is not met`;

/**
 * While the cutoff is not met, no attempt may follow it, even when earlier ones are missing. `attemptNumber` is
 * the attempt being entered. A correction that would fail the cutoff names the later attempts.
 */
export const cutoffProblems = (
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

/** The index of the attempt at which the running total passes the limit. */
const crossingIndex = (attempts: readonly number[], elsewhere: number, limit: number): number => {
  let total = elsewhere;
  return attempts.findIndex((value) => {
    total += timeSpent(value);
    return timeSpent(value) > 0 && total > limit;
  });
};

const overTotal = (
  attempts: readonly number[],
  limit: TimeLimit,
  { field, elsewhere, attemptNumber }: TimeLimitScope,
): readonly Problem[] => {
  const total = elsewhere + timeSpentOn(attempts);
  if (total <= limit.centiseconds) return [];
  const index =
    attemptNumber === undefined ? crossingIndex(attempts, elsewhere, limit.centiseconds) : attemptNumber - 1;
  if (timeSpent(attempts[index] ?? NOT_TAKEN) === 0) return [];
  const message = `${total} centiseconds in all are over the cumulative limit of ${limit.centiseconds}: send -1 (DNF)`;
  return [{ field: field(index), rule: 'time-limit-exceeded', message }];
};

interface TimeLimitScope {
  readonly field: AttemptField;
  /** Centiseconds spent in the other rounds of a cumulative limit. */
  readonly elsewhere: number;
  /** The attempt being entered; without it, all are checked. */
  readonly attemptNumber?: number;
}

/**
 * No entered time may be over the limit; a time equal to the limit is allowed. DNFs and unknown times are
 * exempt. A cumulative limit counts the sum with the other rounds.
 */
export const timeLimitProblems = (
  attempts: readonly number[],
  { rules: { timeLimit }, valueFormat }: Timed,
  scope: TimeLimitScope,
): readonly Problem[] => {
  if (timeLimit === null || valueFormat !== 'time') return [];
  if (timeLimit.cumulativeRounds.length > 0) return overTotal(attempts, timeLimit, scope);
  const { field, attemptNumber } = scope;
  return attempts.flatMap((value, index) => {
    const isChecked = attemptNumber === undefined || index === attemptNumber - 1;
    if (!isChecked || timeSpent(value) <= timeLimit.centiseconds) return [];
    const message = `${value} is over the time limit of ${timeLimit.centiseconds} centiseconds: send -1 (DNF)`;
    return [{ field: field(index), rule: 'time-limit-exceeded', message }];
  });
};

interface Entered {
  readonly resultId: string;
  readonly attempts: readonly number[];
}

/** Returns the entered attempts that break these rules, with the part of the rules that each breaks. */
export const rulesConflicts = (
  results: readonly Entered[],
  rules: RoundRules,
  valueFormat: ValueFormat,
): readonly Problem[] =>
  results.flatMap(({ resultId, attempts }) => {
    const conflict = (field: string, message: string): Problem[] => [
      { field, rule: 'rules-conflict', message: `${resultId}: ${message}` },
    ];
    const most = attemptsOf(rules.format);
    if (attempts.some((value, index) => index >= most && value !== NOT_TAKEN))
      return conflict('format', `more than ${most} attempts were entered`);
    const [unmet] = cutoffProblems(attempts, rules.cutoff, { field: () => 'cutoff' });
    if (unmet !== undefined)
      return conflict('cutoff', 'attempts were entered that this cutoff does not allow');
    const [over] = timeLimitProblems(
      attempts,
      { rules, valueFormat },
      { field: () => 'timeLimit', elsewhere: 0 },
    );
    return over === undefined ? [] : conflict('timeLimit', 'a time was entered that is over this limit');
  });
