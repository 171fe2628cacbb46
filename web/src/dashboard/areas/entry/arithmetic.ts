/**
 * What a score card says so far, as it is typed: single and average, what the last attempt can still make of them, what is
 * needed for the lead and for going on, the cutoff, and the time that is left. Every number comes from the arithmetic of
 * the domain, so the line cannot disagree with what will be saved.
 */
import {
  type Cutoff,
  DNF,
  NOT_TAKEN,
  type RoundRules,
  type ValueFormat,
} from '../../../../../src/domain/attempts.js';
import {
  attemptsBehindCutoff,
  averageOf,
  compareScores,
  isCutoffMet,
  padded,
  ranksByAverage,
  type Scored,
  singleOf,
  timeSpent,
  timeSpentOn,
} from '../../../../../src/domain/scoring.js';
import { averageText, resultText } from '../../../format.js';

/** The rules that a card is counted by. */
export interface CardRules extends Pick<RoundRules, 'format' | 'cutoff' | 'timeLimit'> {
  readonly valueFormat: ValueFormat;
}

export interface Card {
  readonly rules: CardRules;
  /** One value for each attempt of the format, 0 where none is in. */
  readonly attempts: readonly number[];
  /** Centiseconds spent in the other rounds of a cumulative time limit. */
  readonly spentElsewhere: number;
  /** Scores to be reached: that of the leader, and of the last who goes on; null where there is none. */
  readonly lead: Scored | null;
  readonly advancing: Scored | null;
}

export interface Fact {
  readonly label: string;
  readonly text: string;
  readonly tone: 'plain' | 'good' | 'bad';
}

const fact = (label: string, text: string, tone: Fact['tone'] = 'plain'): Fact => ({ label, text, tone });

export const factsOf = (card: Card): readonly Fact[] => {
  const { attempts, rules } = card;
  if (attempts.every((value) => value === NOT_TAKEN)) return [...cutoffFacts(card), ...timeFacts(card)];
  const single = fact('Single', resultText(singleOf(attempts), rules.valueFormat));
  return [single, ...averageFacts(card), ...neededFacts(card), ...cutoffFacts(card), ...timeFacts(card)];
};

const scoreOf = ({ rules }: Card, attempts: readonly number[]): Scored => ({
  best: singleOf(attempts),
  average: averageOf(attempts, rules),
});

/** Index of the one attempt that is missing; null when it is not one. */
const theMissing = (attempts: readonly number[]): number | null => {
  const first = attempts.indexOf(NOT_TAKEN);
  return first >= 0 && attempts.lastIndexOf(NOT_TAKEN) === first ? first : null;
};

const BEST_THERE_CAN_BE = 1;

// --- average --------------------------------------------------------------------------------------------------------

const averageFacts = (card: Card): readonly Fact[] => {
  const { attempts, rules } = card;
  if (attempts.length < 3 || rules.valueFormat === 'multi') return [];
  const name = attempts.length === 3 ? 'Mean' : 'Average';
  const text = (value: number): string => averageText(value, rules.valueFormat);
  const average = averageOf(attempts, rules);
  if (average !== 0) return [fact(name, text(average))];
  const missing = theMissing(attempts);
  if (missing === null || attempts.length !== 5) return [];
  // Of five the best does not count, so what is possible does not depend on a wild guess.
  const best = averageOf(attempts.with(missing, BEST_THERE_CAN_BE), rules);
  const worst = averageOf(attempts.with(missing, DNF), rules);
  if (best === 0) return [];
  return best === DNF
    ? [fact(name, 'DNF, whatever comes', 'bad')]
    : [fact('Best possible', text(best)), fact('Worst possible', text(worst))];
};

// --- what is needed -------------------------------------------------------------------------------------------------

const neededFacts = (card: Card): readonly Fact[] => {
  const { attempts, rules } = card;
  const missing = ranksByAverage(rules.format) ? theMissing(attempts) : attempts.indexOf(NOT_TAKEN);
  if (missing === null || missing < 0 || rules.valueFormat === 'multi') return [];
  if (attemptIsBarred(card, missing)) return [];
  const goals: readonly (readonly [string, Scored | null])[] = [
    ['For the lead', card.lead],
    ['To go on', card.advancing],
  ];
  return goals.flatMap(([label, goal]) => {
    const needed = goal === null ? null : neededFor(card, missing, goal);
    if (needed === null) return [];
    if (needed === 'any') return [fact(label, 'enough already', 'good')];
    return [fact(label, `${resultText(needed, rules.valueFormat)} or better`)];
  });
};

const attemptIsBarred = ({ attempts, rules: { cutoff } }: Card, index: number): boolean =>
  cutoff !== null && index >= cutoff.numberOfAttempts && !isCutoffMet(attempts, cutoff);

/** The worst value of this attempt that reaches the goal; `any`: even none does; null: none does. */
const neededFor = (card: Card, index: number, goal: Scored): number | 'any' | null => {
  const reaches = (value: number): boolean =>
    compareScores(card.rules.format, scoreOf(card, card.attempts.with(index, value)), goal) <= 0;
  if (reaches(DNF)) return 'any';
  if (!reaches(BEST_THERE_CAN_BE)) return null;
  // A worse value never makes a better score, so the worst that does is found by halving.
  let [enough, tooMuch] = [BEST_THERE_CAN_BE, worstWorthTrying(card, goal)];
  while (tooMuch - enough > 1) {
    const middle = Math.floor((enough + tooMuch) / 2);
    if (reaches(middle)) enough = middle;
    else tooMuch = middle;
  }
  return enough;
};

/** Beyond any value that could reach the goal: what counts is at most the sum of a whole average. */
const worstWorthTrying = ({ attempts }: Card, { best, average }: Scored): number =>
  Math.max(best, average, ...attempts) * attempts.length + 100;

// --- cutoff and time ------------------------------------------------------------------------------------------------

const cutoffFacts = ({ attempts, rules }: Card): readonly Fact[] => {
  const { cutoff, valueFormat } = rules;
  if (cutoff === null) return [];
  const value = resultText(cutoff.attemptResult, valueFormat);
  if (isCutoffMet(attempts, cutoff)) return [fact('Cutoff', 'met', 'good')];
  const left = attempts.slice(0, cutoff.numberOfAttempts).filter((each) => each === NOT_TAKEN).length;
  if (left === 0) return [fact('Cutoff', `under ${value} not met: no more attempts`, 'bad')];
  return [fact('Cutoff', `under ${value} in ${left === 1 ? 'one attempt' : `${left} attempts`}`)];
};

const timeFacts = ({ attempts, rules, spentElsewhere }: Card): readonly Fact[] => {
  const { timeLimit, valueFormat } = rules;
  if (timeLimit === null || valueFormat !== 'time') return [];
  const limit = resultText(timeLimit.centiseconds, 'time');
  if (timeLimit.cumulativeRounds.length === 0) return [];
  const left = timeLimit.centiseconds - spentElsewhere - timeSpentOn(attempts);
  return left >= 0
    ? [fact('Time left', `${left === 0 ? '0.00' : resultText(left, 'time')} of ${limit}`)]
    : [fact('Time left', `none: ${resultText(-left, 'time')} over ${limit}`, 'bad')];
};

// --- what will be refused -------------------------------------------------------------------------------------------

/** Whether attempts behind the cutoff cannot be taken. */
export const barredFrom = (attempts: readonly number[], cutoff: Cutoff | null): number =>
  cutoff === null || isCutoffMet(attempts, cutoff) ? attempts.length : cutoff.numberOfAttempts;

/** Why the round will not take an attempt, as a sentence; null where it will. */
export const refusalOf = ({ attempts, rules, spentElsewhere }: Card, index: number): string | null => {
  const { cutoff, timeLimit, valueFormat } = rules;
  const value = attempts[index] ?? NOT_TAKEN;
  if (!isCutoffMet(attempts, cutoff) && attemptsBehindCutoff(attempts, cutoff).includes(index + 1))
    return 'The cutoff is not met: clear this attempt.';
  if (timeLimit === null || valueFormat !== 'time' || timeSpent(value) === 0) return null;
  const limit = resultText(timeLimit.centiseconds, 'time');
  const spent =
    timeLimit.cumulativeRounds.length === 0
      ? value
      : spentElsewhere + timeSpentOn(attempts.slice(0, index + 1));
  if (spent <= timeLimit.centiseconds) return null;
  return timeLimit.cumulativeRounds.length === 0
    ? `Over the time limit of ${limit}: type d for DNF.`
    : `With this the time limit of ${limit} for all attempts together is passed: type d for DNF.`;
};

/** Those of a format's attempts that are in. */
export const cardAttempts = (attempts: readonly number[], rules: CardRules): readonly number[] =>
  padded(attempts, rules.format);
