/**
 * What is decided on the results of a round: entering an attempt or whole results, checking them, taking back a change. A
 * refusal names the fields that are wrong; a request that was answered before is answered so again.
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
import type { Rejection } from '../../../domain/rejections.js';
import { attemptsOf, padded } from '../../../domain/scoring.js';
import {
  type Competitor,
  changesOf,
  competitorKey,
  type EntryRequest,
  noAttempts,
  placeOf,
  type ResultRef,
  type RoundEvent,
  type RoundSetup,
  type RoundState,
} from './round.js';

export interface ResultRow {
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
      readonly competitor: Competitor;
      readonly attemptNumber: number;
      readonly value: number;
    } & Requested)
  | ({ readonly type: 'EnterResults'; readonly rows: readonly ResultRow[] } & Requested)
  /** A moderator has typed the attempts a second time. */
  | {
      readonly type: 'CheckResult';
      readonly competitor: Omit<Competitor, 'elsewhere'>;
      readonly attempts: readonly number[];
    }
  /** Puts a result back to what it was before its last change, which has to be this one. */
  | {
      readonly type: 'UndoChange';
      /** Who the result was last entered for, and the id that it has had since. */
      readonly competitor: Competitor;
      /** The change's number among those of its result, from 1 on. */
      readonly change: number;
      /** The attempts before the change, as the stream tells them. */
      readonly before: readonly number[];
    };

type CommandOf<T extends EntryCommand['type']> = Extract<EntryCommand, { type: T }>;

// --- entering -------------------------------------------------------------------------------------------------------

type Asked = { readonly done: Decision<RoundEvent> } | { readonly setup: RoundSetup };

/** Whether there is anything to decide: not for a request that was answered before, nor in a round that is not open. */
const asked = (state: RoundState, request: EntryRequest | undefined): Asked => {
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

export const enterAttempt = (command: CommandOf<'EnterAttempt'>, state: RoundState): Decision<RoundEvent> => {
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

/** The event by which a result has these attempts from now on. */
const resultEvent = (
  data: ResultRef & { readonly request?: EntryRequest; readonly undoes?: number },
  attempts: readonly number[],
): RoundEvent =>
  attempts.every((value) => value === NOT_TAKEN)
    ? { type: 'ResultRemoved', data }
    : { type: 'ResultReplaced', data: { ...data, attempts } };

/** Whether these are the attempts of a result, be those that are not taken left out at the end or not. */
const areAttempts = (given: readonly number[], now: readonly number[]): boolean =>
  isSameData(
    now,
    now.map((_, index) => given[index] ?? NOT_TAKEN),
  );

const seenOtherwise = ({ competitor, seen }: ResultRow, now: readonly number[]): readonly Problem[] => {
  if (seen === undefined || areAttempts(seen, now)) return [];
  const message = 'the result was changed by another user meanwhile: look at it again';
  return [{ field: competitor.field, rule: 'result-changed', message }];
};

const checkRow = (
  row: ResultRow,
  index: number,
  state: RoundState,
  setup: RoundSetup,
  request: EntryRequest | undefined,
): CheckedRow => {
  const { competitor, attempts } = row;
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
  const before = result?.attempts ?? noAttempts(state);
  if (isSameData(after, before)) return { key, problems: [], event: null };
  const problems = [
    ...seenOtherwise(row, before),
    ...cutoffProblems(after, cutoff, { field }),
    ...timeLimitProblems(after, setup, { field, elsewhere: competitor.elsewhere }),
  ];
  if (problems.length > 0) return { key, problems, event: null };
  const data = { resultId, personIds, ...carrying(request) };
  return { key, problems, event: resultEvent(data, after) };
};

/** Every row that is wrong is told. The request rides on the first event: all of them land together or not at all. */
export const enterResults = (command: CommandOf<'EnterResults'>, state: RoundState): Decision<RoundEvent> => {
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

// --- undoing --------------------------------------------------------------------------------------------------------

/** Only the last change can be undone, so that nothing that came behind it is lost unseen. */
const notTheLast = (
  { resultId, personIds }: ResultRef,
  change: number,
  state: RoundState,
): Decision<RoundEvent> | null => {
  const changes = changesOf(state, { resultId, personIds });
  if (!(change >= 1 && change <= changes))
    return reject({ code: 'change-not-found', detail: `result ${resultId} has no change ${change}` });
  if (change < changes)
    return reject({
      code: 'result-changed',
      detail: 'the result was changed again since: undo the later changes first',
    });
  const another = state.results.get(competitorKey(personIds));
  return another === undefined || another.resultId === resultId
    ? null
    : reject({
        code: 'result-changed',
        detail: `the competitor has another result since: ${another.resultId}`,
      });
};

export const undoChange = (command: CommandOf<'UndoChange'>, state: RoundState): Decision<RoundEvent> => {
  const start = asked(state, undefined);
  if ('done' in start) return start.done;
  const { resultId, elsewhere } = command.competitor;
  // A result that is gone was not told of a merge since: it comes back as that of whom its persons have become.
  const { personIds } = placeOf(state, command.competitor);
  const result = { resultId, personIds };
  const refused = notTheLast(result, command.change, state);
  if (refused !== null) return refused;
  const { rules, valueFormat } = start.setup;
  const after = padded(command.before, rules.format);
  const question = { field: (): string => 'change', elsewhere };
  const broken = refusal([
    ...(command.before.some((value, index) => index >= after.length && value !== NOT_TAKEN)
      ? [tooManyAttempts('change', rules.format)]
      : []),
    ...teamProblems(personIds, start.setup.participants, 'change'),
    ...valueProblems(after, valueFormat, question.field),
    ...cutoffProblems(after, rules.cutoff, question),
    ...timeLimitProblems(after, start.setup, question),
  ]);
  if (broken !== null) return reject(broken);
  return accept(resultEvent({ ...result, undoes: command.change }, after));
};
