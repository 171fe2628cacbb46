/**
 * Bests that a person is known to have had before a day, from contests that a space does not have. They are no results: a
 * result of the space is a personal record only when none of them beats it.
 */
import { type RecordSteps, recordOn, withStep } from './record-steps.js';
import type { ValueKind } from './results.js';

export interface KnownBest {
  readonly eventId: string;
  readonly kind: ValueKind;
  /** In the unit of the event, as results have it. */
  readonly value: number;
}

/** What is known of one event and kind of value. The date of a step is the day on which the person had that best. */
export interface KnownSteps extends Pick<KnownBest, 'eventId' | 'kind'> {
  /** At least one. */
  readonly steps: RecordSteps;
}

const isOf =
  (best: Pick<KnownBest, 'eventId' | 'kind'>) =>
  ({ eventId, kind }: KnownSteps): boolean =>
    eventId === best.eventId && kind === best.kind;

/** Whether this best says more than what is known: nothing known of that day or before is as good. */
export const isNews = (known: readonly KnownSteps[], date: string, best: KnownBest): boolean => {
  const standing = recordOn(known.find(isOf(best))?.steps ?? [], date);
  return standing === null || best.value < standing;
};

/** Returns what is known with the bests of one more day. */
export const withBests = (
  known: readonly KnownSteps[],
  date: string,
  bests: readonly KnownBest[],
): readonly KnownSteps[] => {
  let all = known;
  for (const best of bests) {
    if (!isNews(all, date, best)) continue;
    const { eventId, kind, value } = best;
    const steps = withStep(all.find(isOf(best))?.steps ?? [], { date, value });
    all = [...all.filter((other) => !isOf(best)(other)), { eventId, kind, steps }];
  }
  return all;
};

/** Returns what is known of two persons who are the same one. */
export const mergedBests = (
  known: readonly KnownSteps[],
  others: readonly KnownSteps[],
): readonly KnownSteps[] => {
  let all = known;
  for (const { eventId, kind, steps } of others)
    for (const { date, value } of steps) all = withBests(all, date, [{ eventId, kind, value }]);
  return all;
};
