/**
 * One round: its stream, its events and what is folded from them. A round that was opened carries the rules it decides
 * by, so no entry depends on reading the contest. What may be done is in round.decider.ts, result entry in entry.decider.ts.
 */

import { Map as ImmutableMap } from 'immutable';
import { NOT_TAKEN, type RoundRules, type ValueFormat } from '../../../domain/attempts.js';
import type { EventKinds } from '../../../domain/decider.js';
import { competitorKey, type RoundKey } from '../../../domain/references.js';
import { type Members, presentRoster, type Roster, rosterOf } from '../../../domain/roster.js';
import {
  expectedRoster,
  extendedRoster,
  markedRoster,
  type RosterChange,
  type RosterMarking,
} from '../../../domain/roster-changes.js';
import {
  hasAttempts,
  inFormat,
  type RoundResults,
  reordered,
  withCheck,
  withMerged,
} from '../../../domain/round-results.js';
import { padded } from '../../../domain/scoring.js';
import type { StreamCategory } from '../../../domain/streams.js';

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

/** What every change of a result tells beside the values. */
export interface ResultChange extends ResultRef {
  readonly request?: EntryRequest;
  /** Where the change gives a team another order: the order before. */
  readonly was?: readonly number[];
  /** Of a whole result: the number, among those of the result, of the change that this one takes back. */
  readonly undoes?: number;
}

interface AttemptChange extends Omit<ResultChange, 'undoes'> {
  readonly attemptNumber: number;
}

/** What a round was opened with. */
export interface RoundSetup {
  readonly rules: RoundRules;
  readonly valueFormat: ValueFormat;
  /** Team size of the event. */
  readonly participants: number;
}

type Nothing = Record<string, never>;

export type RosterEvent =
  | { readonly type: 'RosterSet'; readonly data: { readonly competitors: readonly Members[] } }
  | { readonly type: 'RosterExtended'; readonly data: RosterChange }
  | { readonly type: 'RosterMarked'; readonly data: RosterMarking };

/** In every result of this round and on its roster, `from` is `into` from now on; result ids stay. */
export interface CompetitorMerged {
  readonly type: 'CompetitorMerged';
  readonly data: { readonly from: number; readonly into: number };
}

export type RoundEvent =
  | { readonly type: 'RoundOpened'; readonly data: RoundSetup }
  | { readonly type: 'RoundRulesChanged'; readonly data: { readonly rules: RoundRules } }
  | { readonly type: 'RoundClosed'; readonly data: Nothing }
  | { readonly type: 'RoundReopened'; readonly data: Nothing }
  /** The opening is taken back: the round is as it was before, without a roster. */
  | { readonly type: 'RoundOpeningUndone'; readonly data: Nothing }
  | RosterEvent
  /** The round is closed, and these advance: the next round opens with them as its roster. */
  | { readonly type: 'AdvancementDecided'; readonly data: { readonly competitors: readonly Members[] } }
  | { readonly type: 'AttemptEntered'; readonly data: AttemptChange & { readonly value: number } }
  | {
      readonly type: 'AttemptCorrected';
      readonly data: AttemptChange & { readonly value: number; readonly previous: number };
    }
  | { readonly type: 'AttemptCleared'; readonly data: AttemptChange & { readonly previous: number } }
  /** `attempts` has one value for each attempt of the format; not all are 0. */
  | {
      readonly type: 'ResultReplaced';
      readonly data: ResultChange & { readonly attempts: readonly number[] };
    }
  | { readonly type: 'ResultRemoved'; readonly data: Omit<ResultChange, 'was'> }
  /** Its attempts were compared with the card: typed a second time, or confirmed. So it is until the result changes. */
  | { readonly type: 'ResultChecked'; readonly data: ResultRef }
  /** A request that changed nothing but brought an Idempotency-Key: remembered, so that a late repeat stays harmless. */
  | { readonly type: 'EntryRepeated'; readonly data: { readonly request: EntryRequest } }
  | CompetitorMerged;

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

// --- state -----------------------------------------------------------------------------------------------------------

export interface RoundState {
  readonly phase: 'unopened' | 'open' | 'closed';
  /** Null as long as the round was never opened, even if the ending of its contest has closed it. */
  readonly setup: RoundSetup | null;
  /** Null: the round takes every known person. */
  readonly roster: Roster | null;
  /** Who advances to the next round; null: that is not decided, or not any more. */
  readonly advanced: readonly Members[] | null;
  readonly results: RoundResults;
  /** By result id: how often a result that is gone had changed. */
  readonly removed: ImmutableMap<string, number>;
  /** Persons that were merged in this round, and into whom. */
  readonly aliases: ImmutableMap<number, number>;
  /** Idempotency keys that were used, with the fingerprint of their request. In a long stream the older ones are looked up instead. */
  readonly requests: ImmutableMap<string, string>;
}

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

export const noAttempts = ({ setup }: RoundState): readonly number[] =>
  setup === null ? [] : padded([], setup.rules.format);

/** Also of a result that is gone; 0 for one that never was. */
export const changesOf = (
  { results, removed }: Pick<RoundState, 'results' | 'removed'>,
  { resultId, personIds }: ResultRef,
): number => {
  const result = results.get(competitorKey(personIds));
  return result?.resultId === resultId ? result.changes : removed.get(resultId, 0);
};

// --- fold -----------------------------------------------------------------------------------------------------------

const remembering = (state: RoundState, request: EntryRequest | undefined): RoundState =>
  request === undefined
    ? state
    : { ...state, requests: state.requests.set(request.key, request.fingerprint) };

/** A result that has no attempts any more is gone. `after` makes the attempts from those before. */
const withChange = (
  state: RoundState,
  { resultId, personIds, was, request }: ResultChange,
  after: (before: readonly number[]) => readonly number[],
): RoundState => {
  const results = was === undefined ? state.results : reordered(state.results, personIds, was);
  const key = competitorKey(personIds);
  const attempts = after(results.get(key)?.attempts ?? noAttempts(state));
  const changes = changesOf({ results, removed: state.removed }, { resultId, personIds }) + 1;
  const changed = hasAttempts(attempts)
    ? { results: results.set(key, { resultId, personIds, attempts, changes, checked: false }) }
    : { results: results.delete(key), removed: state.removed.set(resultId, changes) };
  return remembering({ ...state, ...changed }, request);
};

const withAttempt = (state: RoundState, change: AttemptChange, value: number): RoundState =>
  withChange(state, change, (before) =>
    before.map((old, index) => (index === change.attemptNumber - 1 ? value : old)),
  );

const withRules = (state: RoundState, rules: RoundRules): RoundState => ({
  ...state,
  setup: state.setup === null ? null : { ...state.setup, rules },
  results: state.setup?.rules.format === rules.format ? state.results : inFormat(state.results, rules.format),
});

const withMerge = (state: RoundState, event: CompetitorMerged): RoundState => {
  const { from, into } = event.data;
  const present = (id: number): number => (id === from ? into : id);
  return {
    ...state,
    aliases: state.aliases.map(present).set(from, into),
    roster: state.roster && evolveRoster(state.roster, event),
    advanced: state.advanced?.map((personIds) => personIds.map(present)) ?? null,
    results: withMerged(state.results, from, into),
  };
};

/** `roster`: null before there is one. */
export const evolveRoster = (roster: Roster | null, event: RosterEvent | CompetitorMerged): Roster => {
  const before = roster ?? rosterOf([]);
  switch (event.type) {
    case 'RosterSet':
      return expectedRoster(event.data.competitors);
    case 'RosterExtended':
      return extendedRoster(before, event.data);
    case 'RosterMarked':
      return markedRoster(before, event.data);
    case 'CompetitorMerged':
      return presentRoster(before, (id) => (id === event.data.from ? event.data.into : id));
    default:
      event satisfies never;
      return before;
  }
};

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
      return withAttempt(state, event.data, event.data.value);
    case 'AttemptCleared':
      return withAttempt(state, event.data, NOT_TAKEN);
    case 'ResultReplaced':
      return withChange(state, event.data, () => event.data.attempts);
    case 'ResultRemoved':
      return withChange(state, event.data, () => []);
    case 'ResultChecked':
      return { ...state, results: withCheck(state.results, event.data.personIds) };
    case 'EntryRepeated':
      return remembering(state, event.data.request);
    case 'CompetitorMerged':
      return withMerge(state, event);
    default:
      event satisfies never;
      return state;
  }
};
