/**
 * The decisions of a round: opening, closing, rules and merges. It is the consistency boundary of result entry: whatever
 * two devices send at once, each decision sees what the other has done. State and fold are in round.ts, the decisions on
 * results in entry.decider.ts and results.decider.ts, those on the roster and advancement in roster.decider.ts.
 */

import { Map as ImmutableMap } from 'immutable';
import type { RoundRules } from '../../../domain/attempts.js';
import { accept, type Decider, type Decision, decideBy, reject } from '../../../domain/decider.js';
import { rulesConflicts } from '../../../domain/entry-rules.js';
import { isSameData } from '../../../domain/equality.js';
import { competitorKey, type RoundKey } from '../../../domain/references.js';
import { type Members, type RosterEntry, rosterOf } from '../../../domain/roster.js';
import type { Aggregate, SnapshotCodec } from '../../../foundation/aggregates/aggregate.js';
import { type EntryCommand, enterAttempt } from './entry.decider.js';
import { checkResult, enterResults, undoChange } from './results.decider.js';
import {
  decideAdvancement,
  followList,
  markRoster,
  type RosterCommand,
  undoOpening,
} from './roster.decider.js';
import {
  type EntryRequest,
  evolve,
  initialRound,
  type RoundEvent,
  type RoundResult,
  type RoundSetup,
  type RoundState,
  roundStream,
  sizeOfRound,
} from './round.js';

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

// --- snapshots -------------------------------------------------------------------------------------------------------

// The text of a state. A change here or in the fold (round.ts) raises the version.

/** The fields of a RoundResult: there may be thousands. */
type ResultFields = readonly [
  resultId: string,
  personIds: readonly number[],
  attempts: readonly number[],
  changes: number,
  checked: 0 | 1,
];

interface RoundText extends Pick<RoundState, 'phase' | 'setup' | 'advanced'> {
  readonly roster: readonly RosterEntry[] | null;
  readonly results: readonly ResultFields[];
  readonly removed: readonly (readonly [string, number])[];
  readonly aliases: readonly (readonly [number, number])[];
}

const fieldsOf = ({ resultId, personIds, attempts, changes, checked }: RoundResult): ResultFields => [
  resultId,
  personIds,
  attempts,
  changes,
  checked ? 1 : 0,
];

const entryOf = ([resultId, personIds, attempts, changes, checked]: ResultFields): [string, RoundResult] => [
  competitorKey(personIds),
  { resultId, personIds, attempts, changes, checked: checked === 1 },
];

/** Of a round's commands, what matters here. */
interface Entering {
  readonly type: string;
  readonly request?: EntryRequest | undefined;
}

export const roundSnapshots: SnapshotCodec<RoundState, Entering> = {
  version: 4,
  encode: ({ phase, setup, roster, advanced, results, removed, aliases }) => {
    const text: RoundText = {
      phase,
      setup,
      roster: roster && [...roster.values()],
      advanced,
      results: Array.from(results.values(), fieldsOf),
      removed: [...removed],
      aliases: [...aliases],
    };
    return JSON.stringify(text);
  },
  // Codec: the same version wrote it.
  decode: (text) => {
    const { phase, setup, roster, advanced, results, removed, aliases } = JSON.parse(text) as RoundText;
    return {
      ...initialRound,
      phase,
      setup,
      roster: roster && rosterOf(roster),
      advanced,
      results: ImmutableMap(results.map(entryOf)),
      removed: ImmutableMap(removed),
      aliases: ImmutableMap(aliases),
    };
  },
  requests: ({ requests }) => requests,
  withRequests: (state, requests) => ({ ...state, requests }),
  requestOf: ({ request }) => request,
};

export const roundAggregate: Aggregate<RoundKey, RoundState, RoundCommand, RoundEvent> = {
  stream: roundStream,
  decider: roundDecider,
  schema: 1,
  sizeOf: sizeOfRound,
  snapshots: roundSnapshots,
};
