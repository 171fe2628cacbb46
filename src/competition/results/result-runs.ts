/**
 * Combines successive events on one result in a batch into one run. A batch often changes a result several times, and
 * its average, boards and entries are then derived once. Any other event ends the runs before it, because it may
 * change what results depend on. A removal ends a run too, because a result entered again takes nothing from the
 * removed one.
 */
import type { ProjectedEvent } from '../../foundation/projections/projection.js';
import { domainEvent } from '../../foundation/projections/typed-events.js';
import type { ResultRef } from '../aggregates/round/round.js';
import { isResultEvent, type ResultEvent } from './result-changes.js';

/** Replaces its steps, oldest first, at the place of the last one. All of them are on one result. */
export interface ResultRun {
  readonly type: 'ResultRun';
  readonly data: ResultRef & { readonly steps: readonly ResultEvent[] };
}

const REMOVALS: ReadonlySet<string> = new Set<ResultEvent['type']>(['AttemptCleared', 'ResultRemoved']);

/** Returns the same events with runs combined, in the order of their positions. */
export const withRuns = (events: readonly ProjectedEvent[]): readonly ProjectedEvent[] => {
  const combined: ProjectedEvent[] = [];
  const runs = new Map<string, ProjectedEvent[]>();
  const endRuns = (): void => {
    for (const run of runs.values()) combined.push(asOne(run));
    runs.clear();
  };
  for (const event of events) {
    if (!isResultEvent(event)) {
      endRuns();
      combined.push(event);
      continue;
    }
    const key = `${event.stream} ${domainEvent<ResultEvent>(event).data.resultId}`;
    const run = runs.get(key) ?? [];
    run.push(event);
    // Moves the run to the end: it takes the place of its last event.
    runs.delete(key);
    runs.set(key, run);
    if (REMOVALS.has(event.type)) endRuns();
  }
  endRuns();
  return combined;
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
