/**
 * The facts about a score card while it is typed: single and average, what the last attempt can still change, what the
 * competitor needs to lead and to advance, the cutoff, and the time that is left. All numbers come from the arithmetic of
 * the domain, so they agree with what will be saved.
 */
import {
  type Cutoff,
  DNF,
  MAX_MOVES,
  NOT_TAKEN,
  type RoundRules,
  type ValueFormat,
} from '../../../../../src/domain/attempts.js';
import { hasTooManyMoves, timeLimitProblems } from '../../../../../src/domain/entry-rules.js';
import { worstEnough } from '../../../../../src/domain/needs.js';
import {
  attemptsBehindCutoff,
  averageOf,
  compareScores,
  isCutoffMet,
  ranksByAverage,
  type Scored,
  singleOf,
  timeSpentOn,
} from '../../../../../src/domain/scoring.js';
import { averageText, resultText } from '../../../format.js';

/** The rules of the round that apply to a card. */
export interface CardRules extends Pick<RoundRules, 'format' | 'cutoff' | 'timeLimit'> {
  readonly eventId: string;
  readonly valueFormat: ValueFormat;
}

export interface Card {
  readonly rules: CardRules;
  /** One value for each attempt of the format; 0 for a missing one. */
  readonly attempts: readonly number[];
  /** The round's current values. */
  readonly entered: readonly number[];
  /** Centiseconds spent in the other rounds of a cumulative time limit. */
  readonly spentElsewhere: number;
  /** The scores of the leader and of the last competitor who advances; null when there is none. */
  readonly lead: Scored | null;
  readonly advancing: Scored | null;
}

interface Fact {
  readonly label: string;
  readonly text: string;
  readonly tone: 'plain' | 'good' | 'bad';
}

const fact = (label: string, text: string, tone: Fact['tone'] = 'plain'): Fact => ({ label, text, tone });

export const cardFacts = (card: Card): readonly Fact[] => {
  const { attempts, rules } = card;
  if (attempts.every((value) => value === NOT_TAKEN)) return [...cutoffFacts(card), ...timeFacts(card)];
  const single = fact('Single', resultText(singleOf(attempts), rules.valueFormat));
  return [single, ...averageFacts(card), ...neededFacts(card), ...cutoffFacts(card), ...timeFacts(card)];
};

/** Single and average of these attempts by the rules of the card. */
export const scoreOf = ({ rules }: Pick<Card, 'rules'>, attempts: readonly number[]): Scored => ({
  best: singleOf(attempts),
  average: averageOf(attempts, rules),
});

/** Index of the missing attempt; null when none or several are missing. */
const onlyMissing = (attempts: readonly number[]): number | null => {
  const first = attempts.indexOf(NOT_TAKEN);
  return first >= 0 && attempts.lastIndexOf(NOT_TAKEN) === first ? first : null;
};

const BEST_RESULT = 1;

// --- average --------------------------------------------------------------------------------------------------------

const averageFacts = (card: Card): readonly Fact[] => {
  const { attempts, rules } = card;
  if (attempts.length < 3 || rules.valueFormat === 'multi') return [];
  const name = attempts.length === 3 ? 'Mean' : 'Average';
  const text = (value: number): string => averageText(value, rules.valueFormat);
  const average = averageOf(attempts, rules);
  if (average !== 0) return [fact(name, text(average))];
  const missing = onlyMissing(attempts);
  if (missing === null || attempts.length !== 5) return [];
  // The best of five does not count, so any very good value gives the best possible average.
  const best = averageOf(attempts.with(missing, BEST_RESULT), rules);
  const worst = averageOf(attempts.with(missing, DNF), rules);
  if (best === 0) return [];
  return best === DNF
    ? [fact(name, 'DNF in any case', 'bad')]
    : [fact('Best possible', text(best)), fact('Worst possible', text(worst))];
};

// --- needed for the goals -------------------------------------------------------------------------------------------

const neededFacts = (card: Card): readonly Fact[] => {
  const { attempts, rules } = card;
  const missing = ranksByAverage(rules.format) ? onlyMissing(attempts) : attempts.indexOf(NOT_TAKEN);
  if (missing === null || missing < 0 || rules.valueFormat === 'multi') return [];
  if (isBarred(card, missing)) return [];
  const goals: readonly (readonly [string, Scored | null])[] = [
    ['For the lead', card.lead],
    ['To advance', card.advancing],
  ];
  return goals.flatMap(([label, goal]) => {
    const needed = goal === null ? null : neededFor(card, missing, goal);
    if (needed === null) return [];
    if (needed === 'any') return [fact(label, 'already enough', 'good')];
    return [fact(label, `${resultText(needed, rules.valueFormat)} or better`)];
  });
};

const isBarred = ({ attempts, rules: { cutoff } }: Card, index: number): boolean =>
  cutoff !== null && index >= cutoff.numberOfAttempts && !isCutoffMet(attempts, cutoff);

/** The worst value of this attempt that reaches the goal. `any`: even a DNF does; null: no value does. */
const neededFor = (card: Card, index: number, goal: Scored): number | 'any' | null => {
  const reaches = (value: number): boolean =>
    compareScores(card.rules.format, scoreOf(card, card.attempts.with(index, value)), goal) <= 0;
  if (reaches(DNF)) return 'any';
  if (!reaches(BEST_RESULT)) return null;
  return worstEnough(reaches, { best: BEST_RESULT, tooMuch: worstWorthTrying(card, goal) });
};

/** Worse than any value that reaches the goal: a counting attempt is at most the sum of all attempts of the average. */
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
  if (left > 0) return [fact('Time left', `${resultText(left, 'time')} of ${limit}`)];
  const over = left === 0 ? `${limit} reached` : `${resultText(-left, 'time')} over ${limit}`;
  return [fact('Time left', `none: ${over}`, 'bad')];
};

// --- refusals -------------------------------------------------------------------------------------------------------

/** How many attempts the competitor may take: up to the cutoff until it is met. */
export const allowedAttempts = (attempts: readonly number[], cutoff: Cutoff | null): number =>
  cutoff === null || isCutoffMet(attempts, cutoff) ? attempts.length : cutoff.numberOfAttempts;

/** Why the round will refuse an attempt, as a sentence; null when it will accept the attempt. */
export const refusalReason = ({ attempts, entered, rules }: Card, index: number): string | null => {
  const value = attempts[index] ?? NOT_TAKEN;
  if (value !== entered[index] && hasTooManyMoves(value, rules))
    return `A solution has at most ${MAX_MOVES} moves.`;
  const { cutoff } = rules;
  return !isCutoffMet(attempts, cutoff) && attemptsBehindCutoff(attempts, cutoff).includes(index + 1)
    ? 'The cutoff was not met: clear this attempt.'
    : null;
};

/** Why this attempt will be a DNF, as a question that Enter answers; null while its time stays below the limit. */
export const limitQuestion = (card: Card, index: number): string | null => {
  const { attempts, entered, rules, spentElsewhere } = card;
  const { timeLimit } = rules;
  const reaching = timeLimitProblems(
    attempts,
    { rules, valueFormat: rules.valueFormat },
    {
      field: String,
      elsewhere: spentElsewhere,
      isEntered: (each) => attempts[each] !== (entered[each] ?? NOT_TAKEN),
    },
  );
  if (timeLimit === null || !reaching.some(({ field }) => field === String(index))) return null;
  const together = timeLimit.cumulativeRounds.length === 0 ? '' : ' for all attempts together';
  return `Reaches the limit of ${resultText(timeLimit.centiseconds, 'time')}${together}: DNF? Press Enter.`;
};
