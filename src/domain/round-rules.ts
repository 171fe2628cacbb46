/**
 * The rules of a planned round. They are checked for every way of planning it: only time events have a time limit, a
 * cutoff must leave attempts after it, at most 75 percent of a round advance.
 */
import { MAX_ADVANCEMENT_PERCENT } from './advancement.js';
import {
  type Advancement,
  type Cutoff,
  ROUND_FORMATS,
  type RoundRef,
  type RoundRules,
  roundCode,
  type TimeLimit,
  type ValueFormat,
} from './attempts.js';
import { isDate, parseRoundCode } from './ids.js';
import type { RoundKey } from './references.js';
import type { FieldError } from './rejections.js';
import { attemptsOf, valueProblem } from './scoring.js';

type Problem = readonly [field: string, rule: string, message: string] | null;

const timeLimitProblem = (limit: TimeLimit | null, valueFormat: ValueFormat): Problem => {
  if (limit === null) return null;
  if (valueFormat !== 'time') return ['timeLimit', 'time-event', 'only time events have a time limit'];
  if (!Number.isInteger(limit.centiseconds) || limit.centiseconds < 1)
    return ['timeLimit.centiseconds', 'positive', 'must be a positive integer of centiseconds'];
  const wrong = limit.cumulativeRounds.find((code) => parseRoundCode(code) === null);
  return wrong === undefined
    ? null
    : ['timeLimit.cumulativeRounds', 'round-code', `${wrong} names no round (as in 333-r1)`];
};

const cutoffProblem = (cutoff: Cutoff | null, attempts: number, valueFormat: ValueFormat): Problem => {
  if (cutoff === null) return null;
  const { numberOfAttempts, attemptResult } = cutoff;
  if (!Number.isInteger(numberOfAttempts) || numberOfAttempts < 1 || numberOfAttempts >= attempts)
    return [
      'cutoff.numberOfAttempts',
      'within-format',
      attempts === 1
        ? 'a round of one attempt has no cutoff'
        : `must be from 1 to ${attempts - 1} in this format`,
    ];
  if (attemptResult <= 0 || valueProblem(attemptResult, valueFormat) !== null)
    return ['cutoff.attemptResult', 'value', 'must be a valid positive value'];
  return null;
};

const advancementProblem = (advancement: Advancement | null, valueFormat: ValueFormat): Problem => {
  if (advancement === null) return null;
  const { type, value } = advancement;
  if (!Number.isInteger(value) || value < 1)
    return ['advancement.value', 'positive', 'must be a positive integer'];
  if (type === 'value' && valueProblem(value, valueFormat) !== null)
    return ['advancement.value', 'value', 'must be a valid positive value'];
  if (type === 'percent' && value > MAX_ADVANCEMENT_PERCENT)
    return [
      'advancement.value',
      'at-most-75-percent',
      `at most ${MAX_ADVANCEMENT_PERCENT} percent of a round may advance`,
    ];
  return null;
};

/** Returns the problems of the rules for an event with this value format; empty when there are none. */
export const roundRulesProblems = (rules: RoundRules, valueFormat: ValueFormat): readonly FieldError[] => {
  if (!ROUND_FORMATS.includes(rules.format))
    return [{ field: 'format', rule: 'one-of', message: `must be one of ${ROUND_FORMATS.join(', ')}` }];
  const problems: readonly Problem[] = [
    rules.date === null || isDate(rules.date) ? null : ['date', 'date', 'must be a date, YYYY-MM-DD'],
    timeLimitProblem(rules.timeLimit, valueFormat),
    cutoffProblem(rules.cutoff, attemptsOf(rules.format), valueFormat),
    advancementProblem(rules.advancement, valueFormat),
  ];
  return problems.flatMap((problem) =>
    problem === null ? [] : [{ field: problem[0], rule: problem[1], message: problem[2] }],
  );
};

/** The other rounds whose times count against this round's limit. */
export const otherRounds = (
  round: RoundKey,
  { timeLimit }: Pick<RoundRules, 'timeLimit'>,
): readonly RoundKey[] => {
  if (timeLimit === null) return [];
  const own = roundCode(round);
  const refs: (RoundRef | null)[] = timeLimit.cumulativeRounds
    .filter((code) => code !== own)
    .map((code) => parseRoundCode(code));
  return refs.flatMap((ref) => (ref === null ? [] : [{ ...round, ...ref }]));
};
