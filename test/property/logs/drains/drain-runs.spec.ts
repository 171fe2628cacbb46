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
import { propertyRuns } from '../../../support/property-runs.js';
import { MINUTE_MS, type NodeProcess, nodeSteps, SimulatedNodes } from '../../../support/simulated-nodes.js';

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

const aKind = fc.constantFrom<Kind>('small', 'small', 'large', 'other');
const step = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      type: fc.constant('append' as const),
      kinds: fc.array(aKind, { minLength: 1, maxLength: 4 }),
    }),
  },
  ...nodeSteps({
    passes: { weight: 4, ms: fc.constantFrom(1, 500, 3_000, 70_000) },
    turns: 40,
    often: 8,
  }),
);

class Installation extends SimulatedNodes<DrainRuns> {
  /** What the receiver has, by batch, in the order of its arrival. */
  readonly received: { readonly id: string; readonly positions: readonly number[] }[] = [];
  readonly matching: TailEntry[] = [];
  /** Positions that a drain has passed without the receiver having the entry. */
  readonly lost: number[] = [];
  readonly #answers: Iterator<Answer>;
  #head = 0;

  constructor(scheduler: Scheduler, answers: Iterator<Answer>) {
    super(scheduler, MINUTE_MS);
    this.#answers = answers;
  }

  async prepare(): Promise<void> {
    await this.waitFor(new DrainBook({ alerts: this.store }).create(drain));
  }

  append(kinds: readonly Kind[]): void {
    for (const kind of kinds) {
      this.#head = Math.max(this.#head + 1, this.now * 1_000);
      const entry = { id: String(this.#head), event_message: kind === 'large' ? LARGE : '' };
      if (kind !== 'other') this.matching.push({ position: this.#head, entry });
    }
  }

  async drain(): Promise<Drain> {
    const row = await this.waitFor(this.store.read(alertKeys.drain(drain.drainId)));
    return JSON.parse(row?.data ?? '');
  }

  has(position: number): boolean {
    return this.received.some(({ positions }) => positions.includes(position));
  }

  protected runsOf({ alive }: NodeProcess): DrainRuns {
    const own: AlertStore = {
      ...this.store,
      replace: (row) =>
        alive(async () => {
          const { progress }: Drain = JSON.parse(row.data);
          const isDone = await this.store.replace(row);
          if (isDone)
            for (const { position } of this.matching)
              if (position <= progress.position && !this.has(position)) this.lost.push(position);
          return isDone;
        }),
    };
    return new DrainRuns(
      new DrainBook({ alerts: own }),
      { rangeOf: async () => RANGE, pages: (_, range) => this.#pages(range), count: async () => 0 },
      {
        send: (_destination, { id, entries }) =>
          alive(async () => {
            await this.turn();
            const { value: answer = 'taken' } = this.#answers.next();
            const positions = entries.map((entry) => Number(entry.id));
            if (answer === 'taken' || answer === 'lost') this.received.push({ id, positions });
            await this.turn();
            const tooLarge = answer === 'too large' && positions.length > 1;
            return answer === 'taken' ? null : { problem: answer, final: false, tooLarge };
          }),
      },
      { logRetentionDays: { general: 3_650, ofSource: new Map(), ofProject: new Map() } },
    );
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
      await this.turn();
      const entries = found.slice(at, at + 2);
      yield { entries, upTo: entries.at(-1)?.position ?? upTo };
    }
    await this.turn();
    yield { entries: [], upTo };
  }

  protected look(runs: DrainRuns, signal: AbortSignal): Promise<unknown> {
    return runs.run(drain.drainId, { head: this.#head, now: () => this.now, signal });
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
        for (const each of steps)
          if (each.type === 'append') installation.append(each.kinds);
          else await installation.do(each);
        await installation.settle(12);
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
});
