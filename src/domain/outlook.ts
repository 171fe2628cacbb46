/**
 * What the hall wants to know of a competitor with open attempts: how the average goes, and which value in the next attempt is
 * enough to win, for the podium, to advance, for a record. Each is an answer about the next attempt alone: everything else of
 * the round stays as it stands now. Of a competitor without a result it is an answer about the same value in every attempt.
 * Places, averages and prospects are those of scoring.ts and advancement.ts.
 */
import { BEST_VALUE, filled, type Order, orderOf, prospectsInstead } from './advancement.js';
import { DNF, NOT_TAKEN, TIME_NOT_KNOWN } from './attempts.js';
import { type HallRound, type Seat, scoreOf, worstValue } from './needs.js';
import { type AdvancementNeeds, advancementNeeds, type PlaceNeeds, placeNeeds } from './place-needs.js';
import { type RecordNeeds, recordNeed, recordNeeds, type Standings } from './record-needs.js';
import {
  isCutoffMet,
  meanOf,
  padded,
  ranksByAverage,
  singleOf,
  timeSpentOn,
  withoutBestAndWorst,
} from './scoring.js';

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
  readonly places: PlaceNeeds | null;
  /** Null: as with places, or there is no prospect. */
  readonly advancement: AdvancementNeeds | null;
  /** Null: the standings are not known. */
  readonly records: RecordNeeds | null;
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

/** The index of the first open attempt that may be taken now. */
const nextAttempt = (attempts: readonly number[], { cutoff }: HallRound['rules']): number | null => {
  const next = attempts.indexOf(NOT_TAKEN);
  const isBehindCutoff = cutoff !== null && next >= cutoff.numberOfAttempts;
  return next === -1 || (isBehindCutoff && !isCutoffMet(attempts, cutoff)) ? null : next;
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
