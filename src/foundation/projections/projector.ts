/**
 * The read side of a process: takes snapshots, waits for positions, publishes what has changed, and competes with other
 * processes to run the projections. A CLI command competes only when it reads, because beside a server it need not.
 */
import type { ChangedTags } from '../../domain/tags.js';
import type { HandedEvents } from '../aggregates/event-feed.js';
import type { EventStore, Position } from '../event-store/event-store.js';
import {
  type Generation,
  type ReadModelStore,
  ReadModelUnavailableError,
} from '../read-models/read-model-store.js';
import { FailureReporter, type ReportFailure } from './failure-reporter.js';
import type { Projection } from './projection.js';
import { type ReadModels, ReadModelsAdvanced } from './read-models.js';
import { type NodeDescription, nodeLeaseName } from './runner/nodes.js';
import type { ProjectionFailure, ProjectorEngine } from './runner/projector-engine.js';
import { PROJECTOR_LEASE } from './runner/projector-host.js';
import type { ReplayProgress } from './runner/rebuild.js';
import { StallWatch } from './stall-watch.js';

export interface ProjectorOptions {
  readonly eventStore: EventStore;
  readonly readModelStore: ReadModelStore;
  readonly projections: readonly Projection[];
  readonly engine: ProjectorEngine;
  /** Starts with the first read. Every snapshot then waits until it shows all events appended before it. */
  readonly lazy?: boolean;
  /** Called once for each reason why the projections stand still, and when they continue. */
  readonly onProjectionFailure?: ReportFailure;
  /** Why nothing may be projected or rebuilt now: events are missing. Null: nothing is missing. */
  readonly standstill?: () => string | null;
  /** Called with the control events that this process reads while it projects. */
  readonly onControlEvents?: (handed: HandedEvents) => void;
}

export interface ProjectionStatus {
  readonly name: string;
  /** Version in the code. */
  readonly version: number;
  readonly live: Generation | null;
  readonly building: Generation | null;
}

/** For health, metrics and doctor. */
export interface ProjectorStatus {
  readonly position: Position;
  /** How many positions the event store is ahead. Null: the event store does not answer. */
  readonly lag: number | null;
  /** The process that runs the projections: `<hostname>:<pid>:<random>`. */
  readonly holder: string | null;
  /** Whether this process runs them. */
  readonly projecting: boolean;
  /** Whether every projection is live in the code's version. */
  readonly ready: boolean;
  /** Whether other processes have moved on, and the position of this one stands. */
  readonly stalled: boolean;
  /** Why the projections stand still. Null: no failure is known. */
  readonly failure: string | null;
  /** Whether they stand still before an event that this version does not know. */
  readonly isBeforeUnknownEvent: boolean;
  readonly projections: readonly ProjectionStatus[];
}

/** A reader that waits until a position is visible. */
interface Waiter {
  readonly position: Position;
  readonly settle: (reached: boolean) => void;
}

const FAILURE_POLL_MS = 1_000;
/** A thread may take so long to start on a busy machine. */
const UNTIL_ANNOUNCED_MS = 60_000;

export class Projector implements ReadModels {
  /** Only this class sets it. It moves back only when the read models start again from nothing. */
  position: Position = 0;
  readonly snapshot: ReadModels['snapshot'];
  readonly #options: ProjectorOptions;
  readonly #waiting = new Set<Waiter>();
  readonly #reporter: FailureReporter;
  readonly #stallWatch = new StallWatch({
    shown: () => this.position,
    visible: () => this.#visible(),
    onChange: () => this.#reporter.observe(this.failure),
  });
  readonly #listeners = new Set<(event: ReadModelsAdvanced) => void>();
  #started: Promise<void> | null = null;
  #projecting = false;
  #failure: ProjectionFailure | null = null;
  #foreignEvents = 0;

  constructor(options: ProjectorOptions) {
    this.#options = options;
    this.#reporter = new FailureReporter(options.onProjectionFailure ?? (() => undefined));
    const { lazy, readModelStore } = options;
    this.snapshot = lazy
      ? async (read) => {
          await this.#catchUp();
          return readModelStore.snapshot(read);
        }
      : readModelStore.snapshot.bind(readModelStore);
  }

  /** Whether this process runs the projections. */
  get isProjecting(): boolean {
    return this.#projecting;
  }

  /** Events of other programs that were passed over since this process began. */
  get foreignEvents(): number {
    return this.#foreignEvents;
  }

  /** Why the projections stand still. Null: no failure is known. */
  get failure(): string | null {
    const stalled = this.#stallWatch.isStalled
      ? `this process stands at position ${this.position}, and others have moved on`
      : null;
    return this.#options.standstill?.() ?? this.#failure?.reason ?? stalled;
  }

  /**
   * Takes the lease of this node before it serves, also when events are missing and no thread runs yet: `podium
   * accept-loss` must know of it. The announcement renews it.
   */
  async hold(nodeId: string): Promise<void> {
    const { engine, readModelStore } = this.#options;
    await readModelStore.acquireLease({
      name: nodeLeaseName(nodeId),
      holder: engine.holder,
      ttlMs: UNTIL_ANNOUNCED_MS,
    });
  }

  /** Announces this process to the other nodes and to `podium doctor`. */
  announce(node: NodeDescription): void {
    this.#options.engine.announce(node);
  }

  /** Prepares the store for reads. Competes for the projections, unless lazy. */
  async start(): Promise<void> {
    await this.#options.readModelStore.prepare(this.#options.projections);
    if (!this.#options.lazy) await this.#run();
  }

  async waitFor(position: Position, timeoutMs: number): Promise<boolean> {
    if (this.#options.lazy) await this.#run();
    if (position <= this.position) return true;
    return new Promise((resolve) => {
      const waiter: Waiter = {
        position,
        settle: (reached) => {
          clearTimeout(timer);
          this.#waiting.delete(waiter);
          resolve(reached);
        },
      };
      const timer = setTimeout(() => waiter.settle(false), timeoutMs);
      this.#waiting.add(waiter);
    });
  }

  /** Calls the listener after each batch has become visible. Returns a function that removes the listener. */
  onAdvanced(listener: (event: ReadModelsAdvanced) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Rebuilds these projections beside the live ones. Throws RangeError for an unknown name, or RebuildSupersededError. */
  async replay(
    names: readonly string[],
    onProgress: (progress: ReplayProgress) => void = () => undefined,
  ): Promise<void> {
    const known = this.#options.projections.map(({ name }) => name);
    const unknown = names.filter((name) => !known.includes(name));
    if (unknown.length > 0) {
      throw new RangeError(`there is no projection ${unknown.join(', ')}; there are ${known.join(', ')}`);
    }
    const standstill = this.#options.standstill?.() ?? null;
    if (standstill !== null) throw new ReadModelUnavailableError(standstill);
    await this.#options.engine.replay(names, onProgress);
  }

  /** Whether every projection has a live generation, in any version. A new store has none. */
  async isBuilt(): Promise<boolean> {
    const { readModelStore, projections } = this.#options;
    const all = await readModelStore.progressOf(projections.map(({ name }) => name));
    return all.every(({ live }) => live !== null);
  }

  async status(): Promise<ProjectorStatus> {
    const { readModelStore, eventStore, projections } = this.#options;
    const head = await eventStore.head().catch(() => null);
    const leases = await readModelStore.leases();
    const progress = await readModelStore.progressOf(projections.map(({ name }) => name));
    const statuses = projections.map(({ name, version }, index) => ({
      name,
      version,
      ...(progress[index] ?? { live: null, building: null }),
    }));
    return {
      position: this.position,
      lag: head === null ? null : Math.max(0, head - this.position),
      holder: leases.find(({ name }) => name === PROJECTOR_LEASE)?.holder ?? null,
      projecting: this.#projecting,
      ready: statuses.every(
        ({ version, live }) => live?.version === version && live.storeId === eventStore.storeId,
      ),
      stalled: this.#stallWatch.isStalled,
      failure: this.failure,
      isBeforeUnknownEvent: this.#failure?.isUnknownEvent ?? false,
      projections: statuses,
    };
  }

  /** Stops the projections of this process. Does not close the stores. */
  async close(): Promise<void> {
    await Promise.all([this.#stallWatch.stop(), this.#options.engine.stop()]);
    this.#reporter.close();
    for (const waiter of this.#waiting) waiter.settle(false);
  }

  /** Reports why nothing is projected now, or begins when nothing is missing any more. */
  async standstillChanged(): Promise<void> {
    this.#reporter.observe(this.failure);
    if (!this.#options.lazy) await this.#run();
  }

  async #run(): Promise<void> {
    if (this.#started === null && (this.#options.standstill?.() ?? null) !== null) {
      this.#reporter.observe(this.failure);
      return;
    }
    this.#started ??= this.#startEngine();
    await this.#started;
  }

  async #startEngine(): Promise<void> {
    this.#options.engine.start({
      advanced: (position, tags) => this.#advanced(position, tags),
      role: (projecting) => {
        this.#projecting = projecting;
      },
      failure: (failure) => {
        this.#failure = failure;
        this.#reporter.observe(failure?.reason ?? null);
      },
      foreign: ({ events }) => {
        this.#foreignEvents = events;
      },
      controlEvents: this.#options.onControlEvents ?? (() => undefined),
    });
    if (!this.#options.lazy) this.#stallWatch.start();
  }

  /** What the live read models show to every process. */
  async #visible(): Promise<Position> {
    const { readModelStore, eventStore, projections } = this.#options;
    const all = await readModelStore.progressOf(projections.map(({ name }) => name));
    return Math.min(...all.map(({ live }) => (live?.storeId === eventStore.storeId ? live.position : 0)));
  }

  #advanced(position: Position, tags: ChangedTags | null): void {
    const event = new ReadModelsAdvanced(position, tags);
    // The caches are invalidated before the waiting readers read.
    for (const listener of this.#listeners) listener(event);
    this.position = position;
    for (const waiter of this.#waiting) if (waiter.position <= position) waiter.settle(true);
  }

  async #catchUp(): Promise<void> {
    const head = await this.#options.eventStore.head();
    while (!(await this.waitFor(head, FAILURE_POLL_MS))) {
      if (this.failure) throw new ReadModelUnavailableError(this.failure);
    }
  }
}
