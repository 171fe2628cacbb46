/**
 * The decisions of a round: opening, closing, rules, merges, its roster and who advances. It is the consistency boundary of
 * result entry (entry.decider.ts): whatever two devices send at once, each decision sees what the other has done. State and fold are
 * in round.ts.
 */

import {
  advancementPlan,
  type Confirmation,
  choiceErrors,
  openQuestions,
} from '../../../domain/advancement-plan.js';
import type { RoundRef, RoundRules } from '../../../domain/attempts.js';
import { accept, type Decider, type Decision, decideBy, reject } from '../../../domain/decider.js';
import { rulesConflicts } from '../../../domain/entry-rules.js';
import { isSameData } from '../../../domain/equality.js';
import { membersKey, type RoundKey } from '../../../domain/references.js';
import { type Rejection, refusalOf } from '../../../domain/rejections.js';
import {
  type CompetitorFacts,
  type Members,
  MODERATOR_MARKS,
  type ModeratorMark,
  type RosterMark,
} from '../../../domain/roster.js';
import { listDifferences, type MarkRow, rosterRows, rowErrors } from '../../../domain/roster-changes.js';
import { resultOf } from '../../../domain/round-entry.js';
import type { RoundResult } from '../../../domain/round-results.js';
import type { Aggregate } from '../../../foundation/aggregates/aggregate.js';
import { checkResult, type EntryCommand, enterAttempt, enterResults, undoChange } from './entry.decider.js';
import {
  evolve,
  initialRound,
  type RosterEvent,
  type RoundEvent,
  type RoundSetup,
  type RoundState,
  roundStream,
  sizeOfRound,
} from './round.js';
import { roundSnapshots } from './round-snapshots.js';

/** What a moderator does with a round and the round decides alone: the command bus carries it as it is (ChangeRound). */
export type OwnRoundCommand = { readonly type: 'CloseRound' };

export type RoundCommand =
  | OwnRoundCommand
  /** `roster`: who is expected; null or left out: anybody. It counts at the first opening only. */
  | {
      readonly type: 'OpenRound';
      readonly setup: RoundSetup;
      readonly roster?: readonly Members[] | null | undefined;
    }
  /** Takes the opening back. */
  | { readonly type: 'UndoOpening' }
  /** Closes for the ending of the contest: also what was never opened, so that an opening under way loses. */
  | { readonly type: 'SealRound' }
  /** Closes what was never opened, because it left the plan. */
  | { readonly type: 'WithdrawRound' }
  | { readonly type: 'ChangeRules'; readonly rules: RoundRules }
  | { readonly type: 'MergeCompetitor'; readonly from: number; readonly into: number }
  /** Competitors; a merged person counts as whom it has become. Those who are not on the roster are added to it as `expected` only. */
  | { readonly type: 'MarkRoster'; readonly competitors: readonly MarkRow[]; readonly facts: CompetitorFacts }
  /** Lets the roster of an open round follow the competitor list. */
  | { readonly type: 'FollowList'; readonly round: RoundRef; readonly facts: CompetitorFacts }
  /** Closes the round and decides who advances. */
  | {
      readonly type: 'DecideAdvancement';
      readonly round: RoundRef;
      /** In the order of their places. */
      readonly competitors: readonly Members[];
      readonly confirmed: readonly Confirmation[];
      readonly facts: CompetitorFacts;
    }
  | EntryCommand;

type CommandOf<T extends RoundCommand['type']> = Extract<RoundCommand, { type: T }>;

const refuse = (detail: string): Decision<RoundEvent> => reject({ code: 'round-state', detail });

// --- opening and closing --------------------------------------------------------------------------------------------

/** Limits that stay are not judged again: the round may hold attempts from when they meant something else. */
const newLimits = (rules: RoundRules, { cutoff, timeLimit }: RoundRules): RoundRules => ({
  ...rules,
  cutoff: isSameData(rules.cutoff, cutoff) ? null : rules.cutoff,
  timeLimit: isSameData(rules.timeLimit, timeLimit) ? null : rules.timeLimit,
});

/** Why results of the round do not allow these rules; null: they do. `nameOf`: whose result it is. */
export const rulesRefusal = (
  rules: RoundRules,
  { setup, results }: RoundState,
  nameOf = ({ resultId }: RoundResult): string => resultId,
): Rejection | null => {
  if (setup === null) return null;
  const judged = { ...setup, rules: newLimits(rules, setup.rules) };
  const errors = rulesConflicts([...results.values()], judged, nameOf);
  const [first] = errors;
  return first === undefined ? null : { code: 'rules-conflict', detail: first.message, errors };
};

const changeRules = (rules: RoundRules, state: RoundState): Decision<RoundEvent> => {
  if (state.setup === null || isSameData(state.setup.rules, rules)) return accept();
  const refusal = rulesRefusal(rules, state);
  return refusal === null ? accept({ type: 'RoundRulesChanged', data: { rules } }) : reject(refusal);
};

const open = ({ setup, roster }: CommandOf<'OpenRound'>, state: RoundState): Decision<RoundEvent> => {
  if (state.phase === 'open') return accept();
  if (state.setup === null) {
    const opened = { type: 'RoundOpened', data: setup } as const;
    if (roster == null) return accept<RoundEvent>(opened);
    return accept<RoundEvent>(opened, { type: 'RosterSet', data: { competitors: roster } });
  }
  const changed = changeRules(setup.rules, state);
  return changed.ok ? accept<RoundEvent>({ type: 'RoundReopened', data: {} }, ...changed.events) : changed;
};

const undoOpening = (state: RoundState): Decision<RoundEvent> => {
  if (state.setup === null) return accept();
  if (state.results.size > 0) return refuse('the round has results: its opening can no longer be taken back');
  return accept({ type: 'RoundOpeningUndone', data: {} });
};

const close = (command: RoundCommand['type'], state: RoundState): Decision<RoundEvent> => {
  if (command === 'CloseRound' && state.setup === null) return refuse('the round was never opened');
  if (command === 'WithdrawRound' && state.setup !== null)
    return refuse('the round was opened and may hold results');
  return state.phase === 'closed' ? accept() : accept({ type: 'RoundClosed', data: {} });
};

// --- merging --------------------------------------------------------------------------------------------------------

/** Whether these persons may become one in this round: not if both compete in it, be it in one team or apart. */
export const mergeConflict = (state: RoundState, from: number, into: number): boolean => {
  const competes = (person: number): boolean =>
    state.results.some(({ personIds }) => personIds.includes(person));
  return competes(from) && competes(into);
};

const merge = (from: number, target: number, state: RoundState): Decision<RoundEvent> => {
  const into = state.aliases.get(target, target);
  if (from === into) return accept();
  if (!state.results.some(({ personIds }) => personIds.includes(from))) return accept();
  if (mergeConflict(state, from, into))
    return reject({
      code: 'merge-conflict',
      detail: `persons ${from} and ${into} both have a result in the round`,
    });
  return accept({ type: 'CompetitorMerged', data: { from, into } });
};

// --- roster ---------------------------------------------------------------------------------------------------------

const extending = (competitors: readonly Members[], byList?: true): readonly RosterEvent[] =>
  competitors.length === 0
    ? []
    : [{ type: 'RosterExtended', data: byList ? { competitors, byList } : { competitors } }];

const marking = (competitors: readonly Members[], mark: RosterMark, byList?: true): readonly RosterEvent[] =>
  competitors.length === 0
    ? []
    : [{ type: 'RosterMarked', data: byList ? { competitors, mark, byList } : { competitors, mark } }];

const markRoster = (
  { competitors, facts }: CommandOf<'MarkRoster'>,
  state: RoundState,
): Decision<RoundEvent> => {
  if (state.setup === null) return refuse('the round was never opened');
  if (state.roster === null) return refuse('the round has no roster: it takes every known person');
  const rows = rosterRows(state.roster, competitors, facts);
  const errors = rowErrors(rows, facts);
  if (errors.length > 0) return reject(refusalOf('roster', errors));
  const added = rows.filter(({ entries }) => entries.length === 0).map(({ personIds }) => personIds);
  const changed = (mark: ModeratorMark): readonly Members[] =>
    rows
      .filter((row) => row.mark === mark && !(mark === 'no-show' && resultOf(state, row.personIds)))
      .flatMap(({ entries }) => entries.filter((entry) => entry.mark !== mark))
      .map(({ personIds }) => personIds);
  return accept<RoundEvent>(
    ...extending(added),
    ...MODERATOR_MARKS.flatMap((mark) => marking(changed(mark), mark)),
  );
};

const followList = (
  { round, facts }: CommandOf<'FollowList'>,
  { phase, roster }: RoundState,
): Decision<RoundEvent> => {
  if (phase !== 'open' || roster === null) return accept();
  const { late, withdrawn, back } = listDifferences(roster, round, facts);
  return accept<RoundEvent>(
    ...extending(late, true),
    ...marking(withdrawn, 'withdrawn', true),
    ...marking(back, 'expected', true),
  );
};

// --- advancement ----------------------------------------------------------------------------------------------------

const isSameList = (a: readonly Members[], b: readonly Members[]): boolean =>
  isSameData(a.map(membersKey).sort(), b.map(membersKey).sort());

const decideAdvancement = (
  { round, competitors, confirmed, facts }: CommandOf<'DecideAdvancement'>,
  state: RoundState,
): Decision<RoundEvent> => {
  const { advanced, phase, setup } = state;
  if (setup === null) return refuse('the round was never opened');
  const chosen = competitors.map((personIds) => resultOf(state, personIds)?.personIds ?? personIds);
  if (advanced !== null && phase === 'closed')
    return isSameList(advanced, chosen)
      ? accept()
      : refuse('others advance already: take the opening of the next round back first');
  const plan = advancementPlan({ round, state, setup, facts });
  const errors = choiceErrors(chosen, plan);
  if (errors.length > 0) return reject(refusalOf('roster', errors));
  const questions = openQuestions(plan, chosen, confirmed);
  if (questions.length > 0) return reject(refusalOf('to-confirm', questions));
  const decided: RoundEvent = { type: 'AdvancementDecided', data: { competitors: chosen } };
  return accept(...(phase === 'closed' ? [decided] : [{ type: 'RoundClosed', data: {} } as const, decided]));
};

export const roundDecider: Decider<RoundState, RoundCommand, RoundEvent> = {
  initialState: initialRound,
  evolve,
  decide: decideBy<RoundCommand, RoundState, RoundEvent>({
    OpenRound: open,
    CloseRound: ({ type }, state) => close(type, state),
    SealRound: ({ type }, state) => close(type, state),
    WithdrawRound: ({ type }, state) => close(type, state),
    ChangeRules: ({ rules }, state) => changeRules(rules, state),
    MergeCompetitor: ({ from, into }, state) => merge(from, into, state),
    MarkRoster: markRoster,
    FollowList: followList,
    DecideAdvancement: decideAdvancement,
    UndoOpening: (_, state) => undoOpening(state),
    EnterAttempt: enterAttempt,
    EnterResults: enterResults,
    CheckResult: checkResult,
    UndoChange: undoChange,
  }),
};

export const roundAggregate: Aggregate<RoundKey, RoundState, RoundCommand, RoundEvent> = {
  stream: roundStream,
  decider: roundDecider,
  schema: 1,
  sizeOf: sizeOfRound,
  snapshots: roundSnapshots,
};
