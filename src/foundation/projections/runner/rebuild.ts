/**
 * Builds new generations of projections beside the live ones, from the first event, and swaps each in when it has caught
 * up; readers notice nothing. It is fast because it commits rarely, writes only the last state of each document, and
 * makes the indexes near the end. Its checkpoints let an interrupted rebuild resume.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { EventsLostError, type Position } from '../../event-store/event-store.js';
import {
  type ComparedDocument,
  type ComparedSchema,
  comparesGenerations,
  type Generation,
  type ProjectionProgress,
  type PromotionOutcome,
} from '../../read-models/read-model-store.js';
import type { Projection } from '../projection.js';
import { GenerationWriter } from '../session/generation-writer.js';
import { isUsable, type ProjectionContext, type StoreHead } from './projection-context.js';
import type { ProjectedBatch } from './subscribed-events.js';

/**
 * Commits after this many changed documents. Fewer commits write fewer documents twice, and in a remote store an insert
 * is far cheaper than an update (up to 100 times, on FerretDB 1).
 */
const WRITE_AT_ONCE = 30_000;
const MAX_CACHED = 50_000;
/** A live generation that is still behind is looked at again after this time. */
const LIVE_AGAIN_MS = 50;

export interface RebuildOptions {
  /** Continues with a generation that is building already, if it is usable. */
  readonly resume: boolean;
  readonly signal: AbortSignal;
  readonly onProgress?: (progress: ReplayProgress) => void;
  /** Compares what is built with what is live, before the one takes the place of the other. */
  readonly comparison?: RebuildComparison;
}

export interface RebuildComparison {
  readonly projections: ReadonlySet<Projection>;
  /** Called once for each of them. Returns whether the new generation goes live. */
  readonly compared: (projection: Projection, differing: readonly ComparedDocument[]) => boolean;
}

/** `done` of `total` positions of the event store were read, with `events` events. */
export interface ReplayProgress {
  readonly done: Position;
  readonly total: Position;
  readonly events: number;
}

/** Another process has started or finished a rebuild of the same projection. */
export class RebuildSupersededError extends Error {
  constructor(projection: string) {
    super(`another process has taken over the rebuild of ${projection}`);
    this.name = 'RebuildSupersededError';
  }
}

/** Returns true when all of them are live, false when the signal aborted it. Throws RebuildSupersededError. */
export const rebuild = async (
  context: ProjectionContext,
  projections: readonly Projection[],
  options: RebuildOptions,
): Promise<boolean> => {
  const { eventStore, readModelStore: store } = context;
  const { storeId } = eventStore;
  const progress = await store.progressOf(projections.map(({ name }) => name));
  const head = await eventStore.head();
  refuseLoss(progress, { storeId, head });
  const kept = projections.flatMap((projection, place) => {
    const building = progress[place]?.building;
    return options.resume && building && isUsable(building, projection, { storeId, head }) ? [building] : [];
  });
  const names = new Set(kept.map(({ projection }) => projection));
  const others = projections.filter(({ name }) => !names.has(name));
  const generations = [...kept, ...(await store.startGenerations(others, storeId))];
  const writers = projections.flatMap((projection) => {
    const generation = generations.find((one) => one.projection === projection.name);
    if (!generation) return [];
    const expectedIds = generation.position === 0 ? head : null;
    const session = { maxCached: MAX_CACHED, keepsTags: false, finalizes: true, expectedIds };
    return [new GenerationWriter({ projection, generation, store, ...session })];
  });
  return new Rebuild(context, writers, options).run();
};

/** Of a live generation of this version, all collections are compared. */
const comparedIn =
  ({ version, collections, unchanged }: Projection) =>
  (live: Generation): ComparedSchema =>
    live.version === version || unchanged === undefined ? { collections, added: [] } : unchanged;

/** An end of the events below what a live generation has seen is a loss: it is never replaced by less. */
const refuseLoss = (progress: readonly ProjectionProgress[], { storeId, head }: StoreHead): void => {
  for (const { live } of progress) {
    if (live?.storeId !== storeId || live.position <= head) continue;
    const range = `ends at position ${head}, but the read models have come to ${live.position}`;
    throw new EventsLostError(`the event store ${storeId} ${range}: nothing is rebuilt from less`);
  }
};

class Rebuild {
  readonly #context: ProjectionContext;
  readonly #options: RebuildOptions;
  /** The writers whose generation is not swapped in yet. */
  #writers: readonly GenerationWriter[];
  #events = 0;
  #hasIndexes = false;
  /** Those that were not compared yet. */
  readonly #comparing: Set<Projection>;
  /** The commit under way: the next events are applied meanwhile. */
  #commitInFlight: Promise<'committed' | 'superseded'> | null = null;

  constructor(context: ProjectionContext, writers: readonly GenerationWriter[], options: RebuildOptions) {
    this.#context = context;
    this.#writers = writers;
    this.#options = options;
    this.#comparing = new Set(options.comparison?.projections);
  }

  async run(): Promise<boolean> {
    const { eventStore, subscribed } = this.#context;
    const projections = this.#writers.map(({ projection }) => projection);
    const after = Math.min(...this.#writers.map(({ position }) => position));
    try {
      return await this.#follow(
        subscribed.read(eventStore, projections, { after, signal: this.#options.signal }),
      );
    } catch (error) {
      throw (await this.#isSuperseded().catch(() => false)) ? this.#superseded() : error;
    } finally {
      await this.#commitInFlight?.catch(() => undefined);
    }
  }

  async #follow(batches: AsyncIterable<ProjectedBatch>): Promise<boolean> {
    const { onProgress } = this.#options;
    let total = await this.#context.eventStore.head();
    for await (const { events, count, position, caughtUp } of batches) {
      if (this.#comparing.size > 0) await this.#compareBefore(events, position);
      await this.#commitEarlier(position, caughtUp);
      await this.#apply(events, position);
      this.#events += count;
      total = Math.max(total, position);
      if (caughtUp) for (const writer of this.#writers) await writer.finalize();
      if (caughtUp) await this.#commit();
      onProgress?.({ done: position, total, events: this.#events });
      if (!caughtUp) continue;
      await this.#awaitCommit();
      if (!(await this.#compareAt(position))) continue;
      if (await this.#swap()) return true;
    }
    return false;
  }

  async #apply(events: ProjectedBatch['events'], position: Position): Promise<void> {
    for (const writer of this.#writers) await writer.apply(events.get(writer.projection) ?? [], position);
  }

  /** Where live generations stand before this position, stops at each of them to compare. */
  async #compareBefore(events: ProjectedBatch['events'], position: Position): Promise<void> {
    for (const stop of await this.#livePositions()) {
      if (stop >= position || this.#writers.every((writer) => writer.position >= stop)) continue;
      await this.#commitEarlier(stop, true);
      await this.#apply(events, stop);
      for (const writer of this.#writers) await writer.finalize();
      await this.#commit();
      await this.#awaitCommit();
      await this.#compare();
    }
  }

  /** At the end of the events. Returns false when live generations have come further meanwhile: the next batch follows. */
  async #compareAt(position: Position): Promise<boolean> {
    const { signal } = this.#options;
    while (this.#comparing.size > 0 && !(await this.#compare())) {
      const last = (await this.#livePositions()).at(-1) ?? 0;
      if (signal.aborted || last > position) return false;
      await pause(LIVE_AGAIN_MS, undefined, { signal, ref: false }).catch(() => undefined);
    }
    return true;
  }

  /** Of the projections that are compared, ascending. */
  async #livePositions(): Promise<readonly Position[]> {
    const names = [...this.#comparing].map(({ name }) => name);
    const progress = await this.#context.readModelStore.progressOf(names);
    return progress.flatMap(({ live }) => live?.position ?? []).toSorted((a, b) => a - b);
  }

  /** Compares those that have come as far as their live generation. Returns whether all are compared. */
  async #compare(): Promise<boolean> {
    const { readModelStore } = this.#context;
    const { comparison } = this.#options;
    if (!comparison || !comparesGenerations(readModelStore)) return true;
    for (const { projection, generation } of this.#writers) {
      if (!this.#comparing.has(projection)) continue;
      const differing = await readModelStore.compare(generation, comparedIn(projection));
      if (differing === null) continue;
      this.#comparing.delete(projection);
      if (comparison.compared(projection, differing)) continue;
      this.#writers = this.#writers.filter((writer) => writer.projection !== projection);
    }
    return this.#comparing.size === 0;
  }

  #changeCount(): number {
    return this.#writers.reduce((sum, { changeCount }) => sum + changeCount, 0);
  }

  /**
   * Commits the changes of earlier batches when there are enough, and at the end before the indexes are made. The last
   * batch is held back: a commit needs a position that moves, and `finalize` still has to write into one.
   */
  async #commitEarlier(position: Position, caughtUp: boolean): Promise<void> {
    const makesIndexes = caughtUp && !this.#hasIndexes;
    const isBehind = this.#writers.some((writer) => writer.position < position);
    if (isBehind && (makesIndexes || this.#changeCount() >= WRITE_AT_ONCE)) await this.#commit();
    if (!makesIndexes) return;
    await this.#awaitCommit();
    await this.#context.readModelStore.makeIndexes(this.#writers.map(({ generation }) => generation));
    this.#hasIndexes = true;
  }

  async #commit(): Promise<void> {
    await this.#awaitCommit();
    const batches = this.#writers.flatMap((writer) => writer.take()?.batch ?? []);
    if (batches.length === 0) return;
    this.#commitInFlight = this.#context.readModelStore.commit(batches);
    // The next await sees a failure. Until then it must not count as an unhandled rejection.
    this.#commitInFlight.catch(() => undefined);
  }

  async #awaitCommit(): Promise<void> {
    const outcome = await this.#commitInFlight;
    this.#commitInFlight = null;
    if (outcome === 'superseded') throw this.#superseded();
    if (outcome === 'committed') for (const writer of this.#writers) writer.markCommitted();
  }

  /** Returns true when all are live. A generation that is behind the live one waits for the next events. */
  async #swap(): Promise<boolean> {
    const generations = this.#writers.map(({ generation }) => generation);
    const outcomes = await this.#context.readModelStore.promote(generations);
    const behind: GenerationWriter[] = [];
    for (const [place, writer] of this.#writers.entries()) {
      const outcome = outcomes[place] === 'behind' ? await this.#replaceBeyondEnd(writer) : outcomes[place];
      if (outcome === 'superseded') throw this.#superseded();
      if (outcome === 'behind') behind.push(writer);
    }
    this.#writers = behind;
    return behind.length === 0;
  }

  /** Replaces a live generation that is past the end of its event store, which was restored from a backup. */
  async #replaceBeyondEnd({ generation, projection }: GenerationWriter): Promise<PromotionOutcome> {
    const { readModelStore, eventStore } = this.#context;
    const { live } = await readModelStore.progress(projection.name);
    if (live === null || live.position <= (await eventStore.head())) return 'behind';
    const [outcome = 'superseded'] = await readModelStore.promote([generation], { allowBehind: true });
    return outcome;
  }

  /** Whether another process dropped what was built here: reads and writes of it then fail with the store's errors. */
  async #isSuperseded(): Promise<boolean> {
    for (const { projection, generation } of this.#writers) {
      const { building } = await this.#context.readModelStore.progress(projection.name);
      if (building?.number !== generation.number) return true;
    }
    return false;
  }

  #superseded(): RebuildSupersededError {
    return new RebuildSupersededError(this.#writers.map(({ projection }) => projection.name).join(', '));
  }
}
