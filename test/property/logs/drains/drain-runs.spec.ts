/**
 * Several nodes that send, crash, stop and stand still at any time, and a receiver that fails as it likes, bring each matching entry to the
 * receiver at least once and in order, and each batch with the same entries.
 */
import { expect, it } from '@jest/globals';
import fc, { type Scheduler } from 'fast-check';
import { type AlertStore, alertKeys } from '../../../../src/foundation/operational/alert-store.js';
import type { Drain } from '../../../../src/logs/drains/drain.js';
import { DrainBook } from '../../../../src/logs/drains/drain-book.js';
import { DrainRuns } from '../../../../src/logs/drains/drain-runs.js';
import type { ReadPage } from '../../../../src/logs/exports/entry-pages.js';
import type { TailEntry } from '../../../../src/logs/tail/tail-member.js';
import type { EntryRange } from '../../../../src/logs/tail/tail-rights.js';
import { aDrain } from '../../../support/a-drain.js';
import { memoryAlerts } from '../../../support/memory-alerts.js';
import { propertyRuns } from '../../../support/property-runs.js';

const NODES = 3;
const MINUTE_MS = 60_000;
const drain = aDrain({ batchSeconds: 2 });
/** Two of them do not fit into a batch. */
const LARGE = 'x'.repeat(600_000);
const RANGE: EntryRange = {
  ...{ source: 'edge_logs', tenant: 't', redact: false, columns: [] },
  ...{ query: Object(null), count: Object(null) },
};

/**
 * `lost`: the receiver has taken the batch, and the sender does not learn of it. `too large`: it takes a smaller one, if the batch has
 * several entries.
 */
type Answer = 'taken' | 'refused' | 'lost' | 'too large';
type Kind = 'small' | 'large' | 'other';

type Step =
  | { readonly type: 'append'; readonly kinds: readonly Kind[] }
  | { readonly type: 'pass'; readonly ms: number }
  | { readonly type: 'proceed'; readonly turns: number }
  | { readonly type: 'look' | 'crash' | 'stop'; readonly node: number };

const aNode = fc.nat({ max: NODES - 1 });
const aKind = fc.constantFrom<Kind>('small', 'small', 'large', 'other');
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      type: fc.constant('append' as const),
      kinds: fc.array(aKind, { minLength: 1, maxLength: 4 }),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({ type: fc.constant('pass' as const), ms: fc.constantFrom(1, 500, 3_000, 70_000) }),
  },
  {
    weight: 8,
    arbitrary: fc.record({ type: fc.constant('proceed' as const), turns: fc.integer({ min: 1, max: 40 }) }),
  },
  { weight: 8, arbitrary: fc.record({ type: fc.constant('look' as const), node: aNode }) },
  {
    weight: 2,
    arbitrary: fc.record({ type: fc.constantFrom('crash' as const, 'stop' as const), node: aNode }),
  },
);

interface Node {
  isGone: boolean;
  isBusy: boolean;
  readonly stopped: AbortController;
  readonly runs: DrainRuns;
}

class Installation {
  /** Milliseconds since 1970. */
  now = MINUTE_MS;
  /** What the receiver has, by batch, in the order of its arrival. */
  readonly received: { readonly id: string; readonly positions: readonly number[] }[] = [];
  readonly matching: TailEntry[] = [];
  /** Positions that a drain has passed without the receiver having the entry. */
  readonly lost: number[] = [];
  readonly #scheduler: Scheduler;
  readonly #answers: Iterator<Answer>;
  readonly #store: AlertStore;
  readonly #nodes: Node[] = [];
  readonly #looks = new Set<Promise<void>>();
  #head = 0;

  constructor(scheduler: Scheduler, answers: Iterator<Answer>) {
    this.#scheduler = scheduler;
    this.#answers = answers;
    this.#store = memoryAlerts(() => this.#turn());
  }

  async prepare(): Promise<void> {
    await this.#scheduler.waitFor(new DrainBook({ alerts: this.#store }).create(drain));
  }

  async do(given: Step): Promise<void> {
    switch (given.type) {
      case 'append':
        for (const kind of given.kinds) this.#append(kind);
        return;
      case 'pass':
        this.now += given.ms;
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

  /** Lets everything end, and more nodes look, long after, whose batches the receiver takes at last. */
  async settle(): Promise<void> {
    await this.#ended();
    const looksLeft = 12;
    for (let look = 0; look < looksLeft; look += 1) {
      this.now += 10 * MINUTE_MS;
      this.#look(this.#newNode());
      await this.#ended();
    }
  }

  async drain(): Promise<Drain> {
    const row = await this.#scheduler.waitFor(this.#store.read(alertKeys.drain(drain.drainId)));
    return JSON.parse(row?.data ?? '');
  }

  has(position: number): boolean {
    return this.received.some(({ positions }) => positions.includes(position));
  }

  #turn(): Promise<unknown> {
    return this.#scheduler.schedule(Promise.resolve());
  }

  async #ended(): Promise<void> {
    await this.#scheduler.waitFor(Promise.all(this.#looks));
  }

  #append(kind: Kind): void {
    this.#head = Math.max(this.#head + 1, this.now * 1_000);
    const entry = { id: String(this.#head), event_message: kind === 'large' ? LARGE : '' };
    if (kind !== 'other') this.matching.push({ position: this.#head, entry });
  }

  #node(index: number): Node {
    const node = this.#nodes[index] ?? this.#newNode();
    this.#nodes[index] = node;
    return node;
  }

  #newNode(): Node {
    const state = { isGone: false, isBusy: false, stopped: new AbortController() };
    const alive = async <T>(work: () => Promise<T>): Promise<T> => {
      // The process of a node that crashed does nothing more.
      if (state.isGone) throw new Error('the process is gone');
      return work();
    };
    const own: AlertStore = {
      ...this.#store,
      replace: (row) =>
        alive(async () => {
          const { progress }: Drain = JSON.parse(row.data);
          const isDone = await this.#store.replace(row);
          if (isDone)
            for (const { position } of this.matching)
              if (position <= progress.position && !this.has(position)) this.lost.push(position);
          return isDone;
        }),
    };
    const runs = new DrainRuns(
      new DrainBook({ alerts: own }),
      { rangeOf: async () => RANGE, pages: (_, range) => this.#pages(range), count: async () => 0 },
      {
        send: (_destination, { id, entries }) =>
          alive(async () => {
            await this.#turn();
            const { value: answer = 'taken' } = this.#answers.next();
            const positions = entries.map((entry) => Number(entry.id));
            if (answer === 'taken' || answer === 'lost') this.received.push({ id, positions });
            await this.#turn();
            const tooLarge = answer === 'too large' && positions.length > 1;
            return answer === 'taken' ? null : { problem: answer, final: false, tooLarge };
          }),
      },
      { logRetentionDays: { general: 3_650, ofSource: new Map(), ofProject: new Map() } },
    );
    return Object.assign(state, { runs });
  }

  async *#pages({
    after,
    upTo,
  }: {
    readonly after: number;
    readonly upTo: number;
  }): AsyncGenerator<ReadPage> {
    const found = this.matching.filter(({ position }) => position > after && position <= upTo);
    for (let at = 0; at < found.length; at += 2) {
      await this.#turn();
      const entries = found.slice(at, at + 2);
      yield { entries, upTo: entries.at(-1)?.position ?? upTo };
    }
    await this.#turn();
    yield { entries: [], upTo };
  }

  /** As DrainTimer does it: one run of a drain at a time. */
  #look(node: Node): void {
    if (node.isBusy) return;
    node.isBusy = true;
    const look = node.runs
      .run(drain.drainId, { head: this.#head, now: () => this.now, signal: node.stopped.signal })
      .catch(() => undefined)
      .finally(() => {
        node.isBusy = false;
      });
    this.#looks.add(look);
  }
}

it('brings each entry to the receiver at least once, whatever happens to the nodes', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.scheduler(),
      fc.array(step, { minLength: 10, maxLength: 80, size: 'max' }),
      fc.array(fc.constantFrom<Answer>('taken', 'taken', 'refused', 'lost', 'too large'), { maxLength: 10 }),
      async (scheduler, steps, answers) => {
        const installation = new Installation(scheduler, answers.values());
        await installation.prepare();
        for (const each of steps) await installation.do(each);
        await installation.settle();
        const { received, matching, lost } = installation;
        expect(lost).toEqual([]);
        const inOrder = [...new Set(received.flatMap(({ positions }) => positions))];
        expect(inOrder).toEqual(matching.map(({ position }) => position));
        const batches = new Map(received.map(({ id, positions }) => [id, positions]));
        for (const { id, positions } of received) expect(positions).toEqual(batches.get(id));
        const { progress } = await installation.drain();
        expect(progress).toMatchObject({
          entries: matching.length,
          pending: null,
          stopped: null,
          skipped: 0,
          tooLarge: 0,
          rest: [],
        });
      },
    ),
    propertyRuns(600, 90_000),
  );
}, 120_000);
