/**
 * Who advances from a round to the next, and while it is held, for whom that is certain already. A round can shrink: who
 * does not start leaves fewer to advance. So a prospect holds whatever the open attempts and the absent competitors
 * will do. Corrections are not foreseen.
 */
import { DNF, DNS, NOT_TAKEN, type RoundRules, type ValueFormat } from './attempts.js';
import {
  averageOf,
  compareScores,
  encodeMulti,
  isComplete,
  isCutoffMet,
  padded,
  ranksByAverage,
  type Scored,
  singleOf,
  worth,
} from './scoring.js';

/** No more than this percentage of a round may advance. */
export const MAX_ADVANCEMENT_PERCENT = 75;

type Rules = Pick<RoundRules, 'format' | 'cutoff' | 'advancement'>;

/** A result that may advance. */
interface Placed extends Scored {
  readonly attempts: readonly number[];
}

const hasStarted = (attempts: readonly number[]): boolean =>
  attempts.some((value) => value !== NOT_TAKEN && value !== DNS);

const isBelow = (value: number, { best, average }: Scored, { format }: Pick<Rules, 'format'>): boolean =>
  worth(ranksByAverage(format) ? average : best) < value;

/**
 * Returns for each result of a round, in the order given, whether it advances to the next round. A tie for the last place
 * that the rule lets through advances as a whole. No more than 75 percent of those with an attempt advance, rounded
 * down, and a tie across that limit stays out as a whole. A result without a valid value never advances.
 */
export const advancing = (
  results: readonly Placed[],
  places: readonly number[],
  rules: Pick<Rules, 'format' | 'advancement'>,
): readonly boolean[] => {
  const { advancement } = rules;
  if (advancement === null) return results.map(() => false);
  const { type, value } = advancement;
  const last = type === 'number' ? value : Math.floor((results.length * value) / 100);
  const most = mostAdvancing(results);
  const sharing = new Map<number, number>();
  for (const place of places) sharing.set(place, (sharing.get(place) ?? 0) + 1);
  return results.map((result, index) => {
    const place = places[index] ?? Number.POSITIVE_INFINITY;
    const isWanted = type === 'value' ? isBelow(value, result, rules) : place <= last;
    const lastOfTie = place + (sharing.get(place) ?? 1) - 1;
    return result.best > 0 && isWanted && lastOfTie <= most;
  });
};

/** How many of a round may advance. Those who never started do not count. */
export const mostAdvancing = (results: readonly Pick<Placed, 'attempts'>[]): number => {
  const started = results.filter(({ attempts }) => hasStarted(attempts)).length;
  return Math.floor((started * MAX_ADVANCEMENT_PERCENT) / 100);
};

/**
 * Returns who is offered for places that became free: so many of the line, which is best first, a tie for the last of them as a whole.
 * A tie that more than `room` would advance with stays out as a whole.
 */
export const nextInLine = <T extends { readonly place: number }>(
  line: readonly T[],
  { free, room }: { readonly free: number; readonly room: number },
): readonly T[] => {
  if (free <= 0) return [];
  const last = line[Math.min(free, line.length) - 1]?.place ?? 0;
  const offered = line.filter(({ place }) => place <= last);
  return offered.length <= room ? offered : offered.filter(({ place }) => place < last);
};

// --- prospects ------------------------------------------------------------------------------------------------------

/** `certain`: the result is complete, and advances however the round ends. `out`: it does not, however the round ends. */
export const PROSPECTS = ['certain', 'possible', 'out'] as const;
export type Prospect = (typeof PROSPECTS)[number];

export interface RoundUnderWay {
  readonly rules: Rules;
  readonly valueFormat: ValueFormat;
  /** The attempts of each result. */
  readonly results: readonly (readonly number[])[];
  /** Number of competitors who are expected and have no result yet. */
  readonly absent: number;
  /** Whether attempts can still be entered. Once the round is closed, absent competitors do not count. */
  readonly isOpen: boolean;
}

/** How a competitor can end: the best and the worst result, and whether as one who never started. */
interface Ends {
  readonly best: Scored;
  readonly worst: Scored;
  readonly isComplete: boolean;
  readonly canStart: boolean;
  readonly canStayAway: boolean;
  /** Stays without a result, and so makes the round smaller. */
  readonly canVanish: boolean;
}

/**
 * Returns the prospect of each result, in the order given. Null: the round has no rule for advancing. Every condition is linear in how
 * many others end ahead, tied, behind or absent, so each of the others can be taken at its worst, or at its best, alone. The
 * others are counted by binary search: a round is judged anew after each attempt.
 */
export const prospectsOf = (round: RoundUnderWay): readonly Prospect[] | null => {
  if (round.rules.advancement === null) return null;
  const { own, absent } = endsIn(round);
  const field = fieldOf([...own, ...absent], round.rules);
  return own.map((ends) => prospectOf(ends, { field, rules: round.rules, joins: 0 }));
};

/**
 * Returns what the prospect of one result would be with other attempts and nothing else changed, for as many attempts as are
 * asked for. `index`: of the result; null: the competitor comes to the others. Null: the round has no rule for advancing.
 */
export const prospectsInstead = (
  round: RoundUnderWay,
): ((index: number | null) => (attempts: readonly number[]) => Prospect) | null => {
  const { rules } = round;
  if (rules.advancement === null) return null;
  const { own, absent } = endsIn(round);
  const field = fieldOf([...own, ...absent], rules);
  return (index) => {
    const before = index === null ? undefined : own[index];
    const others = before === undefined ? field : fieldWithout(field, before);
    return (attempts) => prospectOf(endsOf(attempts, round), { field: others, rules, joins: 1 });
  };
};

/** How those with a result can end, in their order, and how the others can. */
const endsIn = (
  round: RoundUnderWay,
): { readonly own: readonly Ends[]; readonly absent: readonly Ends[] } => {
  const own = round.results.map((attempts) => endsOf(attempts, round));
  if (!round.isOpen) return { own, absent: [] };
  const ofAbsent = { ...endsOf([], round), canVanish: true };
  return { own, absent: Array.from({ length: round.absent }, () => ofAbsent) };
};

const prospectOf = (own: Ends, among: Among): Prospect => {
  if (own.best.best <= 0 || !advancesAtBest(own, among)) return 'out';
  return own.isComplete && advancesAtWorst(own, among) ? 'certain' : 'possible';
};

/** Among whom a competitor is judged. */
interface Among {
  readonly field: Field;
  readonly rules: Rules;
  /** 1: the field is that of the others, and the competitor comes to it. 0: it has the competitor already. */
  readonly joins: 0 | 1;
}

/** Scores, best first. */
export interface Order {
  readonly scores: readonly Scored[];
  readonly format: Rules['format'];
}

/** All competitors of a round. */
interface Field {
  readonly size: number;
  readonly worst: Order;
  readonly best: Order;
  /** The best scores of those who can vanish, and of those who can stay away. */
  readonly bestOfVanishing: Order;
  readonly bestOfStayingAway: Order;
  readonly vanishing: number;
  readonly stayingAway: number;
}

const fieldOf = (all: readonly Ends[], { format }: Rules): Field => {
  const starting = all.filter(({ canStart }) => canStart);
  const vanishing = all.filter(({ canVanish }) => canVanish);
  const stayingAway = all.filter(({ canStayAway }) => canStayAway);
  const bestOf = (some: readonly Ends[]): Order =>
    orderOf(
      some.flatMap(({ canStart, best }) => (canStart ? [best] : [])),
      format,
    );
  return {
    size: all.length,
    worst: orderOf(
      starting.map(({ worst }) => worst),
      format,
    ),
    best: bestOf(all),
    bestOfVanishing: bestOf(vanishing),
    bestOfStayingAway: bestOf(stayingAway),
    vanishing: vanishing.length,
    stayingAway: stayingAway.length,
  };
};

/** The field without one competitor with a result. Nothing is sorted anew: each result has its turn. */
const fieldWithout = (field: Field, { worst, best, canStart, canStayAway }: Ends): Field => {
  const size = field.size - 1;
  const stayingAway = field.stayingAway - (canStayAway ? 1 : 0);
  if (!canStart) return { ...field, size, stayingAway };
  const without = (order: Order, score: Scored): Order => ({
    ...order,
    scores: order.scores.toSpliced(countOf(order, score, 'ahead'), 1),
  });
  return {
    ...field,
    size,
    stayingAway,
    worst: without(field.worst, worst),
    best: without(field.best, best),
    bestOfStayingAway: canStayAway ? without(field.bestOfStayingAway, best) : field.bestOfStayingAway,
  };
};

export const orderOf = (scores: readonly Scored[], format: Rules['format']): Order => ({
  scores: scores.toSorted((a, b) => compareScores(format, a, b)),
  format,
});

/** How many are ahead of the score, or also tied with it. */
export const countOf = ({ scores, format }: Order, own: Scored, which: 'ahead' | 'ahead or tied'): number => {
  const most = which === 'ahead' ? -1 : 0;
  let from = 0;
  let to = scores.length;
  while (from < to) {
    const middle = Math.floor((from + to) / 2);
    const score = scores[middle];
    if (score !== undefined && compareScores(format, score, own) <= most) from = middle + 1;
    else to = middle;
  }
  return from;
};

/** `entered`: of the whole round, with a result, be it that they never started. */
const isWithinRule = (own: Scored, ahead: number, entered: number, rules: Rules): boolean => {
  const { advancement } = rules;
  if (advancement === null) return false;
  const { type, value } = advancement;
  if (type === 'value') return isBelow(value, own, rules);
  return ahead + 1 <= (type === 'number' ? value : Math.floor((entered * value) / 100));
};

/** `notBehind`: those ahead or tied, with the competitor itself. `started`: of the whole round. */
const isWithinLimit = (notBehind: number, started: number): boolean =>
  notBehind <= Math.floor((started * MAX_ADVANCEMENT_PERCENT) / 100);

/** Whether one way to end lets it advance. Behind is best for it in both conditions, and tied better than ahead. */
const advancesAtBest = ({ best, worst }: Ends, { field, rules, joins }: Among): boolean => {
  const ahead = countOf(field.worst, best, 'ahead');
  const isCounted = joins === 0 && compareScores(rules.format, worst, best) === 0;
  const notBehind = countOf(field.worst, best, 'ahead or tied') + (isCounted ? 0 : 1);
  const started = field.worst.scores.length + joins;
  return isWithinRule(best, ahead, field.size + joins, rules) && isWithinLimit(notBehind, started);
};

/**
 * Whether all ways to end let it advance: both conditions hold, each with the others at their worst for it. It is complete, so its
 * best and its worst are the same.
 */
const advancesAtWorst = ({ worst }: Ends, { field, rules, joins }: Among): boolean => {
  const { vanishing, stayingAway } = field;
  const size = field.size + joins;
  const entered = size - vanishing + countOf(field.bestOfVanishing, worst, 'ahead');
  const started = size - stayingAway + countOf(field.bestOfStayingAway, worst, 'ahead or tied');
  return (
    isWithinRule(worst, countOf(field.best, worst, 'ahead'), entered, rules) &&
    isWithinLimit(countOf(field.best, worst, 'ahead or tied') + joins, started)
  );
};

const endsOf = (
  given: readonly number[],
  { rules, valueFormat, isOpen }: Pick<RoundUnderWay, 'rules' | 'valueFormat' | 'isOpen'>,
): Ends => {
  const attempts = padded(given, rules.format);
  const best = isOpen ? filled(attempts, BEST_VALUE[valueFormat], rules) : attempts;
  const worst = isOpen ? filled(attempts, DNF, rules) : attempts;
  const { format, cutoff } = rules;
  const scored = (values: readonly number[]): Scored => ({
    best: singleOf(values),
    average: averageOf(values, { format, cutoff, valueFormat }),
  });
  const bestScore = scored(best);
  const canStart = hasStarted(best);
  const canStayAway = !hasStarted(attempts);
  return {
    best: bestScore,
    worst: worst === best ? bestScore : scored(worst),
    isComplete: !isOpen || isComplete(attempts, rules),
    canStart,
    canStayAway,
    canVanish: false,
  };
};

/** The best value that an attempt can have. */
export const BEST_VALUE: Readonly<Record<ValueFormat, number>> = {
  time: 1,
  number: 1,
  multi: encodeMulti({ solved: 9_999, missed: 0, centiseconds: 1, dnf: false }),
};

/** The attempts with the open ones ended so, those behind a cutoff only when it is met; the same array when none is open. */
export const filled = (
  attempts: readonly number[],
  value: number,
  { cutoff }: Pick<Rules, 'cutoff'>,
): readonly number[] => {
  const ended = attempts.map((attempt, index) => {
    const isBehindCutoff = cutoff !== null && index >= cutoff.numberOfAttempts;
    return attempt === NOT_TAKEN && !isBehindCutoff ? value : attempt;
  });
  const all = isCutoffMet(ended, cutoff)
    ? ended.map((attempt) => (attempt === NOT_TAKEN ? value : attempt))
    : ended;
  return all.every((attempt, index) => attempt === attempts[index]) ? attempts : all;
};
