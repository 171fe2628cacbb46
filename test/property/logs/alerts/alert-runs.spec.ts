/**
 * Several nodes that start, crash, stop and stand still at any time run each due time of an alert at most once, mark each other one as
 * missed, and tell of openings and ends in turn.
 */
import { expect, it } from '@jest/globals';
import fc, { type Scheduler } from 'fast-check';
import { type AlertStore, alertKeys } from '../../../../src/foundation/operational/alert-store.js';
import type { AlertRun } from '../../../../src/logs/alerts/alert.js';
import { AlertBook } from '../../../../src/logs/alerts/alert-book.js';
import { AlertRuns } from '../../../../src/logs/alerts/alert-runs.js';
import { dueTimes } from '../../../../src/logs/alerts/schedule.js';
import { anAlert } from '../../../support/memory-alerts.js';
import { propertyRuns } from '../../../support/property-runs.js';
import { MINUTE_MS, type NodeProcess, nodeSteps, SimulatedNodes } from '../../../support/simulated-nodes.js';

const alert = anAlert({ everyMinutes: 2, repeatMinutes: 4, startsAt: 0 });
const step = fc.oneof(
  ...nodeSteps({
    passes: { weight: 3, ms: fc.integer({ min: 1, max: 9 }).map((minutes) => minutes * MINUTE_MS) },
    turns: 12,
    often: 6,
  }),
);

/** What a query comes to: rows, none, or a failure. */
type Answer = 'row' | 'none' | 'error';

class Installation extends SimulatedNodes<AlertRuns> {
  readonly evaluated: number[] = [];
  readonly #answers: Iterator<Answer>;

  constructor(scheduler: Scheduler, answers: Iterator<Answer>) {
    super(scheduler, 0);
    this.#answers = answers;
  }

  async prepare(): Promise<void> {
    await this.waitFor(new AlertBook({ alerts: this.store }).create(alert));
  }

  async runs(): Promise<readonly AlertRun[]> {
    const rows = this.store.range(alertKeys.runs(alert.alertId), 10_000);
    return (await this.waitFor(rows)).map(({ data }) => JSON.parse(data)).reverse();
  }

  protected runsOf({ stopped, alive }: NodeProcess): AlertRuns {
    const own: AlertStore = {
      ...this.store,
      insert: (rows) => alive(() => this.store.insert(rows)),
      replace: (row) => alive(() => this.store.replace(row)),
    };
    const run = async (_: unknown, { until }: { readonly until: number }) => {
      this.evaluated.push(until + MINUTE_MS);
      await this.turn();
      if (stopped.aborted) throw new Error('aborted');
      const { value: answer = 'none' } = this.#answers.next();
      if (answer === 'error') throw new Error('the query failed');
      return { rows: answer === 'row' ? [{ n: 1 }] : [], truncated: false };
    };
    return new AlertRuns(new AlertBook({ alerts: own }), { run }, { logQueryTimeoutMs: 10_000 });
  }

  protected look(runs: AlertRuns, stopped: AbortSignal): Promise<unknown> {
    return runs.runDue(this.now, stopped, () => this.now);
  }
}

/** Of the runs that were evaluated, by the rules of an incident. */
const changesOf = (runs: readonly AlertRun[]): readonly (string | null)[] => {
  let isOpen = false;
  return runs.map(({ state }) => {
    if (state !== 'firing' && state !== 'quiet') return null;
    const wasOpen = isOpen;
    isOpen = state === 'firing';
    if (isOpen) return wasOpen ? 'repeated' : 'opened';
    return wasOpen ? 'resolved' : null;
  });
};

it('runs each due time once or marks it as missed, whatever happens to the nodes', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.scheduler(),
      fc.array(step, { maxLength: 60 }),
      fc.infiniteStream(fc.constantFrom<Answer>('row', 'row', 'none', 'error')),
      async (scheduler, steps, answers) => {
        const installation = new Installation(scheduler, answers);
        await installation.prepare();
        for (const each of steps) await installation.do(each);
        await installation.settle(2);
        const runs = await installation.runs();
        const { evaluated, now } = installation;
        expect(new Set(evaluated).size).toBe(evaluated.length);
        expect(runs.map(({ dueAt }) => dueAt)).toEqual(dueTimes(alert.everyMinutes, 0, now));
        const made = runs.filter(({ state }) => state !== 'missed');
        expect(made.filter(({ state }) => state === 'running')).toEqual([]);
        for (const { dueAt } of made) expect(evaluated).toContain(dueAt);
        expect(runs.map(({ change }) => change)).toEqual(changesOf(runs));
        const told = runs.flatMap(({ message }) => (message ? message.type : []));
        for (const [index, type] of told.entries()) {
          const before = told[index - 1] ?? 'alert.resolved';
          expect(type === 'alert.opened').toBe(before === 'alert.resolved');
        }
        // The last node had nobody beside it.
        expect(runs.at(-1)?.state).not.toBe('missed');
      },
    ),
    propertyRuns(300, 90_000),
  );
});
