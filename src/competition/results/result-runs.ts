/**
 * Successive events on one result in a batch, combined into one event, so that its average, boards and entries are derived
 * once.
 */
import { domainEvent } from '../../domain/decider.js';
import type { AttemptsChange } from '../../domain/results.js';
import type { ProjectedEvent } from '../../foundation/projections/projection.js';
import type { ResultRef } from '../aggregates/round/round.js';
import type { ResultEvent } from './round-history.js';

/** A change of a result, and when its event was recorded, in milliseconds since 1970. */
export interface RecordedChange {
  readonly recordedAt: number;
  readonly change: AttemptsChange;
}

/** Replaces its changes, oldest first, at the place of the last one. All of them are on one result. */
export interface ResultRun {
  readonly type: 'ResultRun';
  readonly data: ResultRef & { readonly changes: readonly RecordedChange[] };
}

export const RESULT_EVENTS: readonly ResultEvent['type'][] = [
  'AttemptEntered',
  'AttemptCorrected',
  'AttemptCleared',
  'ResultReplaced',
  'ResultRemoved',
];
const CHANGES: ReadonlySet<string> = new Set(RESULT_EVENTS);
const REMOVALS: ReadonlySet<string> = new Set<ResultEvent['type']>(['AttemptCleared', 'ResultRemoved']);

/**
 * Returns the same events with runs combined, in the order of their positions. Any other event ends the runs before it,
 * because it may change what results depend on. A removal ends a run too, because a result entered again takes nothing
 * from the removed one.
 */
export const withRuns = (events: readonly ProjectedEvent[]): readonly ProjectedEvent[] => {
  const combined: ProjectedEvent[] = [];
  const runs = new Map<string, ProjectedEvent[]>();
  const endRuns = (): void => {
    for (const run of runs.values()) combined.push(asOne(run));
    runs.clear();
  };
  for (const event of events) {
    if (!CHANGES.has(event.type)) {
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
  const changes = run.map((event) => ({
    recordedAt: event.recordedAt,
    change: domainEvent<ResultEvent>(event).data,
  }));
  const { resultId, personIds } = domainEvent<ResultEvent>(last).data;
  const { type, data }: ResultRun = { type: 'ResultRun', data: { resultId, personIds, changes } };
  return { ...last, type, data };
};
