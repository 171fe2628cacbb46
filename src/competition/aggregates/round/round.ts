/**
 * One round: its stream, its events and what is folded from them. A round that was opened carries the rules it decides
 * by, so no entry depends on reading the contest. What may be done is in round.decider.ts and entry.decider.ts.
 */

import { Map as ImmutableMap } from 'immutable';
import { NOT_TAKEN, type RoundRules, type ValueFormat } from '../../../domain/attempts.js';
import type { EventKinds } from '../../../domain/decider.js';
import { competitorKey, type RoundKey } from '../../../domain/references.js';
import { type Members, presentRoster, type Roster } from '../../../domain/roster.js';
import { padded } from '../../../domain/scoring.js';
import type { StreamCategory } from '../../../domain/streams.js';
import { evolveRoster, type RosterEvent } from './roster.js';

export const roundStream: StreamCategory<RoundKey> = {
  name: 'round',
  id: { spaceId: 'text', competitionId: 'text', eventId: 'text', roundNumber: 'number' },
};

/** An `Idempotency-Key` as it was used: a hash of API key and header, and a hash of the body it came with. */
export interface EntryRequest {
  readonly key: string;
  readonly fingerprint: string;
}

/** A result and its persons. The order of a team says who did what. */
export interface ResultRef {
  readonly resultId: string;
  readonly personIds: readonly number[];
}

interface Requested {
  readonly request?: EntryRequest;
}

/** Where a change gives a team another order: the order before. */
interface Reordering {
  readonly was?: readonly number[];
}

/** The number, among those of its result, of the change that this one takes back. */
interface Undoing {
  readonly undoes?: number;
}

export type RoundEvent =
  | {
      readonly type: 'RoundOpened';
      readonly data: {
        readonly rules: RoundRules;
        readonly valueFormat: ValueFormat;
        /** Team size of the event. */
        readonly participants: number;
      };
    }
  | { readonly type: 'RoundRulesChanged'; readonly data: { readonly rules: RoundRules } }
  | { readonly type: 'RoundClosed'; readonly data: Record<string, never> }
  | { readonly type: 'RoundReopened'; readonly data: Record<string, never> }
  /** The opening is taken back: the round is as it was before, without a roster. */
  | { readonly type: 'RoundOpeningUndone'; readonly data: Record<string, never> }
  | RosterEvent
  /** The round is closed, and these advance: the next round opens with them as its roster. */
  | { readonly type: 'AdvancementDecided'; readonly data: { readonly competitors: readonly Members[] } }
  | {
      readonly type: 'AttemptEntered';
      readonly data: ResultRef &
        Requested &
        Reordering & { readonly attemptNumber: number; readonly value: number };
    }
  | {
      readonly type: 'AttemptCorrected';
      readonly data: ResultRef &
        Requested &
        Reordering & { readonly attemptNumber: number; readonly value: number; readonly previous: number };
    }
  | {
      readonly type: 'AttemptCleared';
      readonly data: ResultRef &
        Requested &
        Reordering & { readonly attemptNumber: number; readonly previous: number };
    }
  /** `attempts` has one value for each attempt of the format; not all are 0. */
  | {
      readonly type: 'ResultReplaced';
      readonly data: ResultRef & Requested & Reordering & Undoing & { readonly attempts: readonly number[] };
    }
  | { readonly type: 'ResultRemoved'; readonly data: ResultRef & Requested & Undoing }
  /** Its attempts were compared with the card: typed a second time, or confirmed. So it is until the result changes. */
  | { readonly type: 'ResultChecked'; readonly data: ResultRef }
  /** A request that changed nothing but brought an Idempotency-Key: remembered, so that a late repeat stays harmless. */
  | { readonly type: 'EntryRepeated'; readonly data: { readonly request: EntryRequest } }
  /** In every result of this round, `from` is `into` from now on; result ids stay. */
  | { readonly type: 'CompetitorMerged'; readonly data: { readonly from: number; readonly into: number } };

export const roundEvents: EventKinds<RoundEvent> = {
  RoundOpened: 'control',
  RoundRulesChanged: 'control',
  RoundClosed: 'control',
  RoundReopened: 'control',
  RoundOpeningUndone: 'control',
  RosterSet: 'control',
  RosterExtended: 'control',
  RosterMarked: 'control',
  AdvancementDecided: 'control',
  CompetitorMerged: 'control',
  AttemptEntered: 'data',
  AttemptCorrected: 'data',
  AttemptCleared: 'data',
  ResultReplaced: 'data',
  ResultRemoved: 'data',
  ResultChecked: 'data',
  EntryRepeated: 'data',
};

export interface RoundResult {
  readonly resultId: string;
  readonly personIds: readonly number[];
  /** One value for each attempt of the format; never all 0. */
  readonly attempts: readonly number[];
  /** How often it has changed so far, its first entry counted: the number of its last change. */
  readonly changes: number;
  /** Whether it was typed a second time, the same, or confirmed since it last changed. */
  readonly checked: boolean;
}

/** What a round was opened with. */
export interface RoundSetup {
  readonly rules: RoundRules;
  readonly valueFormat: ValueFormat;
  /** Team size. */
  readonly participants: number;
}

export interface RoundState {
  readonly phase: 'unopened' | 'open' | 'closed';
  /** Null as long as the round was never opened, even if the ending of its contest has closed it. */
  readonly setup: RoundSetup | null;
  /** Null: the round takes every known person. */
  readonly roster: Roster | null;
  /** Who advances to the next round; null: that is not decided, or not any more. */
  readonly advanced: readonly Members[] | null;
  /** By competitor: the person ids in their order, joined by commas. */
  readonly results: ImmutableMap<string, RoundResult>;
  /** By result id: how often a result that is gone had changed. */
  readonly removed: ImmutableMap<string, number>;
  /** Persons that were merged in this round, and into whom. */
  readonly aliases: ImmutableMap<number, number>;
  /** Idempotency keys that were used, with the fingerprint of their request. In a long stream the older ones are looked up instead. */
  readonly requests: ImmutableMap<string, string>;
}

// --- fold -----------------------------------------------------------------------------------------------------------

export const initialRound: RoundState = {
  phase: 'unopened',
  setup: null,
  roster: null,
  advanced: null,
  results: ImmutableMap(),
  removed: ImmutableMap(),
  aliases: ImmutableMap(),
  requests: ImmutableMap(),
};

/** Estimated bytes: of a result with five attempts, of a competitor on the roster, and of entries with two numbers or texts. */
export const sizeOfRound = ({ results, roster, removed, aliases, requests }: RoundState): number =>
  500 +
  600 * results.size +
  200 * (roster?.size ?? 0) +
  150 * removed.size +
  60 * aliases.size +
  260 * requests.size;

export const resolveAlias = (state: RoundState, personIds: readonly number[]): readonly number[] =>
  state.aliases.size === 0 ? personIds : personIds.map((id) => state.aliases.get(id, id));

/** Also of a result that is gone; 0 for one that never was. */
export const changesOf = (state: RoundState, { resultId, personIds }: ResultRef): number => {
  const result = state.results.get(competitorKey(personIds));
  return result?.resultId === resultId ? result.changes : state.removed.get(resultId, 0);
};

/** The state with the persons of the result in the order of this change. */
const inOrder = (state: RoundState, { personIds, was }: ResultRef & Reordering): RoundState => {
  const former = was && state.results.get(competitorKey(was));
  if (was === undefined || former === undefined) return state;
  const others = state.results.delete(competitorKey(was));
  return { ...state, results: others.set(competitorKey(personIds), { ...former, personIds }) };
};

const withAttempts = (state: RoundState, result: Omit<RoundResult, 'changes' | 'checked'>): RoundState => {
  const key = competitorKey(result.personIds);
  const changes = changesOf(state, result) + 1;
  return result.attempts.every((value) => value === NOT_TAKEN)
    ? { ...state, results: state.results.delete(key), removed: state.removed.set(result.resultId, changes) }
    : { ...state, results: state.results.set(key, { ...result, changes, checked: false }) };
};

const withCheck = (state: RoundState, { personIds }: ResultRef): RoundState => {
  const key = competitorKey(personIds);
  const result = state.results.get(key);
  return result === undefined
    ? state
    : { ...state, results: state.results.set(key, { ...result, checked: true }) };
};

const withAttempt = (
  before: RoundState,
  at: ResultRef & Reordering & { readonly attemptNumber: number },
  value: number,
): RoundState => {
  const { resultId, personIds, attemptNumber } = at;
  const state = inOrder(before, at);
  const known = state.results.get(competitorKey(personIds))?.attempts ?? noAttempts(state);
  const attempts = known.map((old, index) => (index === attemptNumber - 1 ? value : old));
  return withAttempts(state, { resultId, personIds, attempts });
};

export const noAttempts = ({ setup }: RoundState): readonly number[] =>
  setup === null ? [] : padded([], setup.rules.format);

const withRules = (state: RoundState, rules: RoundRules): RoundState => ({
  ...state,
  setup: state.setup === null ? null : { ...state.setup, rules },
  results:
    state.setup?.rules.format === rules.format
      ? state.results
      : state.results.map((result) => ({ ...result, attempts: padded(result.attempts, rules.format) })),
});

const withMerge = (state: RoundState, from: number, into: number): RoundState => {
  const present = (id: number): number => (id === from ? into : id);
  return {
    ...state,
    aliases: state.aliases.map(present).set(from, into),
    roster: state.roster && presentRoster(state.roster, present),
    advanced: state.advanced?.map((personIds) => personIds.map(present)) ?? null,
    results: state.results.mapEntries(([key, result]) => {
      if (!result.personIds.includes(from)) return [key, result];
      const personIds = result.personIds.map(present);
      return [competitorKey(personIds), { ...result, personIds }];
    }),
  };
};

const remembering = (state: RoundState, request: EntryRequest | undefined): RoundState =>
  request === undefined
    ? state
    : { ...state, requests: state.requests.set(request.key, request.fingerprint) };

export const evolve = (state: RoundState, event: RoundEvent): RoundState => {
  switch (event.type) {
    case 'RoundOpened':
      return { ...state, phase: 'open', setup: event.data };
    case 'RoundRulesChanged':
      return withRules(state, event.data.rules);
    case 'RoundClosed':
      return { ...state, phase: 'closed' };
    case 'RoundReopened':
      return { ...state, phase: 'open', advanced: null };
    case 'RoundOpeningUndone':
      return { ...state, phase: 'unopened', setup: null, roster: null };
    case 'RosterSet':
    case 'RosterExtended':
    case 'RosterMarked':
      return { ...state, roster: evolveRoster(state.roster, event) };
    case 'AdvancementDecided':
      return { ...state, advanced: event.data.competitors };
    case 'AttemptEntered':
    case 'AttemptCorrected':
      return remembering(withAttempt(state, event.data, event.data.value), event.data.request);
    case 'AttemptCleared':
      return remembering(withAttempt(state, event.data, NOT_TAKEN), event.data.request);
    case 'ResultReplaced': {
      const { resultId, personIds, attempts, request } = event.data;
      const result = { resultId, personIds, attempts };
      return remembering(withAttempts(inOrder(state, event.data), result), request);
    }
    case 'ResultRemoved': {
      const { resultId, personIds, request } = event.data;
      return remembering(withAttempts(state, { resultId, personIds, attempts: [] }), request);
    }
    case 'ResultChecked':
      return withCheck(state, event.data);
    case 'EntryRepeated':
      return remembering(state, event.data.request);
    case 'CompetitorMerged':
      return withMerge(state, event.data.from, event.data.into);
    default:
      event satisfies never;
      return state;
  }
};
