/**
 * The projecting of a process, in this thread, as a test moves it about: its lease runs out in between, so that two
 * project at once; it stands still in the middle of a commit and wakes up later; it dies there, and another begins.
 */
import type { NodeDescription } from '../../src/foundation/projections/runner/nodes.js';
import type { ProjectionContext } from '../../src/foundation/projections/runner/projection-context.js';
import {
  NO_LISTENER,
  type ProjectorEngine,
  type ProjectorListener,
} from '../../src/foundation/projections/runner/projector-engine.js';
import { PROJECTOR_LEASE, ProjectorHost } from '../../src/foundation/projections/runner/projector-host.js';
import type { ReplayProgress } from '../../src/foundation/projections/runner/rebuild.js';
import type { ReadModelStore } from '../../src/foundation/read-models/read-model-store.js';
import { type Gate, gate } from './gate.js';

/** A little longer than from one renewal to the next: a projector that stands still is soon replaced. */
const LEASE_MS = 1_200;
/** Far less than that: another takes it meanwhile and both project at once. */
const LAPSING_LEASE_MS = 150;

class Died extends Error {}

/** A connection of a process that may stand still or die. */
interface Life {
  readonly store: ReadModelStore;
  readonly host: ProjectorHost;
  isOver: boolean;
}

export class MovingProjector implements ProjectorEngine {
  readonly holder = 'moving';
  readonly #context: Omit<ProjectionContext, 'readModelStore'>;
  readonly #open: () => Promise<ReadModelStore>;
  /** Whether its lease runs out between two renewals. */
  lapses = false;
  #listener: ProjectorListener = NO_LISTENER;
  #node: NodeDescription | null = null;
  #stands: Gate | null = null;
  /** Null: it died, and another waits to be begun. */
  #life: Life | null;

  private constructor(
    context: Omit<ProjectionContext, 'readModelStore'>,
    open: () => Promise<ReadModelStore>,
    store: ReadModelStore,
  ) {
    this.#context = context;
    this.#open = open;
    this.#life = this.#liveOn(store);
  }

  /** `open`: a connection of its own, which it closes. */
  static async begin(
    context: Omit<ProjectionContext, 'readModelStore'>,
    open: () => Promise<ReadModelStore>,
  ): Promise<MovingProjector> {
    return new MovingProjector(context, open, await prepared(context, open));
  }

  start(listener: ProjectorListener): void {
    this.#listener = listener;
    this.#life?.host.start(listener);
  }

  announce(node: NodeDescription): void {
    this.#node = node;
    this.#life?.host.announce(node);
  }

  replay(names: readonly string[], onProgress: (progress: ReplayProgress) => void): Promise<void> {
    if (!this.#life) throw new Error('nothing projects here until it goes on');
    return this.#life.host.replay(names, onProgress);
  }

  stop(): Promise<void> {
    this.#wake();
    return this.#end();
  }

  /** Its next commit, and its lease, wait until it wakes up. */
  standStill(): void {
    this.#stands ??= gate();
  }

  /** Its commit may land or not, and says nothing any more. */
  async die(): Promise<void> {
    if (this.#life) this.#life.isOver = true;
    this.#wake();
    await this.#end();
  }

  /** Whatever stood still wakes up; where it died, another begins. */
  async goOn(): Promise<void> {
    this.#wake();
    if (this.#life) return;
    this.#life = this.#liveOn(await prepared(this.#context, this.#open));
    if (this.#node) this.#life.host.announce(this.#node);
    this.#life.host.start(this.#listener);
  }

  #wake(): void {
    this.#stands?.open();
    this.#stands = null;
  }

  async #end(): Promise<void> {
    const life = this.#life;
    this.#life = null;
    await life?.host.stop();
    await life?.store.close();
  }

  #liveOn(store: ReadModelStore): Life {
    const life: Life = {
      store,
      host: new ProjectorHost({ ...this.#context, readModelStore: store }),
      isOver: false,
    };
    const commit = store.commit.bind(store);
    const acquireLease = store.acquireLease.bind(store);
    const standing = async (): Promise<void> => {
      await this.#stands?.opened;
      if (life.isOver) throw new Died('this process is gone');
    };
    store.commit = async (batches) => {
      await standing();
      const outcome = await commit(batches);
      await standing();
      return outcome;
    };
    store.acquireLease = async (request) => {
      await standing();
      if (request.name !== PROJECTOR_LEASE) return acquireLease(request);
      return acquireLease({ ...request, ttlMs: this.lapses ? LAPSING_LEASE_MS : LEASE_MS });
    };
    return life;
  }
}

const prepared = async (
  { projections }: Pick<ProjectionContext, 'projections'>,
  open: () => Promise<ReadModelStore>,
): Promise<ReadModelStore> => {
  const store = await open();
  await store.prepare(projections);
  return store;
};
