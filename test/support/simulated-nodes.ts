/**
 * Nodes of one installation in one process, for properties of what their timers do: fast-check's scheduler chooses whose turn it is,
 * and steps let time pass, let a node look, crash or stop.
 */
import fc, { type Scheduler } from 'fast-check';
import type { AlertStore } from '../../src/foundation/operational/alert-store.js';
import { memoryAlerts } from './memory-alerts.js';

export const MINUTE_MS = 60_000;
const NODES = 3;

/**
 * `ms` pass, so many `turns` are taken, or the node with the number does something. `miss`: its next call of what lives on has its effect,
 * and gets no answer.
 */
export type NodeStep =
  | { readonly type: 'pass'; readonly ms: number }
  | { readonly type: 'proceed'; readonly turns: number }
  | { readonly type: 'look' | 'crash' | 'stop' | 'miss'; readonly node: number };

/** `often`: how often a node looks and turns are taken, of a crash, stop or lost answer in 3 of so many. */
export const nodeSteps = ({
  passes,
  turns,
  often,
}: {
  readonly passes: { readonly weight: number; readonly ms: fc.Arbitrary<number> };
  readonly turns: number;
  readonly often: number;
}): fc.MaybeWeightedArbitrary<NodeStep>[] => {
  const node = fc.nat({ max: NODES - 1 });
  return [
    {
      weight: passes.weight,
      arbitrary: fc.record({ type: fc.constant('pass' as const), ms: passes.ms }),
    },
    {
      weight: often,
      arbitrary: fc.record({
        type: fc.constant('proceed' as const),
        turns: fc.integer({ min: 1, max: turns }),
      }),
    },
    { weight: often, arbitrary: fc.record({ type: fc.constant('look' as const), node }) },
    {
      weight: 3,
      arbitrary: fc.record({
        type: fc.constantFrom('crash' as const, 'stop' as const, 'miss' as const),
        node,
      }),
    },
  ];
};

/** The process of a node. */
export interface NodeProcess {
  /** Aborted when the node stops. */
  readonly stopped: AbortSignal;
  /** Does the work, unless the process is gone: one that crashed does nothing more. */
  alive<T>(work: () => Promise<T>): Promise<T>;
}

interface Node<Runs> {
  isGone: boolean;
  isBusy: boolean;
  missesAnswer: boolean;
  readonly stopped: AbortController;
  readonly runs: Runs;
}

/** `Runs`: what a node's timer calls. */
export abstract class SimulatedNodes<Runs> {
  /** Milliseconds since 1970. */
  now: number;
  /** That all nodes share. */
  protected readonly store: AlertStore;
  readonly #scheduler: Scheduler;
  readonly #nodes: Node<Runs>[] = [];
  readonly #looks = new Set<Promise<void>>();

  constructor(scheduler: Scheduler, now: number) {
    this.#scheduler = scheduler;
    this.now = now;
    this.store = memoryAlerts(() => this.turn());
  }

  protected abstract runsOf(process: NodeProcess): Runs;

  /** What a timer does when it looks. A node looks once at a time. */
  protected abstract look(runs: Runs, stopped: AbortSignal): Promise<unknown>;

  /** Resolves when the scheduler chooses it. */
  protected turn(): Promise<unknown> {
    return this.#scheduler.schedule(Promise.resolve());
  }

  /** Takes turns until the work is done. */
  protected waitFor<T>(work: Promise<T>): Promise<T> {
    return this.#scheduler.waitFor(work);
  }

  async do(given: NodeStep): Promise<void> {
    switch (given.type) {
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
      case 'miss':
        this.#node(given.node).missesAnswer = true;
        return;
      case 'stop':
        this.#node(given.node).stopped.abort();
        delete this.#nodes[given.node];
        return;
      default:
        given satisfies never;
    }
  }

  /** Lets everything end, and so many more nodes look, one after the other, each long after. */
  async settle(looks: number): Promise<void> {
    await this.#ended();
    for (let look = 0; look < looks; look += 1) {
      this.now += 10 * MINUTE_MS;
      this.#look(this.#newNode());
      await this.#ended();
    }
  }

  async #ended(): Promise<void> {
    await this.waitFor(Promise.all(this.#looks));
  }

  #node(index: number): Node<Runs> {
    const node = this.#nodes[index] ?? this.#newNode();
    this.#nodes[index] = node;
    return node;
  }

  #newNode(): Node<Runs> {
    const state = { isGone: false, isBusy: false, missesAnswer: false, stopped: new AbortController() };
    const runs = this.runsOf({
      stopped: state.stopped.signal,
      alive: async (work) => {
        if (state.isGone) throw new Error('the process is gone');
        const done = await work();
        if (!state.missesAnswer) return done;
        state.missesAnswer = false;
        throw new Error('no answer came');
      },
    });
    return Object.assign(state, { runs });
  }

  #look(node: Node<Runs>): void {
    if (node.isBusy) return;
    node.isBusy = true;
    const look = this.look(node.runs, node.stopped.signal)
      .then(() => undefined)
      .catch(() => undefined)
      .finally(() => {
        node.isBusy = false;
      });
    this.#looks.add(look);
  }
}
