/**
 * One round, the consistency boundary of result entry: whether it is open, the rules it was opened with, and every
 * result in it. Whatever two devices send at once, each decision sees what the other has done. From top to bottom:
 * state, commands, fold, decisions.
 */
import { Map as ImmutableMap } from 'immutable';
import { NOT_TAKEN, type RoundRules, type ValueFormat } from '../domain/attempts.js';
import { accept, type Decider, type Decision, reject } from '../domain/decider.js';
import { sameData } from '../domain/equality.js';
import type { Rejection, RejectionCode } from '../domain/rejections.js';
import { attemptsOf, padded } from '../domain/scoring.js';
import type { Aggregate } from '../eventstore/aggregate.js';
import type { RoundKey } from '../eventstore/streams.js';
import {
  cutoffProblems,
  type Problem,
  refusal,
  rulesConflicts,
  teamProblems,
  timeLimitProblems,
  tooManyAttempts,
  valueProblems,
} from './entry-rules.js';
import type { EntryRequest, ResultRef, RoundEvent } from './round.events.js';

export interface RoundResult {
  readonly resultId: string;
  readonly personIds: readonly number[];
  /** One value for each attempt of the format; never all 0. */
  readonly attempts: readonly number[];
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
  /** By competitor: the person ids in their order, joined by commas. */
  readonly results: ImmutableMap<string, RoundResult>;
  /** Persons that were merged in this round, and into whom. */
  readonly aliases: ImmutableMap<number, number>;
  /** Idempotency keys that were used, with the fingerprint of their request. */
  readonly requests: ImmutableMap<string, string>;
}

/** A competitor as a request names it and as the persons' streams know it. */
export interface Competitor {
  /** As named. */
  readonly named: readonly number[];
  /** With merged persons followed to whom they became. */
  readonly personIds: readonly number[];
  /** What the result will be called if this entry makes it. */
  readonly resultId: string;
  /** The request's field that names the competitor. */
  readonly field: string;
  /** Centiseconds spent in the other rounds of a cumulative time limit. */
  readonly elsewhere: number;
}

export interface ResultRow {
  readonly competitor: Competitor;
  readonly attempts: readonly number[];
}

interface Requested {
  readonly request?: EntryRequest | undefined;
}

export type RoundCommand =
  | { readonly type: 'OpenRound'; readonly setup: RoundSetup }
  | { readonly type: 'CloseRound' }
  /** Closes for the ending of the contest: also what was never opened, so that an opening under way loses. */
  | { readonly type: 'SealRound' }
  /** Closes what was never opened, because it left the plan. */
  | { readonly type: 'WithdrawRound' }
  | { readonly type: 'ChangeRules'; readonly rules: RoundRules }
  | ({
      readonly type: 'EnterAttempt';
      readonly competitor: Competitor;
      readonly attemptNumber: number;
      readonly value: number;
    } & Requested)
  | ({ readonly type: 'EnterResults'; readonly rows: readonly ResultRow[] } & Requested)
  | { readonly type: 'MergeCompetitor'; readonly from: number; readonly into: number };

type CommandOf<T extends RoundCommand['type']> = Extract<RoundCommand, { type: T }>;

// --- fold -----------------------------------------------------------------------------------------------------------

export const initialRound: RoundState = {
  phase: 'unopened',
  setup: null,
  results: ImmutableMap(),
  aliases: ImmutableMap(),
  requests: ImmutableMap(),
};

const competitorKey = (personIds: readonly number[]): string => personIds.join(',');

const unaliased = (state: RoundState, personIds: readonly number[]): readonly number[] =>
  state.aliases.size === 0 ? personIds : personIds.map((id) => state.aliases.get(id, id));

/** The result of exactly these persons in this order, whatever they were called before a merge. */
export const resultOf = (state: RoundState, personIds: readonly number[]): RoundResult | undefined =>
  state.results.get(competitorKey(unaliased(state, personIds)));

/**
 * Where an entry goes: the result that the persons have as they were named (their merge has not come to this round
 * yet), else the competitor that they are now.
 */
export const placeOf = (
  state: RoundState,
  { named, personIds, resultId }: Pick<Competitor, 'named' | 'personIds' | 'resultId'>,
): { readonly personIds: readonly number[]; readonly resultId: string; readonly result?: RoundResult } => {
  const result = resultOf(state, named) ?? resultOf(state, personIds);
  return result === undefined
    ? { personIds: unaliased(state, personIds), resultId }
    : { personIds: result.personIds, resultId: result.resultId, result };
};

const withAttempts = (state: RoundState, result: RoundResult): RoundState => {
  const key = competitorKey(result.personIds);
  const results = result.attempts.every((value) => value === NOT_TAKEN)
    ? state.results.delete(key)
    : state.results.set(key, result);
  return { ...state, results };
};

const withAttempt = (
  state: RoundState,
  at: { readonly resultId: string; readonly personIds: readonly number[]; readonly attemptNumber: number },
  value: number,
): RoundState => {
  const { resultId, personIds, attemptNumber } = at;
  const before = state.results.get(competitorKey(personIds))?.attempts ?? noAttempts(state);
  const attempts = before.map((old, index) => (index === attemptNumber - 1 ? value : old));
  return withAttempts(state, { resultId, personIds, attempts });
};

const noAttempts = ({ setup }: RoundState): readonly number[] =>
  setup === null ? [] : padded([], setup.rules.format);

const withRules = (state: RoundState, rules: RoundRules): RoundState => ({
  ...state,
  setup: state.setup === null ? null : { ...state.setup, rules },
  results:
    state.setup?.rules.format === rules.format
      ? state.results
      : state.results.map((result) => ({ ...result, attempts: padded(result.attempts, rules.format) })),
});

const withMerge = (state: RoundState, from: number, into: number): RoundState => ({
  ...state,
  aliases: state.aliases.map((id) => (id === from ? into : id)).set(from, into),
  results: state.results.mapEntries(([key, result]) => {
    if (!result.personIds.includes(from)) return [key, result];
    const personIds = result.personIds.map((id) => (id === from ? into : id));
    return [competitorKey(personIds), { ...result, personIds }];
  }),
});

const remembering = (state: RoundState, request: EntryRequest | undefined): RoundState =>
  request === undefined
    ? state
    : { ...state, requests: state.requests.set(request.key, request.fingerprint) };

const evolve = (state: RoundState, event: RoundEvent): RoundState => {
  switch (event.type) {
    case 'RoundOpened':
      return { ...state, phase: 'open', setup: event.data };
    case 'RoundRulesChanged':
      return withRules(state, event.data.rules);
    case 'RoundClosed':
      return { ...state, phase: 'closed' };
    case 'RoundReopened':
      return { ...state, phase: 'open' };
    case 'AttemptEntered':
    case 'AttemptCorrected':
      return remembering(withAttempt(state, event.data, event.data.value), event.data.request);
    case 'AttemptCleared':
      return remembering(withAttempt(state, event.data, NOT_TAKEN), event.data.request);
    case 'ResultReplaced': {
      const { resultId, personIds, attempts, request } = event.data;
      return remembering(withAttempts(state, { resultId, personIds, attempts }), request);
    }
    case 'ResultRemoved': {
      const { resultId, personIds, request } = event.data;
      return remembering(withAttempts(state, { resultId, personIds, attempts: [] }), request);
    }
    case 'EntryRepeated':
      return remembering(state, event.data.request);
    case 'CompetitorMerged':
      return withMerge(state, event.data.from, event.data.into);
    default:
      return event satisfies never;
  }
};

// --- opening and closing --------------------------------------------------------------------------------------------

const refuse = (code: RejectionCode, detail: string): Decision<RoundEvent> => reject({ code, detail });

const changeRules = (rules: RoundRules, state: RoundState): Decision<RoundEvent> => {
  if (state.setup === null || sameData(state.setup.rules, rules)) return accept();
  const errors = rulesConflicts([...state.results.values()], rules, state.setup.valueFormat);
  const [first] = errors;
  if (first !== undefined) return reject({ code: 'rules-conflict', detail: first.message, errors });
  return accept({ type: 'RoundRulesChanged', data: { rules } });
};

const open = (setup: RoundSetup, state: RoundState): Decision<RoundEvent> => {
  if (state.phase === 'open') return accept();
  if (state.setup === null) return accept({ type: 'RoundOpened', data: setup });
  const changed = changeRules(setup.rules, state);
  return changed.ok ? accept<RoundEvent>({ type: 'RoundReopened', data: {} }, ...changed.events) : changed;
};

const close = (command: RoundCommand['type'], state: RoundState): Decision<RoundEvent> => {
  if (command === 'CloseRound' && state.setup === null)
    return refuse('round-state', 'the round was never opened');
  if (command === 'WithdrawRound' && state.setup !== null)
    return refuse('round-state', 'the round was opened and may hold results');
  return state.phase === 'closed' ? accept() : accept({ type: 'RoundClosed', data: {} });
};

// --- entering -------------------------------------------------------------------------------------------------------

type Asked = { readonly done: Decision<RoundEvent> } | { readonly setup: RoundSetup };

/** Whether there is anything to decide: not for a request that was answered before, nor in a round that is not open. */
const asked = (state: RoundState, request: EntryRequest | undefined): Asked => {
  const known = request === undefined ? undefined : state.requests.get(request.key);
  if (known !== undefined)
    return {
      done:
        known === request?.fingerprint
          ? accept()
          : refuse('idempotency-key-reused', 'the Idempotency-Key was used with another body'),
    };
  if (state.phase === 'open' && state.setup !== null) return { setup: state.setup };
  const message = state.setup === null ? 'the round has not been opened' : 'the round is closed';
  return {
    done: reject({
      code: 'round-not-open',
      detail: message,
      errors: [{ field: 'roundNumber', rule: 'round-not-open', message }],
    }),
  };
};

const unchanged = (request: EntryRequest | undefined): Decision<RoundEvent> =>
  request === undefined ? accept() : accept({ type: 'EntryRepeated', data: { request } });

const carrying = (request: EntryRequest | undefined): { readonly request?: EntryRequest } =>
  request === undefined ? {} : { request };

/** The fact of one attempt's change. Clearing the last attempt of a result removes it. */
const attemptEvent = (
  data: ResultRef & { readonly request?: EntryRequest },
  change: { readonly attemptNumber: number; readonly previous: number; readonly value: number },
  attempts: readonly number[],
): RoundEvent => {
  const { attemptNumber, previous, value } = change;
  if (value !== NOT_TAKEN)
    return previous === NOT_TAKEN
      ? { type: 'AttemptEntered', data: { ...data, attemptNumber, value } }
      : { type: 'AttemptCorrected', data: { ...data, attemptNumber, value, previous } };
  if (attempts.every((each) => each === NOT_TAKEN)) return { type: 'ResultRemoved', data };
  return { type: 'AttemptCleared', data: { ...data, attemptNumber, previous } };
};

const attemptField = (): string => 'attemptResult';

/** What is wrong with the request itself, whatever was entered before; in the order in which refusals are told. */
const attemptRefusal = (
  { attemptNumber, value, competitor }: CommandOf<'EnterAttempt'>,
  personIds: readonly number[],
  { rules, participants, valueFormat }: RoundSetup,
): Rejection | null => {
  const exists =
    Number.isInteger(attemptNumber) && attemptNumber >= 1 && attemptNumber <= attemptsOf(rules.format);
  return refusal([
    ...(exists ? [] : [tooManyAttempts('attemptNumber', rules.format)]),
    ...teamProblems(personIds, participants, competitor.field),
    ...valueProblems([value], valueFormat, attemptField),
  ]);
};

const enterAttempt = (command: CommandOf<'EnterAttempt'>, state: RoundState): Decision<RoundEvent> => {
  const { competitor, attemptNumber, value, request } = command;
  const start = asked(state, request);
  if ('done' in start) return start.done;
  const { setup } = start;
  const { personIds, resultId, result } = placeOf(state, competitor);
  const wrong = attemptRefusal(command, personIds, setup);
  if (wrong !== null) return reject(wrong);
  const before = result?.attempts ?? noAttempts(state);
  const previous = before[attemptNumber - 1] ?? NOT_TAKEN;
  if (value === previous) return unchanged(request);
  const attempts = before.with(attemptNumber - 1, value);
  const question = { field: attemptField, elsewhere: competitor.elsewhere, attemptNumber };
  const broken = refusal([
    ...cutoffProblems(attempts, setup.rules.cutoff, question),
    ...timeLimitProblems(attempts, setup, question),
  ]);
  if (broken !== null) return reject(broken);
  const data = { resultId, personIds, ...carrying(request) };
  return accept(attemptEvent(data, { attemptNumber, previous, value }, attempts));
};

interface CheckedRow {
  readonly key: string;
  readonly problems: readonly Problem[];
  /** Null: the row changes nothing, or is refused. */
  readonly event: RoundEvent | null;
}

const checkRow = (
  { competitor, attempts }: ResultRow,
  index: number,
  state: RoundState,
  setup: RoundSetup,
  request: EntryRequest | undefined,
): CheckedRow => {
  const { personIds, resultId, result } = placeOf(state, competitor);
  const key = competitorKey(personIds);
  const field = (attempt: number): string => `results[${index}].attempts[${attempt}].result`;
  const { format, cutoff } = setup.rules;
  const after = padded(attempts, format);
  const shape = [
    ...(attempts.length > after.length ? [tooManyAttempts(field(after.length), format)] : []),
    ...teamProblems(personIds, setup.participants, competitor.field),
    ...valueProblems(after, setup.valueFormat, field),
  ];
  if (shape.length > 0) return { key, problems: shape, event: null };
  if (sameData(after, result?.attempts ?? noAttempts(state))) return { key, problems: [], event: null };
  const problems = [
    ...cutoffProblems(after, cutoff, { field }),
    ...timeLimitProblems(after, setup, { field, elsewhere: competitor.elsewhere }),
  ];
  if (problems.length > 0) return { key, problems, event: null };
  const data = { resultId, personIds, ...carrying(request) };
  const removed = after.every((value) => value === NOT_TAKEN);
  return {
    key,
    problems,
    event: removed
      ? { type: 'ResultRemoved', data }
      : { type: 'ResultReplaced', data: { ...data, attempts: after } },
  };
};

/** Every row that is wrong is told. The request rides on the first event: all of them land together or not at all. */
const enterResults = (command: CommandOf<'EnterResults'>, state: RoundState): Decision<RoundEvent> => {
  const { rows, request } = command;
  const start = asked(state, request);
  if ('done' in start) return start.done;
  const seen = new Set<string>();
  const problems: Problem[] = [];
  const events: RoundEvent[] = [];
  for (const [index, row] of rows.entries()) {
    const carried = events.length === 0 ? request : undefined;
    const { key, problems: found, event } = checkRow(row, index, state, start.setup, carried);
    problems.push(...found);
    if (event !== null) events.push(event);
    if (seen.has(key)) {
      const message = 'the competitor has an earlier row in this request';
      problems.push({ field: row.competitor.field, rule: 'competitor-repeated', message });
    }
    seen.add(key);
  }
  const wrong = refusal(problems);
  if (wrong !== null) return reject(wrong);
  return events.length === 0 ? unchanged(request) : accept(...events);
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
    return refuse('merge-conflict', `persons ${from} and ${into} both have a result in the round`);
  return accept({ type: 'CompetitorMerged', data: { from, into } });
};

const decide = (command: RoundCommand, state: RoundState): Decision<RoundEvent> => {
  switch (command.type) {
    case 'OpenRound':
      return open(command.setup, state);
    case 'CloseRound':
    case 'SealRound':
    case 'WithdrawRound':
      return close(command.type, state);
    case 'ChangeRules':
      return changeRules(command.rules, state);
    case 'EnterAttempt':
      return enterAttempt(command, state);
    case 'EnterResults':
      return enterResults(command, state);
    case 'MergeCompetitor':
      return merge(command.from, command.into, state);
    default:
      return command satisfies never;
  }
};

export const roundDecider: Decider<RoundState, RoundCommand, RoundEvent> = {
  initialState: initialRound,
  evolve,
  decide,
};

export const roundAggregate: Aggregate<RoundKey, RoundState, RoundCommand, RoundEvent> = {
  name: 'round',
  stream: (names, round) => names.round(round),
  decider: roundDecider,
  schema: 1,
};
