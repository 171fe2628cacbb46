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
import { anAlert, memoryAlerts } from '../../../support/memory-alerts.js';
import { propertyRuns } from '../../../support/property-runs.js';

const MINUTE_MS = 60_000;
const NODES = 3;
const alert = anAlert({ everyMinutes: 2, repeatMinutes: 4, startsAt: 0 });

type Step =
  | { readonly type: 'pass'; readonly minutes: number }
  | { readonly type: 'proceed'; readonly turns: number }
  | { readonly type: 'look' | 'crash' | 'stop'; readonly node: number };

const aNode = fc.nat({ max: NODES - 1 });
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({ type: fc.constant('pass' as const), minutes: fc.integer({ min: 1, max: 9 }) }),
  },
  {
    weight: 6,
    arbitrary: fc.record({ type: fc.constant('proceed' as const), turns: fc.integer({ min: 1, max: 12 }) }),
  },
  { weight: 6, arbitrary: fc.record({ type: fc.constant('look' as const), node: aNode }) },
  {
    weight: 2,
    arbitrary: fc.record({ type: fc.constantFrom('crash' as const, 'stop' as const), node: aNode }),
  },
);

/** What a query comes to: rows, none, or a failure. */
type Answer = 'row' | 'none' | 'error';

class Installation {
  /** Milliseconds since 1970. */
  now = 0;
  readonly evaluated: number[] = [];
  readonly #scheduler: Scheduler;
  readonly #answers: Iterator<Answer>;
  readonly #store: AlertStore;
  readonly #nodes: Node[] = [];
  readonly #looks = new Set<Promise<void>>();

  constructor(scheduler: Scheduler, answers: Iterator<Answer>) {
    this.#scheduler = scheduler;
    this.#answers = answers;
    this.#store = memoryAlerts(() => this.turn());
  }

  turn(): Promise<unknown> {
    return this.#scheduler.schedule(Promise.resolve());
  }

  async prepare(): Promise<void> {
    const created = new AlertBook({ alerts: this.#store }).create(alert);
    await this.#scheduler.waitFor(created);
  }

  async do(given: Step): Promise<void> {
    switch (given.type) {
      case 'pass':
        this.now += given.minutes * MINUTE_MS;
        return;
      case 'proceed':
        for (let turn = 0; turn < given.turns && this.#scheduler.count() > 0; turn += 1)
          await this.#scheduler.waitOne();
        return;
      case 'look':
        this.#look(this.#node(given.node));
        return;
      case 'crash':
        this.#node(given.node).isGone = true;
        delete this.#nodes[given.node];
        return;
      case 'stop':
        this.#node(given.node).stopped.abort();
        delete this.#nodes[given.node];
        return;
      default:
        given satisfies never;
    }
  }

  /** Lets everything end, and one more node look, long after. */
  async settle(): Promise<void> {
    await this.#ended();
    for (const _ of [1, 2]) {
      this.now += 10 * MINUTE_MS;
      this.#look(this.#newNode());
      await this.#ended();
    }
  }

  async #ended(): Promise<void> {
    await this.#scheduler.waitFor(Promise.all(this.#looks));
  }

  async runs(): Promise<readonly AlertRun[]> {
    const rows = this.#store.range(alertKeys.runs(alert.alertId), 10_000);
    return (await this.#scheduler.waitFor(rows)).map(({ data }) => JSON.parse(data)).reverse();
  }

  #node(index: number): Node {
    const node = this.#nodes[index] ?? this.#newNode();
    this.#nodes[index] = node;
    return node;
  }

  #newNode(): Node {
    const node: Node = { isGone: false, isBusy: false, stopped: new AbortController(), runs: null };
    const own: AlertStore = {
      ...this.#store,
      // The process of a node that crashed does nothing more.
      insert: (rows) => alive(node, () => this.#store.insert(rows)),
      replace: (row) => alive(node, () => this.#store.replace(row)),
    };
    const run = async (_: unknown, { until }: { readonly until: number }) => {
      this.evaluated.push(until + MINUTE_MS);
      await this.turn();
      if (node.stopped.signal.aborted) throw new Error('aborted');
      const { value: answer = 'none' } = this.#answers.next();
      if (answer === 'error') throw new Error('the query failed');
      return { rows: answer === 'row' ? [{ n: 1 }] : [], truncated: false };
    };
    node.runs = new AlertRuns(new AlertBook({ alerts: own }), { run }, { logQueryTimeoutMs: 10_000 });
    return node;
  }

  /** As AlertTimer does it: one look at a time. */
  #look(node: Node): void {
    if (node.isBusy || !node.runs) return;
    node.isBusy = true;
    const look = node.runs
      .runDue(this.now, node.stopped.signal)
      .catch(() => undefined)
      .finally(() => {
        node.isBusy = false;
      });
    this.#looks.add(look);
  }
}

interface Node {
  isGone: boolean;
  isBusy: boolean;
  readonly stopped: AbortController;
  runs: AlertRuns | null;
}

const alive = async <T>(node: Node, work: () => Promise<T>): Promise<T> => {
  if (node.isGone) throw new Error('the process is gone');
  return work();
};

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
        await installation.settle();
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
}, 120_000);
