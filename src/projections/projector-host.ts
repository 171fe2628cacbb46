/**
 * Runs projections in this thread while this process holds the lease, and else watches how far the holder has come.
 * The lease only spares double work: two that run at once do no harm, since each commit says which checkpoint it
 * builds on. Generations that do not fit the code or the event store are rebuilt first thing.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { holderName } from '../readmodel/lease-holder.js';
import type { LeaseRequest } from '../readmodel/read-model-store.js';
import { LiveProjections } from './live-projections.js';
import type { Projection } from './projection.js';
import { fits, type ProjectionContext, readablePosition } from './projection-context.js';
import type { ProjectorEngine, ProjectorListener } from './projector-engine.js';
import { RebuildSupersededError, type ReplayProgress, rebuild } from './rebuild.js';

export const PROJECTOR_LEASE = 'projector';
const LEASE_MS = 5_000;
const RENEW_EVERY_MS = 1_000;
const LOOK_EVERY_MS = 50;
const RETRY_AFTER_MS = 1_000;

export class ProjectorHost implements ProjectorEngine {
  readonly #context: ProjectionContext;
  readonly #holder: string;
  readonly #lease: LeaseRequest;
  readonly #stop = new AbortController();
  readonly #live: LiveProjections;
  #listener: ProjectorListener = { advanced: () => {}, role: () => {}, trouble: () => {} };
  #running: Promise<void> = Promise.resolve();
  #seen = '';

  /** `holder`: the name that it takes the lease under. */
  constructor(context: ProjectionContext, holder: string = holderName()) {
    this.#context = context;
    this.#holder = holder;
    this.#lease = { name: PROJECTOR_LEASE, holder, ttlMs: LEASE_MS };
    this.#live = new LiveProjections(context, (position, tags) => this.#listener.advanced(position, tags));
  }

  start(listener: ProjectorListener): void {
    this.#listener = listener;
    this.#running = this.#compete();
  }

  async replay(names: readonly string[], onProgress: (progress: ReplayProgress) => void): Promise<void> {
    const projections = this.#context.projections.filter(({ name }) => names.includes(name));
    await rebuild(this.#context, projections, { resume: false, signal: this.#stop.signal, onProgress });
    await this.#live.refresh();
  }

  async stop(): Promise<void> {
    this.#stop.abort();
    await this.#running;
  }

  async #compete(): Promise<void> {
    const { signal } = this.#stop;
    while (!signal.aborted) {
      try {
        if (await this.#acquire()) await this.#project();
        else await this.#follow();
      } catch (error) {
        this.#listener.trouble(error instanceof Error ? error.message : String(error));
        await this.#pause(RETRY_AFTER_MS, signal);
      }
    }
  }

  /** Looks before it asks: asking is a write. */
  async #acquire(): Promise<boolean> {
    const store = this.#context.readModelStore;
    const leases = await store.leases();
    if (leases.some(({ name, holder }) => name === PROJECTOR_LEASE && holder !== this.#holder)) return false;
    return (await store.acquireLease(this.#lease)) !== null;
  }

  async #project(): Promise<void> {
    const over = new AbortController();
    const signal = AbortSignal.any([this.#stop.signal, over.signal]);
    const endAll = (error: unknown): never => {
      over.abort();
      throw error;
    };
    this.#listener.role(true);
    const ended = await Promise.allSettled([
      this.#live.run(signal).catch(endAll),
      this.#rebuildOutdated(signal).catch(endAll),
      this.#keepLease(signal)
        .catch(endAll)
        .finally(() => over.abort()),
    ]);
    this.#listener.role(false);
    await this.#context.readModelStore.releaseLease(PROJECTOR_LEASE, this.#holder);
    for (const task of ended) if (task.status === 'rejected') throw task.reason;
  }

  /** Ends when the lease is lost. */
  async #keepLease(signal: AbortSignal): Promise<void> {
    const store = this.#context.readModelStore;
    while (!signal.aborted) {
      await this.#pause(RENEW_EVERY_MS, signal);
      if (signal.aborted) return;
      if (!(await store.acquireLease(this.#lease))) return;
      await this.#live.refresh();
    }
  }

  async #rebuildOutdated(signal: AbortSignal): Promise<void> {
    let outdated = await this.#outdated();
    while (outdated.length > 0 && !signal.aborted) {
      try {
        await rebuild(this.#context, outdated, { resume: true, signal });
      } catch (error) {
        if (!(error instanceof RebuildSupersededError)) throw error;
        await this.#letTheOtherBuild(signal);
      }
      await this.#live.refresh();
      outdated = await this.#outdated();
    }
    if (!signal.aborted) this.#listener.trouble(null);
  }

  /** Somebody replays: two rebuilds of one projection would only discard each other's work. */
  async #letTheOtherBuild(signal: AbortSignal): Promise<void> {
    let before = '';
    for (;;) {
      const progress = await Promise.all(
        this.#context.projections.map(({ name }) => this.#context.readModelStore.progress(name)),
      );
      const now = progress.map(({ building }) => `${building?.number}@${building?.position}`).join();
      if (now === before || signal.aborted) return;
      before = now;
      await this.#pause(RETRY_AFTER_MS, signal);
    }
  }

  async #outdated(): Promise<Projection[]> {
    const { eventStore, readModelStore, projections } = this.#context;
    const head = { storeId: eventStore.storeId, head: await eventStore.head() };
    const outdated: Projection[] = [];
    for (const projection of projections) {
      const { live } = await readModelStore.progress(projection.name);
      if (!live || !fits(live, projection, head)) outdated.push(projection);
    }
    return outdated;
  }

  /** What another process has made visible, without knowing what it changed. */
  async #follow(): Promise<void> {
    const { eventStore, readModelStore, projections } = this.#context;
    const head = { storeId: eventStore.storeId, head: await eventStore.head() };
    const progress = await Promise.all(projections.map(({ name }) => readModelStore.progress(name)));
    const position = Math.min(...progress.map(({ live }) => readablePosition(live, head)));
    const seen = progress.map(({ live }) => `${live?.number}@${live?.position}`).join();
    if (seen !== this.#seen) {
      this.#seen = seen;
      this.#listener.advanced(position, null);
      this.#listener.trouble(null);
    }
    await this.#pause(LOOK_EVERY_MS, this.#stop.signal);
  }

  async #pause(ms: number, signal: AbortSignal): Promise<void> {
    await pause(ms, undefined, { signal, ref: false }).catch(() => undefined);
  }
}
