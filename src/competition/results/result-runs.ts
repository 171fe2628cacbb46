/**
 * Runs of events on one result, told as one event. Attempts of a competitor come in quick succession, so a batch
 * often changes a result several times, and nobody sees it in between: what follows from its attempts (average, boards,
 * entries of lists) is then derived once. Whatever else happens ends the runs before it, since it may change what results
 * are derived from; so does a removal, because a result that appears anew takes nothing from the one that went.
 */
import type { ProjectedEvent } from '../../foundation/projections/projection.js';
import { domainEvent } from '../../foundation/projections/typed-events.js';
import type { ResultRef } from '../aggregates/round/round.js';
import { isResultEvent, type ResultEvent } from './result-changes.js';

/** Stands for its steps, oldest first, at the place of the last; all of them are on one result. */
export interface ResultRun {
  readonly type: 'ResultRun';
  readonly data: ResultRef & { readonly steps: readonly ResultEvent[] };
}

const REMOVALS: ReadonlySet<string> = new Set<ResultEvent['type']>(['AttemptCleared', 'ResultRemoved']);

/** The same events with runs put together, in the order of their positions. */
export const withRuns = (events: readonly ProjectedEvent[]): readonly ProjectedEvent[] => {
  const told: ProjectedEvent[] = [];
  const runs = new Map<string, ProjectedEvent[]>();
  const endRuns = (): void => {
    for (const run of runs.values()) told.push(asOne(run));
    runs.clear();
  };
  for (const event of events) {
    if (!isResultEvent(event)) {
      endRuns();
      told.push(event);
      continue;
    }
    const key = `${event.stream} ${domainEvent<ResultEvent>(event).data.resultId}`;
    const run = runs.get(key) ?? [];
    run.push(event);
    // Put back at the end: a run stands where its last event does.
    runs.delete(key);
    runs.set(key, run);
    if (REMOVALS.has(event.type)) endRuns();
  }
  endRuns();
  return told;
};

const asOne = (run: readonly ProjectedEvent[]): ProjectedEvent => {
  const last = run[run.length - 1];
  if (last === undefined) throw new RangeError('a run has at least one event');
  if (run.length === 1) return last;
  const steps = run.map((event) => domainEvent<ResultEvent>(event));
  const { resultId, personIds } = domainEvent<ResultEvent>(last).data;
  const { type, data }: ResultRun = { type: 'ResultRun', data: { resultId, personIds, steps } };
  return { ...last, type, data };
};
