/**
 * What is decided on the results of a round: entering an attempt or whole results, and checking them. A refusal names the
 * fields that are wrong; a request that was answered before is answered so again. Undoing is in undo.decider.ts.
 */
import { NOT_TAKEN } from '../../../domain/attempts.js';
import { accept, type Decision, reject } from '../../../domain/decider.js';
import {
  cutoffProblems,
  joinedRefusal,
  type Problem,
  refusal,
  timeLimitProblems,
  tooManyAttempts,
  valueProblems,
} from '../../../domain/entry-rules.js';
import { isSameData } from '../../../domain/equality.js';
import { membersKey } from '../../../domain/references.js';
import type { Rejection } from '../../../domain/rejections.js';
import { attemptsOf, padded } from '../../../domain/scoring.js';
import { attemptEvent, factsOf, isReordered, resultEvent } from './entry-events.js';
import { competitorProblems, placeOf, type ResultPlace } from './result-place.js';
import {
  type Competitor,
  type EntryRequest,
  noAttempts,
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

const unchanged = (request: EntryRequest | undefined): Decision<RoundEvent> =>
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

/** The rules that rows are judged by. */
type Judging = RoundSetup & { readonly eventId: string };

interface CheckedRow {
  readonly key: string;
  /** The persons of a team that has no result yet. */
  readonly team: readonly number[];
  readonly problems: readonly Problem[];
  /** Null: the row changes nothing, or is refused. */
  readonly event: RoundEvent | null;
}

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
  state: RoundState,
  setup: Judging,
  request: EntryRequest | undefined,
): CheckedRow => {
  const { index, competitor, attempts } = row;
  const place = placeOf(state, competitor);
  const { sent, result } = place;
  const key = result?.resultId ?? membersKey(sent);
  const team = result === undefined && sent.length > 1 ? sent : [];
  const field = (attempt: number): string => `results[${index}].attempts[${attempt}].result`;
  const { format, cutoff } = setup.rules;
  const after = padded(attempts, format);
  const before = result?.attempts ?? noAttempts(state);
  // Stored values are not judged again, so that a device may send them again, alone or beside new ones.
  const isEntered = (attempt: number): boolean => after[attempt] !== before[attempt];
  const shape = [
    ...(attempts.length > after.length ? [tooManyAttempts(field(after.length), format)] : []),
    ...competitorProblems(state, setup, { personIds: sent, result, field: competitor.field }),
    ...valueProblems(after, setup, { field, isEntered }),
  ];
  if (shape.length > 0) return { key, team, problems: shape, event: null };
  if (isSameData(after, before) && !isReordered(place)) return { key, team, problems: [], event: null };
  const problems = [
    ...seenOtherwise(row, before),
    ...cutoffProblems(after, cutoff, { field }),
    ...timeLimitProblems(after, setup, { field, elsewhere: competitor.elsewhere, isEntered }),
  ];
  if (problems.length > 0) return { key, team, problems, event: null };
  return { key, team, problems, event: resultEvent(factsOf(place, request), after) };
};

const inTwoTeams = (person: number | undefined, field: string): readonly Problem[] => {
  if (person === undefined) return [];
  const message = `person ${person} is in the team of an earlier row of this request`;
  return [{ field, rule: 'person-in-two-teams', message }];
};

/** Every row that is wrong is told. The request rides on the first event: all of them land together or not at all. */
export const enterResults = (command: CommandOf<'EnterResults'>, state: RoundState): Decision<RoundEvent> => {
  const { rows, request, eventId, refused = null } = command;
  const start = asked(state, request);
  if ('done' in start) return refused === null ? start.done : reject(refused);
  const setup = { ...start.setup, eventId };
  const seen = new Set<string>();
  const members = new Set<number>();
  const problems: Problem[] = [];
  const events: RoundEvent[] = [];
  for (const row of rows) {
    const carried = events.length === 0 ? request : undefined;
    const { key, team, problems: found, event } = checkRow(row, state, setup, carried);
    problems.push(...found);
    if (event !== null) events.push(event);
    if (seen.has(key)) {
      const message = 'the competitor has an earlier row in this request';
      problems.push({ field: row.competitor.field, rule: 'competitor-repeated', message });
    } else
      problems.push(
        ...inTwoTeams(
          team.find((id) => members.has(id)),
          row.competitor.field,
        ),
      );
    seen.add(key);
    for (const id of team) members.add(id);
  }
  const wrong = joinedRefusal([refused, refusal(problems)].filter((each) => each !== null));
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
