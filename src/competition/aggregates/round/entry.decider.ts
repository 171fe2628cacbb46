/**
 * Entering an attempt: which result it is of, what keeps it from being entered, and its event. A refusal names the fields
 * that are wrong; a request that was answered before is answered so again. Whole results are in results.decider.ts.
 */
import { NOT_TAKEN } from '../../../domain/attempts.js';
import { accept, type Decision, reject } from '../../../domain/decider.js';
import {
  cutoffProblems,
  type Problem,
  refusal,
  teamProblems,
  timeLimitProblems,
  tooManyAttempts,
  valueProblems,
} from '../../../domain/entry-rules.js';
import { isSameData } from '../../../domain/equality.js';
import { competitorKey, membersKey } from '../../../domain/references.js';
import type { Rejection } from '../../../domain/rejections.js';
import type { Members } from '../../../domain/roster.js';
import { attemptsOf } from '../../../domain/scoring.js';
import {
  type EntryRequest,
  noAttempts,
  type ResultRef,
  type RoundEvent,
  type RoundResult,
  type RoundSetup,
  type RoundState,
  resolveAlias,
} from './round.js';

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
  /** The row's index in the request. */
  readonly index: number;
  readonly competitor: Competitor;
  readonly attempts: readonly number[];
  /** The attempts that the client saw before it changed them. The row is refused when the round has others by now. */
  readonly seen?: readonly number[] | undefined;
}

interface Requested {
  readonly request?: EntryRequest | undefined;
}

export type EntryCommand =
  | ({
      readonly type: 'EnterAttempt';
      readonly eventId: string;
      readonly competitor: Competitor;
      readonly attemptNumber: number;
      readonly value: number;
    } & Requested)
  | ({
      readonly type: 'EnterResults';
      readonly eventId: string;
      readonly rows: readonly ResultRow[];
      /** Refusals of other rows of the request. Nothing is entered, and the refusal tells what is wrong with all rows. */
      readonly refused?: Rejection | null;
    } & Requested)
  /** A moderator has typed the attempts a second time, or has seen and confirms them. */
  | {
      readonly type: 'CheckResult';
      readonly competitor: Omit<Competitor, 'elsewhere'>;
      readonly attempts: readonly number[];
    }
  /** Puts a result back to what it was before its last change, which has to be this one. */
  | {
      readonly type: 'UndoChange';
      readonly eventId: string;
      /** Who the result was last entered for, and the id that it has had since. */
      readonly competitor: Competitor;
      /** The change's number among those of its result, from 1 on. */
      readonly change: number;
      /** The attempts before the change, as the stream tells them. */
      readonly before: readonly number[];
      /** The persons in their order before the change; left out where there was no result. */
      readonly order?: readonly number[] | undefined;
    };

export type CommandOf<T extends EntryCommand['type']> = Extract<EntryCommand, { type: T }>;

// --- the result that an entry means ----------------------------------------------------------------------------------

// The members of a team identify it, whatever their order. The order says who did what, so a result has the order of its last
// entry. Rounds of before may hold a team twice, in two orders: there the order tells which result is meant.

const ofMembers = (state: RoundState, personIds: readonly number[]): RoundResult | undefined => {
  const [first] = personIds;
  if (first === undefined || personIds.length === 1) return undefined;
  const key = membersKey(personIds);
  return state.results.find(
    (other) => other.personIds.includes(first) && membersKey(other.personIds) === key,
  );
};

/** The result of exactly these persons, whatever they were called before a merge. */
export const resultOf = (state: RoundState, personIds: readonly number[]): RoundResult | undefined => {
  const now = resolveAlias(state, personIds);
  return state.results.get(competitorKey(now)) ?? ofMembers(state, now);
};

export interface ResultPlace {
  readonly resultId: string;
  /** In the order that the result has, or would get. */
  readonly personIds: readonly number[];
  /** The same persons in the order of the entry. */
  readonly sent: readonly number[];
  /** Undefined as long as there is none. */
  readonly result?: RoundResult;
}

/**
 * Where an entry goes: the result that the persons have as they were named (their merge has not come to this round
 * yet), else the competitor that they are now.
 */
export const placeOf = (
  state: RoundState,
  { named, personIds, resultId }: Pick<Competitor, 'named' | 'personIds' | 'resultId'>,
): ResultPlace => {
  const asNamed = resultOf(state, named);
  const result = asNamed ?? resultOf(state, personIds);
  const sent = resolveAlias(state, asNamed === undefined ? personIds : named);
  return result === undefined
    ? { resultId, personIds: sent, sent }
    : { resultId: result.resultId, personIds: result.personIds, sent, result };
};

/** What is wrong with the persons of an entry; `result` is the one that they have. */
export const competitorProblems = (
  state: RoundState,
  { participants }: RoundSetup,
  {
    personIds,
    result,
    field,
  }: { readonly personIds: Members; readonly result: RoundResult | undefined; readonly field: string },
): readonly Problem[] => [
  ...teamProblems(personIds, participants, field),
  ...(result === undefined ? otherTeamProblems(state, personIds, field) : []),
];

/** A person is in one team of a round. `personIds` are those of a team that has no result yet. */
const otherTeamProblems = (
  state: RoundState,
  personIds: readonly number[],
  field: string,
): readonly Problem[] => {
  if (personIds.length === 1) return [];
  const other = state.results.find((result) => result.personIds.some((id) => personIds.includes(id)));
  const person = other?.personIds.find((id) => personIds.includes(id));
  if (other === undefined || person === undefined) return [];
  const message = `person ${person} is in another team of the round: ${competitorKey(other.personIds)}`;
  return [{ field, rule: 'person-in-two-teams', message }];
};

// --- events ----------------------------------------------------------------------------------------------------------

// Each names the persons in the order that they were sent in, and the order before when that was another one.

const carrying = (request: EntryRequest | undefined): { readonly request?: EntryRequest } =>
  request === undefined ? {} : { request };

/** What every change of a result tells beside the values. */
export interface EntryFacts extends ResultRef {
  readonly request?: EntryRequest;
  /** The order of the team before, when this entry names its members in another one. */
  readonly was?: readonly number[];
  /** The number of the change that this one takes back. */
  readonly undoes?: number;
}

export const isReordered = ({ result, sent }: ResultPlace): boolean =>
  result !== undefined && !isSameData(result.personIds, sent);

export const factsOf = (place: ResultPlace, request: EntryRequest | undefined): EntryFacts => ({
  resultId: place.resultId,
  personIds: place.sent,
  ...(isReordered(place) ? { was: place.personIds } : {}),
  ...carrying(request),
});

/** Removes the result under the order of its persons that it has. */
const removal = ({ was, personIds, ...data }: EntryFacts): RoundEvent => ({
  type: 'ResultRemoved',
  data: { ...data, personIds: was ?? personIds },
});

/** The fact of one attempt's change. Clearing the last attempt of a result removes it. */
export const attemptEvent = (
  data: EntryFacts,
  change: { readonly attemptNumber: number; readonly previous: number; readonly value: number },
  attempts: readonly number[],
): RoundEvent => {
  const { attemptNumber, previous, value } = change;
  if (value !== NOT_TAKEN)
    return previous === NOT_TAKEN
      ? { type: 'AttemptEntered', data: { ...data, attemptNumber, value } }
      : { type: 'AttemptCorrected', data: { ...data, attemptNumber, value, previous } };
  if (attempts.every((each) => each === NOT_TAKEN)) return removal(data);
  return { type: 'AttemptCleared', data: { ...data, attemptNumber, previous } };
};

/** The event by which a result has these attempts from now on. */
export const resultEvent = (data: EntryFacts, attempts: readonly number[]): RoundEvent =>
  attempts.every((value) => value === NOT_TAKEN)
    ? removal(data)
    : { type: 'ResultReplaced', data: { ...data, attempts } };

// --- entering -------------------------------------------------------------------------------------------------------

type Asked = { readonly done: Decision<RoundEvent> } | { readonly setup: RoundSetup };

/** Whether there is anything to decide: not for a request that was answered before, nor in a round that is not open. */
export const asked = (state: RoundState, request: EntryRequest | undefined): Asked => {
  const known = request === undefined ? undefined : state.requests.get(request.key);
  if (known !== undefined && known === request?.fingerprint) return { done: accept() };
  if (known !== undefined) {
    const detail = 'the Idempotency-Key was used with another body';
    return { done: reject({ code: 'idempotency-key-reused', detail }) };
  }
  if (state.phase === 'open' && state.setup !== null) return { setup: state.setup };
  const message = state.setup === null ? 'the round has not been opened' : 'the round is closed';
  const errors = [{ field: 'roundNumber', rule: 'round-not-open', message }];
  return { done: reject({ code: 'round-not-open', detail: message, errors }) };
};

export const unchanged = (request: EntryRequest | undefined): Decision<RoundEvent> =>
  request === undefined ? accept() : accept({ type: 'EntryRepeated', data: { request } });

const attemptField = (): string => 'attemptResult';

/** What is wrong with the request itself, whatever was entered before; in the order in which refusals are told. */
const attemptRefusal = (
  { eventId, attemptNumber, value, competitor }: CommandOf<'EnterAttempt'>,
  { sent, result }: ResultPlace,
  state: RoundState,
  setup: RoundSetup,
): Rejection | null => {
  const { rules, valueFormat } = setup;
  const entered = { field: attemptField, isEntered: () => true };
  const exists =
    Number.isInteger(attemptNumber) && attemptNumber >= 1 && attemptNumber <= attemptsOf(rules.format);
  return refusal([
    ...(exists ? [] : [tooManyAttempts('attemptNumber', rules.format)]),
    ...competitorProblems(state, setup, { personIds: sent, result, field: competitor.field }),
    ...valueProblems([value], { eventId, valueFormat }, entered),
  ]);
};

export const enterAttempt = (command: CommandOf<'EnterAttempt'>, state: RoundState): Decision<RoundEvent> => {
  const { competitor, attemptNumber, value, request } = command;
  const start = asked(state, request);
  if ('done' in start) return start.done;
  const { setup } = start;
  const place = placeOf(state, competitor);
  const { result } = place;
  // A device that sends again what is stored gets its answer, also where a rule of today would refuse the value.
  if (result?.attempts[attemptNumber - 1] === value) {
    if (!isReordered(place)) return unchanged(request);
    return accept({
      type: 'ResultReplaced',
      data: { ...factsOf(place, request), attempts: result.attempts },
    });
  }
  const wrong = attemptRefusal(command, place, state, setup);
  if (wrong !== null) return reject(wrong);
  const before = result?.attempts ?? noAttempts(state);
  const previous = before[attemptNumber - 1] ?? NOT_TAKEN;
  if (value === previous) return unchanged(request);
  const attempts = before.with(attemptNumber - 1, value);
  const { elsewhere } = competitor;
  const isEntered = (index: number): boolean => index === attemptNumber - 1;
  const broken = refusal([
    ...cutoffProblems(attempts, setup.rules.cutoff, { field: attemptField, attemptNumber }),
    ...timeLimitProblems(attempts, setup, { field: attemptField, elsewhere, isEntered }),
  ]);
  if (broken !== null) return reject(broken);
  return accept(attemptEvent(factsOf(place, request), { attemptNumber, previous, value }, attempts));
};
