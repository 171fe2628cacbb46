/**
 * The events of an entry: an attempt that changed, a result that was replaced or removed. Each names the persons in the
 * order that they were sent in, and the order before when that was another one.
 */
import { NOT_TAKEN } from '../../../domain/attempts.js';
import { isSameData } from '../../../domain/equality.js';
import type { ResultPlace } from './result-place.js';
import type { EntryRequest, ResultRef, RoundEvent } from './round.js';

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
