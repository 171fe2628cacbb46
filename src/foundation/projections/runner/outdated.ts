/**
 * Rebuilds the projections whose live generation does not fit the code or the event store. During a rolling upgrade old
 * and new code share one store. Older code leaves a newer generation alone while a node with the newer code is alive.
 * When there is none (a downgrade), older code rebuilds its own generation.
 */
import { setTimeout as pause } from 'node:timers/promises';
import type { ProjectionProgress } from '../../read-models/read-model-store.js';
import type { Projection } from '../projection.js';
import { isNewer, type NodeEntry } from './nodes.js';
import { compareOldEvents, uncomparedEvents } from './old-events.js';
import { isUsable, type ProjectionContext } from './projection-context.js';
import { RebuildSupersededError, rebuild } from './rebuild.js';

const RETRY_AFTER_MS = 1_000;

interface Options {
  readonly signal: AbortSignal;
  /** The nodes that are alive. */
  readonly nodes: () => Promise<readonly NodeEntry[]>;
  /** Called when generations may have been swapped. */
  readonly onSwapped: () => Promise<void>;
}

export class OutdatedProjections {
  readonly #context: ProjectionContext;

  constructor(context: ProjectionContext) {
    this.#context = context;
  }

  /** Whether a live node with newer code has taken over a projection, which this code cannot keep current. */
  async isOvertaken(nodes: readonly NodeEntry[]): Promise<boolean> {
    const { projections } = this.#context;
    if (!nodes.some((node) => isNewer(node, projections))) return false;
    return (await this.#versions()).some(({ live, projection }) => live > projection.version);
  }

  /** Rebuilds until nothing is outdated, or the signal aborts. */
  async rebuildAll({ signal, nodes, onSwapped }: Options): Promise<void> {
    for (let outdated = await this.#outdated(nodes); outdated.length > 0 && !signal.aborted; ) {
      await this.#rebuild(outdated, signal);
      await onSwapped();
      outdated = await this.#outdated(nodes);
    }
  }

  /** Compares the events from before checksums with the read models, once for each event store. */
  async compareOldEvents({ signal, nodes, onSwapped }: Options): Promise<void> {
    for (let oldEvents = await uncomparedEvents(this.#context); oldEvents && !signal.aborted; ) {
      const outdated = await this.#outdated(nodes);
      await this.#unlessSuperseded(signal, async () => {
        if (oldEvents) await compareOldEvents(this.#context, oldEvents, { signal, outdated });
      });
      await onSwapped();
      oldEvents = await uncomparedEvents(this.#context);
    }
  }

  /** Rebuilds the projections of an older holder beside it. The older node keeps its generations current until the swap. */
  async rebuildOlder(signal: AbortSignal): Promise<void> {
    const versions = await this.#versions();
    const older = versions.filter(({ live, projection }) => live < projection.version);
    const projections = older.map(({ projection }) => projection);
    if (projections.length > 0) await this.#rebuild(projections, signal);
  }

  #rebuild(projections: readonly Projection[], signal: AbortSignal): Promise<void> {
    return this.#unlessSuperseded(signal, async () => {
      await rebuild(this.#context, projections, { resume: true, signal });
    });
  }

  async #unlessSuperseded(signal: AbortSignal, work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      if (!(error instanceof RebuildSupersededError)) throw error;
      await this.#waitForOtherRebuild(signal);
    }
  }

  async #outdated(nodes: Options['nodes']): Promise<readonly Projection[]> {
    const { eventStore, projections } = this.#context;
    const head = { storeId: eventStore.storeId, head: await eventStore.head() };
    const newer = (await nodes()).some((node) => isNewer(node, projections));
    const outdated: Projection[] = [];
    const progress = await this.#progress();
    for (const [index, projection] of projections.entries()) {
      const live = progress[index]?.live ?? null;
      const isOthers = newer && live !== null && live.version > projection.version;
      if (!isOthers && !(live && isUsable(live, projection, head))) outdated.push(projection);
    }
    return outdated;
  }

  /** The versions of the live generations; 0 where there is none. */
  async #versions(): Promise<readonly { readonly projection: Projection; readonly live: number }[]> {
    const { projections } = this.#context;
    const progress = await this.#progress();
    return projections.map((projection, index) => ({
      projection,
      live: progress[index]?.live?.version ?? 0,
    }));
  }

  #progress(): Promise<readonly ProjectionProgress[]> {
    const { readModelStore, projections } = this.#context;
    return readModelStore.progressOf(projections.map(({ name }) => name));
  }

  /** Waits while another process rebuilds: two rebuilds of one projection would discard each other's work. */
  async #waitForOtherRebuild(signal: AbortSignal): Promise<void> {
    let before = '';
    for (;;) {
      const progress = await this.#progress();
      const now = progress.map(({ building }) => `${building?.number}@${building?.position}`).join();
      if (now === before || signal.aborted) return;
      before = now;
      await pause(RETRY_AFTER_MS, undefined, { signal, ref: false }).catch(() => undefined);
    }
  }
}
