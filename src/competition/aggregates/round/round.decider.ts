/**
 * The decisions of a round: opening, closing, rules and merges. It is the consistency boundary of result entry: whatever
 * two devices send at once, each decision sees what the other has done. State and fold are in round.ts, the decisions on
 * results in entry.decider.ts and undo.decider.ts, those on the roster and advancement in roster.decider.ts.
 */

import type { RoundRules } from '../../../domain/attempts.js';
import { accept, type Decider, type Decision, decideBy, reject } from '../../../domain/decider.js';
import { rulesConflicts } from '../../../domain/entry-rules.js';
import { isSameData } from '../../../domain/equality.js';
import type { RoundKey } from '../../../domain/references.js';
import type { Aggregate } from '../../../foundation/aggregates/aggregate.js';
import { type EntryCommand, enterAttempt } from './entry.decider.js';
import { checkResult, enterResults, undoChange } from './results.decider.js';
import {
  decideAdvancement,
  followList,
  markRoster,
  type RosterCommand,
  undoOpening,
} from './roster.decider.js';
import type { Members } from './roster.js';
import {
  evolve,
  initialRound,
  type RoundEvent,
  type RoundSetup,
  type RoundState,
  roundStream,
  sizeOfRound,
} from './round.js';
import { roundSnapshots } from './round.snapshots.js';

export type RoundCommand =
  /** `roster`: who is expected; null or left out: anybody. It counts at the first opening only. */
  | {
      readonly type: 'OpenRound';
      readonly setup: RoundSetup;
      readonly roster?: readonly Members[] | null | undefined;
    }
  | { readonly type: 'CloseRound' }
  /** Closes for the ending of the contest: also what was never opened, so that an opening under way loses. */
  | { readonly type: 'SealRound' }
  /** Closes what was never opened, because it left the plan. */
  | { readonly type: 'WithdrawRound' }
  | { readonly type: 'ChangeRules'; readonly rules: RoundRules }
  | { readonly type: 'MergeCompetitor'; readonly from: number; readonly into: number }
  | RosterCommand
  | EntryCommand;

// --- opening and closing --------------------------------------------------------------------------------------------

/** Limits that stay are not judged again: the round may hold attempts from when they meant something else. */
const newLimits = (rules: RoundRules, { cutoff, timeLimit }: RoundRules): RoundRules => ({
  ...rules,
  cutoff: isSameData(rules.cutoff, cutoff) ? null : rules.cutoff,
  timeLimit: isSameData(rules.timeLimit, timeLimit) ? null : rules.timeLimit,
});

const changeRules = (rules: RoundRules, state: RoundState): Decision<RoundEvent> => {
  if (state.setup === null || isSameData(state.setup.rules, rules)) return accept();
  const judged = newLimits(rules, state.setup.rules);
  const errors = rulesConflicts([...state.results.values()], judged, state.setup.valueFormat);
  const [first] = errors;
  if (first !== undefined) return reject({ code: 'rules-conflict', detail: first.message, errors });
  return accept({ type: 'RoundRulesChanged', data: { rules } });
};

const open = (
  { setup, roster }: Extract<RoundCommand, { type: 'OpenRound' }>,
  state: RoundState,
): Decision<RoundEvent> => {
  if (state.phase === 'open') return accept();
  if (state.setup === null) {
    const opened = { type: 'RoundOpened', data: setup } as const;
    if (roster == null) return accept<RoundEvent>(opened);
    return accept<RoundEvent>(opened, { type: 'RosterSet', data: { competitors: roster } });
  }
  const changed = changeRules(setup.rules, state);
  return changed.ok ? accept<RoundEvent>({ type: 'RoundReopened', data: {} }, ...changed.events) : changed;
};

const close = (command: RoundCommand['type'], state: RoundState): Decision<RoundEvent> => {
  if (command === 'CloseRound' && state.setup === null)
    return reject({ code: 'round-state', detail: 'the round was never opened' });
  if (command === 'WithdrawRound' && state.setup !== null)
    return reject({ code: 'round-state', detail: 'the round was opened and may hold results' });
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
