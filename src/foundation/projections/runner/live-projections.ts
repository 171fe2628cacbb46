/**
 * Keeps the live generations current from one subscription: each batch is applied to all of them in one commit. The
 * events that arrive meanwhile are the next batch, so batches are small at little load and grow under load. When
 * another process has committed or swapped a generation, the commit is superseded and all writers reload.
 */
import { once } from 'node:events';
import { addLeast, type ChangedTags } from '../../../domain/tags.js';
import type { Position } from '../../event-store/event-store.js';
import { GenerationWriter, type TakenBatch } from '../session/generation-writer.js';
import { ChangeLogWriter, changesProjection } from './change-log.js';
import { isUsable, type ProjectionContext, readablePosition } from './projection-context.js';
import type { ProjectedBatch } from './subscribed-events.js';

/** Larger batches gain little, and a batch becomes visible only as a whole. */
const MAX_BATCH_EVENTS = 500;
const MAX_CACHED = 20_000;
const MAX_BATCH_DELAY_MS = 20;

/**
 * Waits after a batch, so that the next one is larger: a commit writes each touched page once, so under load fewer and larger
 * commits save processor time. After a full batch the wait is as long as the batch took, else shorter in proportion, because
 * a few events share few pages and readers wait for them. Less than 1 ms is skipped.
 */
const delayForBatch = (begun: number, count: number): Promise<void> => {
  const took = Math.min(performance.now() - begun, MAX_BATCH_DELAY_MS);
  const delay = took * Math.min(count / MAX_BATCH_EVENTS, 1);
  return delay < 1 ? Promise.resolve() : new Promise((resolve) => setTimeout(resolve, delay));
};

export type OnAdvanced = (position: Position, tags: ChangedTags | null) => void;

/** The generations that are kept current, and the position of those that wait for a rebuild. */
interface LiveSet {
  readonly writers: readonly GenerationWriter[];
  readonly others: Position;
  /** Null: the ring of changes is not among them. */
  readonly log: ChangeLogWriter | null;
  /**
   * Whether the tags of a batch name all that it changes for readers. Not before the end was reached once: another
   * process may have written rows of the same events without a checkpoint, and their tags are unknown here.
   */
  hasAllTags: boolean;
}

export class LiveProjections {
  readonly #context: ProjectionContext;
  readonly #onAdvanced: OnAdvanced;
  #restart = new AbortController();
  /** Numbers of all live generations when they were loaded. */
  #loaded = '';
  #isFollowed = false;

  constructor(context: ProjectionContext, onAdvanced: OnAdvanced) {
    this.#context = context;
    this.#onAdvanced = onAdvanced;
  }

  /** Ends without an error when the signal aborts, between two batches. */
  async run(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      this.#restart = new AbortController();
      await this.#runOnce(AbortSignal.any([signal, this.#restart.signal]));
    }
  }

  /** Whether another node follows. Only then is the change log written, because it slows every commit. */
  set isFollowed(followed: boolean) {
    this.#isFollowed = followed;
  }

  /** Restarts when other generations are live than those that were loaded: they were swapped. */
  async refresh(): Promise<void> {
    if ((await this.#liveNumbers()) !== this.#loaded) this.#restart.abort();
  }

  async #runOnce(stop: AbortSignal): Promise<void> {
    const live = await this.#load();
    this.#onAdvanced(positionOf(live), null);
    if (live.writers.length === 0) {
      if (!stop.aborted) await once(stop, 'abort');
      return;
    }
    const { eventStore, subscribed } = this.#context;
    const projections = live.writers.map(({ projection }) => projection);
    const after = Math.min(...live.writers.map(({ position }) => position));
    const options = { after, batchSize: MAX_BATCH_EVENTS, signal: stop, handsOn: true };
    for await (const batch of subscribed.read(eventStore, projections, options)) {
      const begun = performance.now();
      if ((await this.#advance(live, batch)) === 'superseded') return;
      live.hasAllTags ||= batch.caughtUp;
      if (batch.caughtUp) await delayForBatch(begun, batch.count);
    }
  }

  async #advance(live: LiveSet, { events, position }: ProjectedBatch): Promise<'committed' | 'superseded'> {
    for (const writer of live.writers) await writer.apply(events.get(writer.projection) ?? [], position);
    const taken = live.writers.flatMap((writer) => writer.take() ?? []);
    if (taken.length === 0) return 'committed';
    const batches = taken.map(({ batch }) => batch);
    const log = this.#isFollowed ? live.log : null;
    const logged = log && tagsOf(live, taken);
    const outcome = await this.#context.readModelStore.commit(log?.add(batches, logged) ?? batches);
    if (outcome === 'committed') {
      for (const writer of live.writers) writer.markCommitted();
      this.#onAdvanced(positionOf(live), log ? logged : tagsOf(live, taken));
    }
    return outcome;
  }

  async #load(): Promise<LiveSet> {
    const { eventStore, readModelStore, projections } = this.#context;
    const head = { storeId: eventStore.storeId, head: await eventStore.head() };
    this.#loaded = await this.#liveNumbers();
    const writers: GenerationWriter[] = [];
    let others = Number.POSITIVE_INFINITY;
    const progress = await readModelStore.progressOf(projections.map(({ name }) => name));
    for (const [index, projection] of projections.entries()) {
      const live = progress[index]?.live ?? null;
      if (live && isUsable(live, projection, head)) {
        const options = {
          projection,
          generation: live,
          store: readModelStore,
          maxCached: MAX_CACHED,
          keepsTags: true,
          finalizes: false,
          expectedIds: null,
        };
        writers.push(new GenerationWriter(options));
      } else {
        others = Math.min(others, readablePosition(live, head));
      }
    }
    const logs = writers.some(({ projection }) => projection === changesProjection);
    const log = logs ? await ChangeLogWriter.open(readModelStore) : null;
    return { writers, others, log, hasAllTags: false };
  }

  async #liveNumbers(): Promise<string> {
    const { readModelStore, projections } = this.#context;
    const progress = await readModelStore.progressOf(projections.map(({ name }) => name));
    return progress.map(({ live }) => live?.number ?? 0).join();
  }
}

const tagsOf = ({ hasAllTags }: LiveSet, taken: readonly TakenBatch[]): ChangedTags | null => {
  if (!hasAllTags) return null;
  // Most events touch the same lists, each named by one array.
  const named = new Map<string | readonly string[], number>();
  for (const [tags, from] of taken.flatMap(({ touched }) => touched))
    addLeast(named, typeof tags === 'function' ? tags() : tags, from);
  const changed = new Map<string, number>();
  for (const [tags, from] of named)
    for (const tag of typeof tags === 'string' ? [tags] : tags) addLeast(changed, tag, from);
  return changed;
};

const positionOf = ({ writers, others }: LiveSet): Position =>
  Math.min(others, ...writers.map(({ position }) => position));
