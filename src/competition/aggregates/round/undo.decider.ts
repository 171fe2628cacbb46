/**
 * Undoing the last change of a result. It is a change of its own, so the rules of the round hold for what comes back, and
 * it can be undone in turn.
 */
import { NOT_TAKEN } from '../../../domain/attempts.js';
import { accept, type Decision, reject } from '../../../domain/decider.js';
import {
  cutoffProblems,
  refusal,
  timeLimitProblems,
  tooManyAttempts,
  valueProblems,
} from '../../../domain/entry-rules.js';
import { isSameData } from '../../../domain/equality.js';
import { membersKey } from '../../../domain/references.js';
import { padded } from '../../../domain/scoring.js';
import { asked, type CommandOf } from './entry.decider.js';
import { resultEvent } from './entry-events.js';
import { competitorProblems, placeOf } from './result-place.js';
import {
  changesOf,
  type ResultRef,
  type RoundEvent,
  type RoundResult,
  type RoundState,
  resolveAlias,
} from './round.js';

/** Only the last change can be undone, so that nothing that came behind it is lost unseen. */
const notTheLast = (
  { resultId, personIds }: ResultRef,
  change: number,
  state: RoundState,
  now: RoundResult | undefined,
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
