/**
 * A contest file held against what is there of the contest: what differs, whether that stands in the way of the import, and what
 * the import would do. A preview shows what an import decides by, because both ask here.
 */

import { type RoundRef, roundCode } from '../../../domain/attempts.js';
import { isSameData } from '../../../domain/equality.js';
import { padded } from '../../../domain/scoring.js';
import { canTakeNumbers, unusedNumbers } from '../../aggregates/contest/contest.decider.js';
import type { ContestDetails, ContestState, NumberedCompetitor } from '../../aggregates/contest/contest.js';
import { type RoundResult, type RoundState, resultOf } from '../../aggregates/round/round.js';
import type { ContestOutcome } from '../exchange.commands.js';
import {
  type ContestFile,
  type Fault,
  type FileResult,
  type FileRound,
  placeOf,
} from '../formats/contest-file.js';
import type { ContestPlan } from './contest-plan.js';

/** One result that the file and the round do not agree on. At least one of both sides is there. */
export interface ResultDifference {
  readonly inFile: FileResult | null;
  readonly inRound: RoundResult | null;
}

export interface RoundComparison {
  readonly round: FileRound;
  readonly state: RoundState;
  /** How its rules compare with those that are planned. */
  readonly plan: 'new' | 'changed' | 'same';
  readonly differences: readonly ResultDifference[];
}

export interface ContestComparison {
  readonly before: ContestState;
  /** Details that are there with another value; none of a new contest. */
  readonly details: readonly (keyof ContestDetails)[];
  readonly rounds: readonly RoundComparison[];
  /** Planned, and not in the file. */
  readonly missing: readonly RoundRef[];
  /** That the file has and nobody there has. */
  readonly numbers: readonly NumberedCompetitor[];
}

/** `states`: of the file's rounds, in their order. */
export const compareContest = (
  plan: ContestPlan,
  before: ContestState,
  states: readonly RoundState[],
): ContestComparison => {
  const planned = plan.rounds();
  const wanted = new Set(planned.map(({ round }) => roundCode(round)));
  return {
    before,
    details: before.details === null ? [] : differingDetails(plan.known(before.details), plan.details()),
    rounds: plan.file.rounds.flatMap((round, index) => {
      const state = states[index];
      if (!state) return [];
      const known = before.rounds.get(roundCode(round));
      const asked = planned[index]?.round;
      const differences = differencesIn(round, state, plan);
      const rules = known === undefined ? 'new' : isSameData(known, asked) ? 'same' : 'changed';
      return [{ round, state, plan: rules, differences }];
    }),
    numbers:
      before.phase === 'none' || canTakeNumbers(before) ? unusedNumbers(plan.competitors(), before) : [],
    missing: [...before.rounds.values()].filter((round) => !wanted.has(roundCode(round))),
  };
};

const DETAILS: readonly (keyof ContestDetails)[] = [
  'name',
  'shortName',
  'type',
  'city',
  'regionCode',
  'venue',
  'startDate',
  'endDate',
  'organizerIds',
];

const differingDetails = (known: ContestDetails, wanted: ContestDetails): readonly (keyof ContestDetails)[] =>
  DETAILS.filter((field) => !isSameData(known[field], wanted[field]));

/** A file without results for the round has nothing to say about those that devices have entered. */
const differencesIn = (
  round: FileRound,
  state: RoundState,
  plan: ContestPlan,
): readonly ResultDifference[] => {
  if (round.results.length === 0) return [];
  const competitors = plan.personIds(round);
  const found = new Set<string>();
  const ofFile = round.results.flatMap((inFile, index): ResultDifference[] => {
    const inRound = resultOf(state, competitors[index] ?? []) ?? null;
    if (inRound) found.add(inRound.resultId);
    const wanted = padded(inFile.attempts, round.rules.format);
    return inRound && isSameData(inRound.attempts, wanted) ? [] : [{ inFile, inRound }];
  });
  const others = [...state.results.values()].filter(({ resultId }) => !found.has(resultId));
  return [...ofFile, ...others.map((inRound) => ({ inFile: null, inRound }))];
};

/** `empty`: its results are still to be entered. */
export const contentOf = ({ round, state, differences }: RoundComparison): 'same' | 'empty' | 'other' => {
  if (round.results.length === 0) return 'same';
  if (state.results.size === 0) return 'empty';
  return differences.length === 0 ? 'same' : 'other';
};

/**
 * Why the file cannot go in beside what is there: empty for a new contest, the same one, or a part of it; with `replace`
 * also for one that is going on, with other results in open rounds.
 */
export const conflictsOf = (
  { place, competitionId }: ContestFile,
  comparison: ContestComparison,
  replace: boolean,
): readonly Fault[] => {
  const { before, details, rounds, missing } = comparison;
  const fault = (reason: string): readonly Fault[] => [{ ...placeOf(place), reason }];
  if (before.phase === 'none') return [];
  if (before.phase === 'deleted' || before.ending === 'delete')
    return fault(`contest ${competitionId} was deleted`);
  if (details.length > 0 || missing.length > 0 || rounds.some(({ plan }) => plan !== 'same'))
    return fault(`contest ${competitionId} is there with other details or rounds`);
  if (isReplacing(comparison, replace)) {
    // Entry has its rules, and an import stands under them: what is closed is opened first, by whoever may.
    const closed = rounds.filter(({ state }) => state.phase !== 'open');
    return closed
      .filter((compared) => replacements(compared).length > 0)
      .map((compared) => otherResults(compared, before));
  }
  return rounds.flatMap((compared): readonly Fault[] => {
    const content = contentOf(compared);
    const isStale = content === 'empty' && isOver(before);
    if (content !== 'other' && !isStale) return [];
    return [otherResults(compared, before)];
  });
};

const otherResults = (compared: RoundComparison, { phase }: ContestState): Fault => {
  const { round, state } = compared;
  const place = placeOf(round.place);
  const code = roundCode(round);
  if (replacements(compared).length === 0)
    return { ...place, reason: `round ${code} has results that are not in the file` };
  const isClosed = phase === 'ongoing' && state.phase !== 'open';
  const way = isClosed ? ' and is not open: open it to replace them' : '';
  return { ...place, reason: `round ${code} is there with other results${way}` };
};

/** Whether replacing results, and nothing else, would let the file in. */
export const isReplaceable = (file: ContestFile, comparison: ContestComparison): boolean =>
  isReplacing(comparison, true) &&
  comparison.rounds.some((compared) => replacements(compared).length > 0) &&
  conflictsOf(file, comparison, true).length === 0;

/** Whether results that are there give way to those of the file. A contest that is over has to be reopened first. */
const isReplacing = ({ before, rounds }: ContestComparison, replace: boolean): boolean =>
  replace && before.phase === 'ongoing' && rounds.some((compared) => contentOf(compared) === 'other');

/** Those of the file that the round has otherwise or not at all. What the file does not have stays. */
export const replacements = ({
  differences,
}: RoundComparison): readonly { readonly inFile: FileResult; readonly seen: readonly number[] }[] =>
  differences.flatMap(({ inFile, inRound }) =>
    inFile === null ? [] : [{ inFile, seen: inRound?.attempts ?? [] }],
  );

// --- what the import does -------------------------------------------------------------------------------------------

/**
 * `end`: finishes an ending that was begun. `leave`: all of it is there. `announce`: nobody has competed yet, so the contest is
 * not over. `open`, `finish`: enters what is missing and leaves the contest so. `replace`: enters what differs, and leaves
 * contest and rounds as they are.
 */
export type ImportAction = 'end' | 'leave' | 'announce' | 'open' | 'finish' | 'replace';

export const importActionOf = (
  comparison: ContestComparison,
  { open = false, replace = false }: { readonly open?: boolean; readonly replace?: boolean },
): ImportAction => {
  const { before, rounds } = comparison;
  if (isReplacing(comparison, replace))
    return rounds.some((each) => replacements(each).length > 0) ? 'replace' : 'leave';
  if (before.phase === 'ending') return 'end';
  if (isOver(before) || (before.phase === 'ongoing' && isAsWanted(rounds, open))) return 'leave';
  const held = rounds.some(({ round }) => round.results.length > 0);
  if (open && rounds.length > 0) return 'open';
  if (held) return 'finish';
  return isNew(before) ? 'announce' : 'leave';
};

/** With `open`, ongoing is all that is wanted; a closed round tells that organisers have taken over. */
const isAsWanted = (rounds: readonly RoundComparison[], open: boolean): boolean => {
  if (rounds.some(({ state }) => state.phase === 'closed')) return true;
  return open && rounds.every((each) => each.state.phase === 'open' && contentOf(each) === 'same');
};

const isOver = ({ phase }: ContestState): boolean => phase === 'finished' || phase === 'ending';

/** Not announced yet. */
const isNew = ({ phase }: ContestState): boolean => phase === 'none' || phase === 'draft';

export const outcomeOf = (
  course: ImportAction,
  { before: { phase }, numbers }: Pick<ContestComparison, 'before' | 'numbers'>,
): ContestOutcome['outcome'] => {
  if (course === 'leave' && numbers.length === 0) return 'unchanged';
  return course !== 'end' && phase === 'none' ? 'imported' : 'completed';
};

/** The contest's phase when the course is run. */
export const phaseAfter = (course: ImportAction, { before }: ContestComparison): ContestState['phase'] => {
  switch (course) {
    case 'leave':
    case 'replace':
      return before.phase;
    case 'announce':
      return 'announced';
    case 'open':
      return 'ongoing';
    case 'end':
    case 'finish':
      return 'finished';
    default:
      return course satisfies never;
  }
};
