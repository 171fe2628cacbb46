/**
 * Entry into a round: an attempt, whole results, the check of a result, and undoing its last change. A refusal names the fields
 * that are wrong; a request that was answered before is answered so again. State and fold are in round.ts.
 */
import { NOT_TAKEN } from '../../../domain/attempts.js';
import { accept, type Decision, reject } from '../../../domain/decider.js';
import { joinedRefusal, limitProblems, type Problem, refusal } from '../../../domain/entry-rules.js';
import { isSameData } from '../../../domain/equality.js';
import { membersKey } from '../../../domain/references.js';
import type { Rejection } from '../../../domain/rejections.js';
import {
  areAttempts,
  type Competitor,
  entryProblems,
  isReordered,
  placeOf,
  type ResultPlace,
  resolveAlias,
  undoRefusal,
} from '../../../domain/round-entry.js';
import { hasAttempts } from '../../../domain/round-results.js';
import { attemptsOf, padded } from '../../../domain/scoring.js';
import {
  changesOf,
  type EntryRequest,
  noAttempts,
  type ResultChange,
  type ResultRef,
  type RoundEvent,
  type RoundSetup,
  type RoundState,
} from './round.js';

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
  /** Why it is refused whatever the round says of the attempts, unless it was answered before. */
  readonly refused?: Rejection | null;
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
      /** Where others of the request are refused, nothing is entered, and the refusal tells what is wrong with all rows. */
      readonly rows: readonly ResultRow[];
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

type CommandOf<T extends EntryCommand['type']> = Extract<EntryCommand, { type: T }>;

// --- what any entry has to keep --------------------------------------------------------------------------------------

type EntryStart = { readonly done: Decision<RoundEvent> } | { readonly setup: RoundSetup };

/** Whether there is anything to decide: not for a request that was answered before, nor in a round that is not open. */
const entryStart = (state: RoundState, { request, refused = null }: Requested): EntryStart => {
  const known = request === undefined ? undefined : state.requests.get(request.key);
  if (known !== undefined && known === request?.fingerprint) return { done: accept() };
  if (known === undefined && state.phase === 'open' && state.setup !== null) return { setup: state.setup };
  if (refused !== null) return { done: reject(refused) };
  if (known !== undefined) {
    const detail = 'the Idempotency-Key was used with another body';
    const errors = [{ field: 'Idempotency-Key', rule: 'idempotency-key-reused', message: detail }];
    return { done: reject({ code: 'idempotency-key-reused', detail, errors }) };
  }
  const message = state.setup === null ? 'the round has not been opened' : 'the round is closed';
  const errors = [{ field: 'roundNumber', rule: 'round-not-open', message }];
  return { done: reject({ code: 'round-not-open', detail: message, errors }) };
};

const unchanged = (request: EntryRequest | undefined): Decision<RoundEvent> =>
  request === undefined ? accept() : accept({ type: 'EntryRepeated', data: { request } });

// --- events ----------------------------------------------------------------------------------------------------------

/** Each names the persons in the order that they were sent in, and the order before when that was another one. */
const changeOf = (place: ResultPlace, request: EntryRequest | undefined): ResultChange => ({
  resultId: place.resultId,
  personIds: place.sent,
  ...(isReordered(place) ? { was: place.personIds } : {}),
  ...(request === undefined ? {} : { request }),
});

/** The event by which a result has these attempts from now on. It is removed under the order of its persons that it has. */
const resultEvent = (change: ResultChange, attempts: readonly number[]): RoundEvent => {
  if (hasAttempts(attempts)) return { type: 'ResultReplaced', data: { ...change, attempts } };
  const { was, personIds, ...data } = change;
  return { type: 'ResultRemoved', data: { ...data, personIds: was ?? personIds } };
};

/** The fact of one attempt's change. Clearing the last attempt of a result removes it. */
const attemptEvent = (
  change: ResultChange,
  { attemptNumber, previous, value }: Record<'attemptNumber' | 'previous' | 'value', number>,
  attempts: readonly number[],
): RoundEvent => {
  if (!hasAttempts(attempts)) return resultEvent(change, attempts);
  if (value === NOT_TAKEN) return { type: 'AttemptCleared', data: { ...change, attemptNumber, previous } };
  return previous === NOT_TAKEN
    ? { type: 'AttemptEntered', data: { ...change, attemptNumber, value } }
    : { type: 'AttemptCorrected', data: { ...change, attemptNumber, value, previous } };
};

// --- an attempt ------------------------------------------------------------------------------------------------------

export const enterAttempt = (command: CommandOf<'EnterAttempt'>, state: RoundState): Decision<RoundEvent> => {
  const { competitor, attemptNumber, value, request, eventId, refused = null } = command;
  const start = entryStart(state, command);
  if ('done' in start) return start.done;
  if (refused !== null) return reject(refused);
  const { setup } = start;
  const place = placeOf(state, competitor);
  const { result, sent: personIds } = place;
  const change = changeOf(place, request);
  // A device that sends again what is stored gets its answer, also where a rule of today would refuse the value.
  if (result?.attempts[attemptNumber - 1] === value)
    return isReordered(place) ? accept(resultEvent(change, result.attempts)) : unchanged(request);
  const before = result?.attempts ?? noAttempts(state);
  const exists =
    Number.isInteger(attemptNumber) && attemptNumber >= 1 && attemptNumber <= attemptsOf(setup.rules.format);
  const field = (): string => 'attemptResult';
  const entry = { eventId, personIds, result, competitor: competitor.field, values: [value], field };
  const beyond = exists ? null : 'attemptNumber';
  const wrong = refusal(entryProblems({ ...entry, beyond, isEntered: () => true }, state, setup));
  if (wrong !== null) return reject(wrong);
  const previous = before[attemptNumber - 1] ?? NOT_TAKEN;
  if (value === previous) return unchanged(request);
  const attempts = before.with(attemptNumber - 1, value);
  const isEntered = (index: number): boolean => index === attemptNumber - 1;
  const scope = { field, attemptNumber, isEntered, elsewhere: competitor.elsewhere };
  const broken = refusal(limitProblems(attempts, setup, scope));
  if (broken !== null) return reject(broken);
  return accept(attemptEvent(change, { attemptNumber, previous, value }, attempts));
};

// --- whole results ---------------------------------------------------------------------------------------------------

interface CheckedRow {
  readonly key: string;
  /** The persons of a team that gets its first result. */
  readonly team: readonly number[];
  readonly problems: readonly Problem[];
  /** Null: the row changes nothing, or is refused. */
  readonly event: RoundEvent | null;
}

const seenOtherwise = ({ competitor, seen }: ResultRow, now: readonly number[]): readonly Problem[] => {
  if (seen === undefined || areAttempts(seen, now)) return [];
  const message = 'the result was changed by another user meanwhile: look at it again';
  return [{ field: competitor.field, rule: 'result-changed', message }];
};

const checkRow = (
  row: ResultRow,
  state: RoundState,
  setup: RoundSetup,
  { eventId, request }: Pick<CommandOf<'EnterResults'>, 'eventId' | 'request'>,
): CheckedRow => {
  const { index, competitor, attempts } = row;
  const place = placeOf(state, competitor);
  const { sent: personIds, result } = place;
  const key = result?.resultId ?? membersKey(personIds);
  const field = (attempt: number): string => `results[${index}].attempts[${attempt}].result`;
  const values = padded(attempts, setup.rules.format);
  const team = result === undefined && personIds.length > 1 && hasAttempts(values) ? personIds : [];
  const beyond = attempts.length > values.length ? field(values.length) : null;
  const before = result?.attempts ?? noAttempts(state);
  const isEntered = (attempt: number): boolean => values[attempt] !== before[attempt];
  const scope = { field, isEntered, elsewhere: competitor.elsewhere };
  const entry = { ...scope, eventId, personIds, result, competitor: competitor.field, beyond, values };
  const wrong = entryProblems(entry, state, setup);
  if (wrong.length > 0) return { key, team, problems: wrong, event: null };
  if (isSameData(values, before) && !isReordered(place)) return { key, team, problems: [], event: null };
  const problems = [...seenOtherwise(row, before), ...limitProblems(values, setup, scope)];
  const event = problems.length > 0 ? null : resultEvent(changeOf(place, request), values);
  return { key, team, problems, event };
};

/** Every row that is wrong is told. The request rides on the first event: all of them land together or not at all. */
export const enterResults = (command: CommandOf<'EnterResults'>, state: RoundState): Decision<RoundEvent> => {
  const { rows, request, eventId, refused = null } = command;
  const start = entryStart(state, command);
  if ('done' in start) return start.done;
  const seen = new Set<string>();
  const members = new Set<number>();
  const problems: Problem[] = [];
  const events: RoundEvent[] = [];
  for (const row of rows) {
    const { field } = row.competitor;
    const carried = events.length === 0 ? request : undefined;
    const checked = checkRow(row, state, start.setup, { eventId, request: carried });
    problems.push(...checked.problems);
    if (checked.event !== null) events.push(checked.event);
    const twice = checked.team.find((id) => members.has(id));
    if (seen.has(checked.key)) {
      const message = 'the competitor has an earlier row in this request';
      problems.push({ field, rule: 'competitor-repeated', message });
    } else if (twice !== undefined) {
      const message = `person ${twice} is in the team of an earlier row of this request`;
      problems.push({ field, rule: 'person-in-two-teams', message });
    }
    seen.add(checked.key);
    for (const id of checked.team) members.add(id);
  }
  const wrong = joinedRefusal([refused, refusal(problems)]);
  if (wrong !== null) return reject(wrong);
  return events.length === 0 ? unchanged(request) : accept(...events);
};

// --- checking -------------------------------------------------------------------------------------------------------

/** Also in a closed round: a moderator who goes through the score cards in the evening changes nothing. */
export const checkResult = (
  { competitor, attempts }: CommandOf<'CheckResult'>,
  state: RoundState,
): Decision<RoundEvent> => {
  const { result } = placeOf(state, competitor);
  if (result === undefined || !areAttempts(attempts, result.attempts)) {
    const message = 'these are not the attempts of the result: look at it again';
    const errors = [{ field: competitor.field, rule: 'result-changed', message }];
    return reject({ code: 'result-changed', detail: message, errors });
  }
  const { resultId, personIds, checked } = result;
  return checked ? accept() : accept({ type: 'ResultChecked', data: { resultId, personIds } });
};

// --- undoing ---------------------------------------------------------------------------------------------------------

// It is a change of its own, so the rules of the round hold for what comes back, and it can be undone in turn.

/** In the order before the change, when that is one of the same persons. */
const changeBack = (
  { order, change }: CommandOf<'UndoChange'>,
  state: RoundState,
  { resultId, personIds }: ResultRef,
): ResultChange => {
  const before = resolveAlias(state, order ?? personIds);
  const isOther = !isSameData(before, personIds) && membersKey(before) === membersKey(personIds);
  return isOther
    ? { resultId, personIds: before, was: personIds, undoes: change }
    : { resultId, personIds, undoes: change };
};

export const undoChange = (command: CommandOf<'UndoChange'>, state: RoundState): Decision<RoundEvent> => {
  const start = entryStart(state, {});
  if ('done' in start) return start.done;
  const { setup } = start;
  const { eventId, change, before } = command;
  const { resultId, elsewhere } = command.competitor;
  // A result that is gone was not told of a merge since: it comes back as that of whom its persons have become.
  const { personIds, result: now } = placeOf(state, command.competitor);
  const result = { resultId, personIds };
  const refused = undoRefusal({ resultId, change }, { changes: changesOf(state, result), now });
  if (refused !== null) return reject(refused);
  const values = padded(before, setup.rules.format);
  const beyond = hasAttempts(before.slice(values.length)) ? 'change' : null;
  const scope = {
    field: (): string => 'change',
    isEntered: (index: number): boolean => values[index] !== now?.attempts[index],
    elsewhere,
  };
  const entry = { ...scope, eventId, personIds, result: now, competitor: 'change', beyond, values };
  const broken = refusal([...entryProblems(entry, state, setup), ...limitProblems(values, setup, scope)]);
  if (broken !== null) return reject(broken);
  return accept(resultEvent(changeBack(command, state, result), values));
};
