/**
 * What the hall wants to know of a competitor with open attempts: how the average goes, and which value in the next attempt is
 * enough to win, for the podium, to advance, for a record. Each is an answer about the next attempt alone: everything else of
 * the round stays as it stands now. Of a competitor without a result it is an answer about the same value in every attempt.
 * Places, averages and prospects are those of scoring.ts and advancement.ts.
 */
import {
  BEST_VALUE,
  countOf,
  filled,
  type Order,
  orderOf,
  type Prospect,
  prospectsInstead,
} from './advancement.js';
import {
  DNF,
  FEWEST_MOVES,
  MAX_MOVES,
  MAX_VALUE,
  NOT_TAKEN,
  type RoundRules,
  TIME_NOT_KNOWN,
  type ValueFormat,
} from './attempts.js';
import type { RecordTag } from './record-tags.js';
import { rankedValue, type ValueKind } from './results.js';
import {
  averageOf,
  compareScores,
  decodeMulti,
  encodeMulti,
  isCutoffMet,
  meanOf,
  padded,
  ranksByAverage,
  type Scored,
  singleOf,
  timeSpentOn,
  withoutBestAndWorst,
} from './scoring.js';

/**
 * The worst value that is enough. `success`: every valid value is, a DNF is not. `any`: a DNF is enough too. Null: no value is.
 */
export type Need = number | 'success' | 'any' | null;

export interface PlaceNeed {
  readonly need: Need;
  /** Exactly this value shares the place. */
  readonly isTied: boolean;
}

/** The value that equals each record; 0: there is none yet, so the first value is one; null: the competitor has no such record. */
export type Standing = Readonly<Record<RecordTag, number | null>>;
/** Null: averages of this format are no records. */
export type Standings = Readonly<Record<ValueKind, Standing | null>>;

export interface Outlook {
  /** The next attempt, from 1. */
  readonly attemptNumber: number;
  /** Whether the needs are of the same value in every attempt: the competitor has no result yet. */
  readonly isEveryAttempt: boolean;
  /**
   * Of the attempts so far, in the unit of what the format ranks by. Average of 5: the mean of one or two attempts, from three on of
   * those between the best and the worst. Mean of 3: their mean. Best of n: the best. -1: DNF. Null: there is none.
   */
  readonly projected: number | null;
  /** The average of 5 with the best and with the worst last attempt; -1: DNF. Null before the last attempt. */
  readonly bestPossible: number | null;
  readonly worstPossible: number | null;
  /** With a valid result. Null: the next attempt makes no average yet, and the format ranks by it. */
  readonly places: { readonly first: PlaceNeed; readonly podium: PlaceNeed } | null;
  /** Null: as with places, or there is no prospect. `possible`: to stay in. `certain`: to advance however the round ends. */
  readonly advancement: { readonly possible: Need; readonly certain: Need } | null;
  /** Null: the standings are not known. */
  readonly records: Readonly<Record<ValueKind, Readonly<Record<RecordTag, Need>>>> | null;
}

export interface HallRound {
  readonly eventId: string;
  readonly valueFormat: ValueFormat;
  readonly rules: Pick<RoundRules, 'format' | 'cutoff' | 'advancement' | 'timeLimit'>;
  /** The attempts of each result. */
  readonly results: readonly (readonly number[])[];
  /** Number of competitors who are expected and have no result; null: the round has no roster, so nobody has a prospect. */
  readonly absent: number | null;
}

/** What an outlook takes from outside the round. */
export interface KnownOfCompetitor {
  /** Null: not known. */
  readonly standings: Standings | null;
  /** Centiseconds that count against the cumulative time limit of this round, from its other rounds. */
  readonly spentElsewhere: number;
}

export const NOTHING_KNOWN: KnownOfCompetitor = { standings: null, spentElsewhere: 0 };

/**
 * Returns the outlook of each result of an open round, in the order given; null where no attempt is open. `known`: of each result.
 */
export const outlooksOf = (
  given: HallRound,
  known: readonly KnownOfCompetitor[],
): readonly (Outlook | null)[] => {
  const { round, order } = asItStands(given);
  const { rules } = round;
  const prospects = prospectsIn(round, round.absent);
  return round.results.map((attempts, index) => {
    const next = nextAttempt(attempts, rules);
    if (next === null) return null;
    const { standings, spentElsewhere } = known[index] ?? NOTHING_KNOWN;
    const seat: Seat = {
      round,
      attempts,
      after: (value) => attempts.with(next, value),
      most: worstValue(round, timeSpentOn(attempts) + spentElsewhere),
    };
    const isDecided =
      !ranksByAverage(rules.format) || attempts.filter((value) => value === NOT_TAKEN).length === 1;
    const prospect = prospects?.(index) ?? null;
    return {
      attemptNumber: next + 1,
      isEveryAttempt: false,
      projected: projectedOf(attempts, round),
      ...possibleAverages(seat),
      places: isDecided ? placeNeeds(seat, order) : null,
      advancement: isDecided && prospect ? advancementNeeds(seat, prospect) : null,
      records: recordNeeds(standings, (kind, limit) => recordNeed(seat, kind, limit)),
    };
  });
};

/**
 * Returns how to get the outlook of one of the absent competitors of an open round. They differ only in what is known of them, so
 * what they share is searched for once: hundreds are absent when a round opens.
 */
export const absentOutlook = (given: HallRound): ((known: KnownOfCompetitor) => Outlook) => {
  const { round, order } = asItStands(given);
  const attempts = padded([], round.rules.format);
  const prospect = prospectsIn(round, round.absent === null ? null : round.absent - 1)?.(null) ?? null;
  const sharedBy = remembered((most: number) => {
    const seat: Seat = { round, attempts, after: (value) => filled(attempts, value, round.rules), most };
    return {
      places: placeNeeds(seat, order),
      advancement: prospect && advancementNeeds(seat, prospect),
      record: {
        single: remembered((limit: number) => recordNeed(seat, 'single', limit)),
        average: remembered((limit: number) => recordNeed(seat, 'average', limit)),
      },
    };
  });
  return ({ standings, spentElsewhere }) => {
    const { places, advancement, record } = sharedBy(worstValue(round, spentElsewhere, attempts.length));
    const records = recordNeeds(standings, (kind, limit) => record[kind](limit));
    const averages = { projected: null, bestPossible: null, worstPossible: null };
    return { attemptNumber: 1, isEveryAttempt: true, ...averages, places, advancement, records };
  };
};

const remembered = <T>(make: (key: number) => T): ((key: number) => T) => {
  const made = new Map<number, { readonly value: T }>();
  return (key) => {
    const found = made.get(key) ?? { value: make(key) };
    made.set(key, found);
    return found.value;
  };
};

const asItStands = (given: HallRound): { readonly round: HallRound; readonly order: Order } => {
  const { format } = given.rules;
  const round = { ...given, results: given.results.map((attempts) => padded(attempts, format)) };
  const scores = round.results.map((attempts) => scoreOf(attempts, round));
  return { round, order: orderOf(scores, format) };
};

/** `absent`: besides the competitor who is judged. */
const prospectsIn = ({ rules, valueFormat, results }: HallRound, absent: HallRound['absent']) =>
  absent === null ? null : prospectsInstead({ rules, valueFormat, results, absent, isOpen: true });

/** A competitor with open attempts. */
interface Seat {
  readonly round: HallRound;
  readonly attempts: readonly number[];
  /** The attempts with a value in those that the needs are of. */
  readonly after: (value: number) => readonly number[];
  /** The worst value that they may have. */
  readonly most: number;
}

const scoreOf = (attempts: readonly number[], { rules, valueFormat }: HallRound): Scored => {
  const { format, cutoff } = rules;
  return { best: singleOf(attempts), average: averageOf(attempts, { format, cutoff, valueFormat }) };
};

/** The index of the first open attempt that may be taken now. */
const nextAttempt = (attempts: readonly number[], { cutoff }: HallRound['rules']): number | null => {
  const next = attempts.indexOf(NOT_TAKEN);
  const isBehindCutoff = cutoff !== null && next >= cutoff.numberOfAttempts;
  return next === -1 || (isBehindCutoff && !isCutoffMet(attempts, cutoff)) ? null : next;
};

const MOST: Readonly<Record<ValueFormat, number>> = {
  time: TIME_NOT_KNOWN - 1,
  // Averages of such counts are exact integers.
  number: 1_000_000_000_000,
  multi: MAX_VALUE,
};

/** `spent`: against a cumulative limit. `times`: how often the value is taken. */
const worstValue = ({ eventId, valueFormat, rules }: HallRound, spent: number, times = 1): number => {
  const most = valueFormat === 'number' && eventId === FEWEST_MOVES ? MAX_MOVES : MOST[valueFormat];
  if (rules.timeLimit === null || valueFormat !== 'time') return most;
  const { centiseconds, cumulativeRounds } = rules.timeLimit;
  const left =
    cumulativeRounds.length > 0 ? Math.floor((centiseconds - spent - 1) / times) : centiseconds - 1;
  return Math.min(most, left);
};

// --- averages -------------------------------------------------------------------------------------------------------

const projectedOf = (attempts: readonly number[], { rules, valueFormat }: HallRound): number | null => {
  const taken = attempts.filter((value) => value !== NOT_TAKEN);
  if (taken.length === 0) return null;
  if (!ranksByAverage(rules.format) || valueFormat === 'multi') return singleOf(attempts);
  const failed = taken.filter((value) => value < 0).length;
  if (failed > (rules.format === 'a' ? 1 : 0)) return DNF;
  const counting =
    rules.format === 'a' && taken.length > 2
      ? withoutBestAndWorst(taken)
      : taken.filter((value) => value > 0);
  if (counting.length === 0 || (valueFormat === 'time' && counting.includes(TIME_NOT_KNOWN))) return null;
  return meanOf(counting, valueFormat);
};

const possibleAverages = ({ round, after }: Seat): Pick<Outlook, 'bestPossible' | 'worstPossible'> => {
  const averageWith = (value: number): number | null => {
    if (round.rules.format !== 'a') return null;
    const { average } = scoreOf(after(value), round);
    return average === NOT_TAKEN ? null : average;
  };
  return { bestPossible: averageWith(BEST_VALUE[round.valueFormat]), worstPossible: averageWith(DNF) };
};

// --- needs ----------------------------------------------------------------------------------------------------------

/** `isEnough`: of the attempts with the value; what is enough stays so for every better value. */
const needOf = (
  { round: { valueFormat }, after, most }: Seat,
  isEnough: (attempts: readonly number[]) => boolean,
): Need => {
  const isValueEnough = (value: number): boolean => isEnough(after(value));
  if (isValueEnough(DNF)) return 'any';
  const best = BEST_VALUE[valueFormat];
  if (most < best || !isValueEnough(best)) return null;
  if (isValueEnough(most)) return 'success';
  const enough = worstEnough(isValueEnough, { best, tooMuch: most });
  return valueFormat === 'multi' ? multiUpTo(enough) : enough;
};

/**
 * Returns the worst integer that is enough. `best` is enough, `tooMuch` is not, and every value better than one that is enough is
 * enough too.
 */
export const worstEnough = (
  isEnough: (value: number) => boolean,
  { best, tooMuch }: { readonly best: number; readonly tooMuch: number },
): number => {
  let [enough, notEnough] = [best, tooMuch];
  while (notEnough - enough > 1) {
    const middle = Math.floor((enough + notEnough) / 2);
    if (isEnough(middle)) enough = middle;
    else notEnough = middle;
  }
  return enough;
};

const MOST_CUBES = 9_999;
const LATEST = 9_999_999;

/** The worst multi value that is no worse than this number, which may be none. Not for numbers better than the best value. */
const multiUpTo = (number: number): number => {
  if (decodeMulti(number) !== null) return number;
  const missed = number % 10_000;
  const centiseconds = Math.floor(number / 10_000) % 10_000_000;
  const points = MOST_CUBES - Math.floor(number / 100_000_000_000);
  const most = MOST_CUBES - points;
  if (missed > most) return encodeMulti({ solved: points + most, missed: most, centiseconds, dnf: false });
  // Nothing solved and nothing missed is no result.
  return centiseconds > 0
    ? encodeMulti({ solved: MOST_CUBES, missed: MOST_CUBES, centiseconds: centiseconds - 1, dnf: false })
    : encodeMulti({ solved: MOST_CUBES, missed: MOST_CUBES - 1, centiseconds: LATEST, dnf: false });
};

/** `order`: of the whole round as it stands. */
const placeNeeds = (seat: Seat, order: Order): Outlook['places'] => ({
  first: placeNeed(seat, order, 1),
  podium: placeNeed(seat, order, 3),
});

const placeNeed = (seat: Seat, order: Order, place: number): PlaceNeed => {
  const { round, attempts, after } = seat;
  const before = scoreOf(attempts, round);
  const othersAhead = (own: Scored, which: 'ahead' | 'ahead or tied'): number => {
    const compared = compareScores(order.format, before, own);
    const isSelf = which === 'ahead' ? compared < 0 : compared <= 0;
    return countOf(order, own, which) - (isSelf ? 1 : 0);
  };
  const need = needOf(seat, (values) => {
    const own = scoreOf(values, round);
    return own.best > 0 && othersAhead(own, 'ahead') < place;
  });
  if (typeof need !== 'number') return { need, isTied: false };
  const own = scoreOf(after(need), round);
  return { need, isTied: othersAhead(own, 'ahead or tied') > othersAhead(own, 'ahead') };
};

const advancementNeeds = (
  seat: Seat,
  prospect: (attempts: readonly number[]) => Prospect,
): Outlook['advancement'] => ({
  possible: needOf(seat, (attempts) => prospect(attempts) !== 'out'),
  certain: needOf(seat, (attempts) => prospect(attempts) === 'certain'),
});

/** `limit`: the worst single or average that is enough. */
const recordNeed = (seat: Seat, kind: ValueKind, limit: number): Need =>
  needOf(seat, (attempts) => {
    const value = rankedValue(scoreOf(attempts, seat.round), kind);
    return value > 0 && value <= limit;
  });

const recordNeeds = (
  standings: Standings | null,
  needUpTo: (kind: ValueKind, limit: number) => Need,
): Outlook['records'] => {
  if (standings === null) return null;
  const needed = (kind: ValueKind, tag: RecordTag): Need => {
    const standing = standings[kind]?.[tag] ?? null;
    return standing === null ? null : needUpTo(kind, standing === 0 ? MAX_VALUE : standing);
  };
  const ofKind = (kind: ValueKind) => ({
    WR: needed(kind, 'WR'),
    CR: needed(kind, 'CR'),
    NR: needed(kind, 'NR'),
    PR: needed(kind, 'PR'),
  });
  return { single: ofKind('single'), average: ofKind('average') };
};
