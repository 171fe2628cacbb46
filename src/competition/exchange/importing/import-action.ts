/**
 * Decides what an import does with a contest, from its state, its dates and the user's choice. An import leaves a
 * stored contest in its state. A new contest gets the state that its dates and results show. Everything else needs a
 * choice, because finishing a contest ends its API keys for good.
 */
import type { ContestState, ImportGoal } from '../../aggregates/contest/contest.js';
import type { ContestOutcome, ImportOptions } from '../exchange.commands.js';
import { type ContestFile, type Fault, placeOf } from '../formats/contest-file.js';
import { type ContestComparison, contentOf, isReplacing, replacements } from './contest-comparison.js';

/** The options that decide the action. */
export type ActionOptions = Pick<ImportOptions, 'choice' | 'replace' | 'today'>;

/**
 * `end`: completes an ending that was begun. `leave`: changes nothing. `announce`: announces the contest and opens no
 * round. `open`, `finish`: enters what is missing and leaves the contest ongoing or finished. `replace`: enters
 * different results and keeps the state of contest and rounds.
 */
export type ImportAction = 'end' | 'leave' | 'replace' | ImportGoal;

export const importActionOf = (comparison: ContestComparison, options: ActionOptions): ImportAction => {
  const { before, rounds } = comparison;
  if (isReplacing(comparison, options.replace ?? false))
    return rounds.some((each) => replacements(each).length > 0) ? 'replace' : 'leave';
  if (before.phase === 'ending') return 'end';
  if (before.phase === 'finished' || before.phase === 'deleted') return 'leave';
  const goal = goalOf(comparison, options);
  switch (goal) {
    case 'keep':
      return rounds.some(isMissing) ? 'open' : 'leave';
    case 'undecided':
      return 'leave';
    case 'open':
      return before.phase === 'ongoing' && isOpened(comparison, options) ? 'leave' : 'open';
    case 'announce':
    case 'finish':
      return goal;
    default:
      return goal satisfies never;
  }
};

/** `keep`: the contest stays in its state. `undecided`: the user has to choose. */
const goalOf = (
  { before, dates, rounds }: ContestComparison,
  { choice = null, today }: ActionOptions,
): ImportGoal | 'keep' | 'undecided' => {
  const { phase, importing } = before;
  const isNew = phase === 'none' || (phase === 'draft' && importing !== null);
  if (choice === 'open' && rounds.length > 0) return 'open';
  if (!rounds.some(({ round }) => round.results.length > 0)) return isNew ? 'announce' : 'keep';
  if (choice === 'finish') return 'finish';
  // The import of a new contest was interrupted.
  if (importing === 'open' || importing === 'finish') return importing;
  if (phase === 'ongoing') return 'keep';
  if (!isNew) return 'undecided';
  if (dates.endDate < today) return 'finish';
  return dates.startDate <= today ? 'open' : 'undecided';
};

/** Results of the file are not entered yet. */
const isMissing = (compared: ContestComparison['rounds'][number]): boolean => contentOf(compared) === 'empty';

/** A closed round shows that an organiser has changed the contest since it was opened. */
const isOpened = ({ rounds }: ContestComparison, { choice }: ActionOptions): boolean => {
  if (rounds.some(isMissing)) return false;
  if (choice !== 'open' || rounds.some(({ state }) => state.phase === 'closed')) return true;
  return rounds.every(({ state }) => state.phase === 'open');
};

/** Returns a fault when the contest needs a choice that was not made; empty when it needs none. */
export const choiceFaults = (
  { place, competitionId }: ContestFile,
  comparison: ContestComparison,
  options: ActionOptions,
): readonly Fault[] => {
  const { before, dates } = comparison;
  const isKnown = ['none', 'draft', 'announced', 'ongoing'].includes(before.phase);
  if (!isKnown || goalOf(comparison, options) !== 'undecided') return [];
  const state = before.phase === 'none' ? `new and begins on ${dates.startDate}` : STATES[before.phase];
  const reason = `contest ${competitionId} is ${state}, and the file has results: choose whether the import leaves it ongoing (open) or finished (finish)`;
  return [{ ...placeOf(place), reason }];
};

const STATES: Readonly<Record<string, string>> = { draft: 'a draft', announced: 'announced' };

export const outcomeOf = (
  action: ImportAction,
  comparison: Pick<ContestComparison, 'before' | 'numbers' | 'list' | 'opaque' | 'bests' | 'isScheduleNew'>,
): ContestOutcome['outcome'] => {
  const { phase } = comparison.before;
  if (action === 'leave' && !changesBesideResults(comparison)) return 'unchanged';
  return action !== 'end' && phase === 'none' ? 'imported' : 'completed';
};

/** Numbers, the competitor list, opaque parts, bests and the first schedule follow the file whatever the action is. */
const changesBesideResults = ({
  numbers,
  list,
  opaque,
  bests,
  isScheduleNew,
}: Pick<ContestComparison, 'numbers' | 'list' | 'opaque' | 'bests' | 'isScheduleNew'>): boolean =>
  isScheduleNew ||
  bests.length > 0 ||
  numbers.length > 0 ||
  opaque !== null ||
  (list?.differences ?? []).some(({ change }) => change !== 'kept');

/** Returns the contest's phase after the action. */
export const phaseAfter = (action: ImportAction, { before }: ContestComparison): ContestState['phase'] => {
  switch (action) {
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
      return action satisfies never;
  }
};

/** Returns whether the action ends the active API keys of the contest. */
export const endsKeys = (action: ImportAction): boolean => action === 'end' || action === 'finish';
