/** What the events of result entry do to one result: its attempts afterwards and the step in its history. */

import type { RoundFormat } from '../../domain/attempts.js';
import { padded } from '../../domain/scoring.js';
import type { RoundEvent } from '../aggregates/round/round.events.js';
import type { ResultChangeView } from '../contests/contest.queries.js';

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

/** `attempts` are those before the event; none for a result that appears with it. */
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
