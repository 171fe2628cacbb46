/**
 * Runs the projections in this thread while this process holds the lease; otherwise follows the holder. The lease only
 * saves double work: two holders at once do no harm, because each commit names the checkpoint that it builds on.
 * Generations that do not fit the code or the event store are rebuilt first. When an older node holds the lease, a newer
 * node rebuilds beside it, and the older node releases the lease when the newer generations are live.
 */
import { setTimeout as pause } from 'node:timers/promises';
import type { ChangedTags } from '../../../domain/tags.js';
import { messageOf } from '../../basics/error-message.js';
import { hasOldEvents } from '../../event-store/old-events.js';
import { holderName } from '../../read-models/lease-holder.js';
import type { Lease, LeaseRequest } from '../../read-models/read-model-store.js';
import { Follower } from './follower.js';
import { LiveProjections } from './live-projections.js';
import {
  isOlder,
  type NodeAnnouncement,
  type NodeDescription,
  type NodeEntry,
  nodeLeaseName,
  nodesIn,
} from './nodes.js';
import { OutdatedProjections } from './outdated.js';
import type { ProjectionContext } from './projection-context.js';
import { NO_LISTENER, type ProjectorEngine, type ProjectorListener } from './projector-engine.js';
import { type ReplayProgress, rebuild } from './rebuild.js';
import { describeForeign, UnknownEventError } from './subscribed-events.js';

export const PROJECTOR_LEASE = 'projector';
/** Held while a newer node rebuilds beside an older one that projects. */
const UPGRADE_LEASE = 'upgrade';
/** A dead holder is replaced this long after its last renewal, at the next poll. */
export const LEASE_MS = 5_000;
const RENEW_EVERY_MS = 1_000;
const POLL_INTERVAL_MS = 50;
/** Half as often over a network: every poll is a query to a server that all nodes share. */
const REMOTE_POLL_INTERVAL_MS = 100;
const LEASE_POLL_INTERVAL_MS = 250;
const RETRY_AFTER_MS = 1_000;

export class ProjectorHost implements ProjectorEngine {
  readonly #context: ProjectionContext;
  readonly holder: string;
  readonly #stop = new AbortController();
  readonly #live: LiveProjections;
  readonly #outdated: OutdatedProjections;
  #listener: ProjectorListener = NO_LISTENER;
  #running: Promise<void> = Promise.resolve();
  #announcing: Promise<void> | null = null;
  #node: NodeDescription | null = null;
  #position = 0;
  /** Met by this version: it leaves the lease to newer code, for as long as this process runs. */
  #unknown: UnknownEventError | null = null;

  /** `holder`: the name under which it takes leases. */
  constructor(context: ProjectionContext, holder: string = holderName()) {
    this.#context = context;
    this.holder = holder;
    this.#live = new LiveProjections(context, (position, tags) => this.#advanced(position, tags));
    this.#outdated = new OutdatedProjections(context);
  }

  start(listener: ProjectorListener): void {
    this.#listener = listener;
    const { subscribed } = this.#context;
    subscribed.onForeign = (foreign) => listener.foreign(foreign);
    subscribed.onHanded = (handed) => listener.controlEvents(handed);
    this.#running = this.#compete();
  }

  announce(node: NodeDescription): void {
    this.#node = node;
    this.#announcing ??= this.#keepAnnounced();
  }

  async replay(names: readonly string[], onProgress: (progress: ReplayProgress) => void): Promise<void> {
    const projections = this.#context.projections.filter(({ name }) => names.includes(name));
    const options = { resume: false, signal: this.#stop.signal, onProgress };
    if (!(await rebuild(this.#context, projections, options)))
      throw new Error('stopped before the rebuild was done; the read models are as they were');
    await this.#live.refresh();
    if (projections.length === this.#context.projections.length) await this.#acceptOldEvents();
  }

  /** An operator who has all read models built anew takes the events for right. */
  async #acceptOldEvents(): Promise<void> {
    const { eventStore } = this.#context;
    if (hasOldEvents(eventStore)) await eventStore.markCompared([]);
  }

  async stop(): Promise<void> {
    this.#stop.abort();
    await this.#running;
    await this.#announcing;
  }

  async #compete(): Promise<void> {
    const { signal } = this.#stop;
    while (!signal.aborted) {
      try {
        if (await this.#acquire()) await this.#project();
        else await this.#follow();
      } catch (error) {
        if (error instanceof UnknownEventError) this.#unknown = error;
        this.#fail(error);
        await this.#pause(RETRY_AFTER_MS, signal);
      }
    }
  }

  #fail(error: unknown): void {
    this.#listener.failure({ reason: messageOf(error), isUnknownEvent: error instanceof UnknownEventError });
  }

  /** Of one that follows: it stands before the event that it does not know, or nothing fails. */
  #reportStanding(): void {
    if (this.#unknown && this.#position < this.#unknown.position) this.#fail(this.#unknown);
    else this.#listener.failure(null);
  }

  /** Reads the leases first, because taking one is a write. */
  async #acquire(): Promise<boolean> {
    if (this.#unknown) return false;
    const leases = await this.#context.readModelStore.leases();
    if (leases.some(({ name, holder }) => name === PROJECTOR_LEASE && holder !== this.holder)) return false;
    if (await this.#outdated.isOvertaken(nodesIn(leases))) return false;
    return (await this.#take(PROJECTOR_LEASE)) !== null;
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
    await this.#release(PROJECTOR_LEASE);
    for (const task of ended) if (task.status === 'rejected') throw task.reason;
  }

  /** Ends when the lease is lost, or newer code has taken over. */
  async #keepLease(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      const nodes = await this.#nodes();
      this.#live.isFollowed = nodes.some(({ holder }) => holder !== this.holder);
      if (await this.#outdated.isOvertaken(nodes)) return;
      await this.#pause(RENEW_EVERY_MS, signal);
      if (signal.aborted || !(await this.#take(PROJECTOR_LEASE))) return;
      await this.#live.refresh();
    }
  }

  /** Looks again and again: a generation that is found damaged while it serves is outdated, too. */
  async #rebuildOutdated(signal: AbortSignal): Promise<void> {
    const options = { signal, nodes: () => this.#nodes(), onSwapped: () => this.#live.refresh() };
    await this.#outdated.compareOldEvents(options);
    while (!signal.aborted) {
      await this.#outdated.rebuildAll(options);
      if (!signal.aborted) this.#listener.failure(null);
      await this.#pause(RENEW_EVERY_MS, signal);
    }
  }

  /** Follows the holder until the lease is free. */
  async #follow(): Promise<void> {
    const over = new AbortController();
    const signal = AbortSignal.any([this.#stop.signal, over.signal]);
    const upgrade = this.#upgrade(signal);
    try {
      const follower = new Follower(this.#context);
      for (let checkedAt = performance.now(); !signal.aborted; ) {
        const seen = await follower.poll();
        if (seen) this.#advanced(seen.position, seen.tags);
        if (seen) this.#reportStanding();
        await this.#pause(
          this.#context.readModelStore.isRemote ? REMOTE_POLL_INTERVAL_MS : POLL_INTERVAL_MS,
          signal,
        );
        if (performance.now() - checkedAt < LEASE_POLL_INTERVAL_MS) continue;
        checkedAt = performance.now();
        if (await this.#isFree()) return;
      }
    } finally {
      over.abort();
      await upgrade;
    }
  }

  async #isFree(): Promise<boolean> {
    const leases = await this.#context.readModelStore.leases();
    if (leases.some(({ name }) => name === PROJECTOR_LEASE)) return false;
    return !(await this.#outdated.isOvertaken(nodesIn(leases)));
  }

  /** Rebuilds what an older holder cannot. The upgrade lease picks one of the newer nodes. */
  async #upgrade(signal: AbortSignal): Promise<void> {
    let hasFailed = false;
    while (!signal.aborted) {
      try {
        if ((await this.#isHeldByOlder()) && (await this.#take(UPGRADE_LEASE))) {
          await this.#whileHolding(UPGRADE_LEASE, signal, (ending) => this.#outdated.rebuildOlder(ending));
        }
        if (hasFailed) this.#reportStanding();
        hasFailed = false;
      } catch (error) {
        this.#fail(error);
        hasFailed = true;
      }
      await this.#pause(RENEW_EVERY_MS, signal);
    }
  }

  async #isHeldByOlder(): Promise<boolean> {
    const leases = await this.#context.readModelStore.leases();
    const projecting = leases.find(({ name }) => name === PROJECTOR_LEASE);
    const holder = nodesIn(leases).find((node) => node.holder === projecting?.holder);
    return holder !== undefined && isOlder(holder, this.#context.projections);
  }

  async #whileHolding(
    name: string,
    signal: AbortSignal,
    work: (signal: AbortSignal) => Promise<void>,
  ): Promise<void> {
    const over = new AbortController();
    const ending = AbortSignal.any([signal, over.signal]);
    const renewing = this.#renew(name, ending)
      .catch(() => undefined)
      .finally(() => over.abort());
    try {
      await work(ending);
    } finally {
      over.abort();
      await renewing;
      await this.#release(name);
    }
  }

  async #renew(name: string, signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      await this.#pause(RENEW_EVERY_MS, signal);
      if (signal.aborted || !(await this.#take(name))) return;
    }
  }

  /** Ignores a failed renewal: the next one repeats it, and the projections report an unavailable store. */
  async #keepAnnounced(): Promise<void> {
    const { signal } = this.#stop;
    while (!signal.aborted) {
      await this.#announceOnce().catch(() => undefined);
      await this.#pause(RENEW_EVERY_MS, signal);
    }
    if (this.#node) await this.#release(nodeLeaseName(this.#node.id)).catch(() => undefined);
  }

  async #announceOnce(): Promise<void> {
    if (!this.#node) return;
    const versions = this.#context.projections.map(({ name, version }) => [name, version] as const);
    const foreign = this.#context.subscribed.foreign;
    const announcement: NodeAnnouncement = {
      ...this.#node,
      ...(foreign && { foreign: describeForeign(foreign) }),
      position: this.#position,
      projections: Object.fromEntries(versions),
    };
    await this.#take(nodeLeaseName(this.#node.id), JSON.stringify(announcement));
  }

  async #nodes(): Promise<readonly NodeEntry[]> {
    return nodesIn(await this.#context.readModelStore.leases());
  }

  #take(name: string, detail?: string): Promise<Lease | null> {
    const request: LeaseRequest = { name, holder: this.holder, ttlMs: LEASE_MS };
    return this.#context.readModelStore.acquireLease(detail === undefined ? request : { ...request, detail });
  }

  #release(name: string): Promise<void> {
    return this.#context.readModelStore.releaseLease(name, this.holder);
  }

  #advanced(position: number, tags: ChangedTags | null): void {
    this.#position = position;
    this.#listener.advanced(position, tags);
  }

  async #pause(ms: number, signal: AbortSignal): Promise<void> {
    await pause(ms, undefined, { signal, ref: false }).catch(() => undefined);
  }
}
