/**
 * What is decided on whole results: entering the rows of a request, checking a result, and undoing its last change. The
 * rules are those of an attempt (entry.decider.ts).
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
import { padded } from '../../../domain/scoring.js';
import {
  asked,
  type CommandOf,
  competitorProblems,
  factsOf,
  isReordered,
  placeOf,
  type ResultPlace,
  type ResultRow,
  resultEvent,
  unchanged,
} from './entry.decider.js';
import {
  changesOf,
  type EntryRequest,
  noAttempts,
  type ResultRef,
  type RoundEvent,
  type RoundSetup,
  type RoundState,
  resolveAlias,
} from './round.js';

// --- entering --------------------------------------------------------------------------------------------------------

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

// --- undoing ---------------------------------------------------------------------------------------------------------

// It is a change of its own, so the rules of the round hold for what comes back, and it can be undone in turn.

/** Only the last change can be undone, so that nothing that came behind it is lost unseen. */
const notTheLast = (
  { resultId, personIds }: ResultRef,
  change: number,
  state: RoundState,
  now: ResultPlace['result'],
): Decision<RoundEvent> | null => {
  const changes = changesOf(state, { resultId, personIds });
  if (!(change >= 1 && change <= changes))
    return reject({ code: 'change-not-found', detail: `result ${resultId} has no change ${change}` });
  if (change < changes)
    return reject({
      code: 'result-changed',
      detail: 'the result was changed again since: undo the later changes first',
    });
  return now === undefined || now.resultId === resultId
    ? null
    : reject({
        code: 'result-changed',
        detail: `the competitor has another result since: ${now.resultId}`,
      });
};

/** The result with its persons in the order before the change, when they are the same persons. */
const orderBefore = (
  { order }: CommandOf<'UndoChange'>,
  state: RoundState,
  { resultId, personIds }: ResultRef,
): ResultRef & { readonly was?: readonly number[] } => {
  const before = resolveAlias(state, order ?? personIds);
  const isOther = !isSameData(before, personIds) && membersKey(before) === membersKey(personIds);
  return isOther ? { resultId, personIds: before, was: personIds } : { resultId, personIds };
};

export const undoChange = (command: CommandOf<'UndoChange'>, state: RoundState): Decision<RoundEvent> => {
  const start = asked(state, undefined);
  if ('done' in start) return start.done;
  const { resultId, elsewhere } = command.competitor;
  // A result that is gone was not told of a merge since: it comes back as that of whom its persons have become.
  const { personIds, result: now } = placeOf(state, command.competitor);
  const result = { resultId, personIds };
  const refused = notTheLast(result, command.change, state, now);
  if (refused !== null) return refused;
  const { rules, valueFormat } = start.setup;
  const after = padded(command.before, rules.format);
  const isEntered = (index: number): boolean => after[index] !== now?.attempts[index];
  const question = { field: (): string => 'change', elsewhere, isEntered };
  const broken = refusal([
    ...(command.before.some((value, index) => index >= after.length && value !== NOT_TAKEN)
      ? [tooManyAttempts('change', rules.format)]
      : []),
    ...competitorProblems(state, start.setup, { personIds, result: now, field: 'change' }),
    ...valueProblems(after, { eventId: command.eventId, valueFormat }, question),
    ...cutoffProblems(after, rules.cutoff, question),
    ...timeLimitProblems(after, start.setup, question),
  ]);
  if (broken !== null) return reject(broken);
  return accept(resultEvent({ ...orderBefore(command, state, result), undoes: command.change }, after));
};
