/** The effect of entry events on one result: its attempts afterwards, and the step in its history. */

import type { RoundFormat } from '../../domain/attempts.js';
import { padded } from '../../domain/scoring.js';
import type { RoundEvent } from '../aggregates/round/round.js';

/** One entry of a result's history, oldest first. */
export interface ResultChangeView {
  readonly resultId: string;
  readonly personIds: readonly number[];
  readonly change: 'entered' | 'corrected' | 'cleared' | 'replaced' | 'removed';
  /** The attempt's number; null: the whole result changed. */
  readonly attemptNumber: number | null;
  /** The attempts after the change. */
  readonly attempts: readonly number[];
  /** Its number among the changes of its result, from 1. */
  readonly number: number;
  /** The number of the change that this one undoes; null: it undoes none. */
  readonly undoes: number | null;
  readonly actor: string;
  readonly keyId: string | null;
  /** The account that made the change; null: it was made without an account. */
  readonly accountId: string | null;
  /** ISO 8601, UTC. */
  readonly at: string;
}

/** The events that change a result. */
export type ResultEvent = Extract<
  RoundEvent,
  { type: 'AttemptEntered' | 'AttemptCorrected' | 'AttemptCleared' | 'ResultReplaced' | 'ResultRemoved' }
>;

const RESULT_EVENTS: ReadonlySet<string> = new Set<ResultEvent['type']>([
  'AttemptEntered',
  'AttemptCorrected',
  'AttemptCleared',
  'ResultReplaced',
  'ResultRemoved',
]);

export const isResultEvent = ({ type }: { readonly type: string }): boolean => RESULT_EVENTS.has(type);

export interface ResultChange extends Pick<ResultChangeView, 'change' | 'attemptNumber' | 'attempts'> {}

/** `attempts` are those before the event; empty for a new result. */
export const changeOf = (
  attempts: readonly number[],
  format: RoundFormat,
  event: ResultEvent,
): ResultChange => {
  switch (event.type) {
    case 'AttemptEntered':
      return oneAttempt('entered', attempts, format, event.data);
    case 'AttemptCorrected':
      return oneAttempt('corrected', attempts, format, event.data);
    case 'AttemptCleared':
      return oneAttempt('cleared', attempts, format, { ...event.data, value: 0 });
    case 'ResultReplaced':
      return { change: 'replaced', attemptNumber: null, attempts: padded(event.data.attempts, format) };
    case 'ResultRemoved':
      return { change: 'removed', attemptNumber: null, attempts: padded([], format) };
    default:
      return event satisfies never;
  }
};

const oneAttempt = (
  change: ResultChange['change'],
  attempts: readonly number[],
  format: RoundFormat,
  { attemptNumber, value }: { readonly attemptNumber: number; readonly value: number },
): ResultChange => ({
  change,
  attemptNumber,
  attempts: padded(attempts, format).with(attemptNumber - 1, value),
});
