/**
 * One stream of an aggregate: its state (stream-state.ts reads it) and its commands, one after the other. Each
 * command decides on the state as it will be when everything decided before it has been appended; what is decided while an
 * append is under way gathers into the next one. One append is under way at a time, and one that is refused or fails takes
 * back all that was decided upon it: a later one could else meet its expected revision on top of another process's events.
 */
import type { DomainEvent } from '../../domain/decider.js';
import { AppendTooLargeError } from '../event-store/append-checks.js';
import type { Aggregate, CommandContext, Loaded, Outcome, StreamServices } from './aggregate.js';
import {
  answer,
  type Batch,
  type CommandSource,
  type Folded,
  fail,
  measure,
  pauseAfter,
  type QueuedCommand,
  retryOrFail,
} from './command-batch.js';
import type { AggregateMetrics } from './command-metrics.js';
import { StreamState } from './stream-state.js';

/** A gathering append that has come so far takes no more commands. */
const MAX_EVENTS = 1_000;
/** Of a stream without its state: its name, its place among the kept ones, what this class holds. */
const OVERHEAD_BYTES = 1_000;

export class AggregateStream<Id, S, C, E extends DomainEvent> {
  readonly #name: string;
  readonly #aggregate: Aggregate<Id, S, C, E>;
  readonly #services: StreamServices & { readonly whenIdle: () => void };
  readonly #metrics: AggregateMetrics;
  readonly #state: StreamState<Id, S, C, E>;
  /** The outcome of an append is not known: the stream has to be read before anything is decided. */
  #inDoubt = false;
  /** Incremented on each rollback, so that stale completions can be recognised. */
  #generation = 0;
  /** Asynchronous work that the commands wait for. */
  #holds = 0;
  /** Commands that may share an append: fewer after one that was too large, so that each fails for its own size only. */
  #maxCommands = Number.POSITIVE_INFINITY;
  #queue: QueuedCommand<S, C, E>[] = [];
  #gathering: Batch<S, C, E> | null = null;
  #underWay: Batch<S, C, E> | null = null;

  constructor(
    name: string,
    aggregate: Aggregate<Id, S, C, E>,
    services: StreamServices & { readonly metrics: AggregateMetrics; readonly whenIdle: () => void },
  ) {
    this.#name = name;
    this.#aggregate = aggregate;
    this.#services = services;
    this.#metrics = services.metrics;
    this.#state = new StreamState(name, aggregate, services, (letGo) => {
      for (const batch of [this.#underWay, this.#gathering]) if (batch) batch.head = letGo(batch.head);
    });
  }

  // --- state ---------------------------------------------------------------------------------------------------------

  /** Estimated bytes in memory. */
  get size(): number {
    return OVERHEAD_BYTES + this.#aggregate.sizeOf(this.#state.known.state);
  }

  /** Whether the state is the stream's end as far as the feed, since it began, could tell. */
  get isCurrent(): boolean {
    const { knownAt, observed, known } = this.#state;
    return knownAt === this.#services.feedStarts() && observed <= known.revision;
  }

  loaded(): Loaded<S> {
    const { state, revision, position } = this.#state.known;
    return { state, revision, position };
  }

  /** The feed has told of an event of this stream. */
  observeRevision(revision: number): void {
    if (revision > this.#state.observed) this.#state.observed = revision;
  }

  /** Reads what the stream has beyond the state. */
  refresh(): Promise<void> {
    return this.#state.refresh();
  }

  /** Reads until the state is current, once for all callers meanwhile. */
  catchUp(): Promise<void> {
    return this.#state.catchUp(() => this.isCurrent);
  }

  /** Forgets the state: the stream may have become another one. What is under way rests on it, and ends first. */
  forget(): void {
    this.#state.forget();
    this.#state.isLost = this.#gathering !== null || this.#underWay !== null;
  }

  // --- commands ------------------------------------------------------------------------------------------------------

  execute(source: CommandSource<C>, context: CommandContext): Promise<Outcome<S, E>> {
    this.#metrics.waiting += 1;
    return new Promise((resolve, reject) => {
      const command = isFunction(source) ? undefined : source;
      const unknown = { attempts: 0, lookedUp: -1, earlier: undefined };
      this.#queue.push({ source, context, resolve, reject, command, ...unknown });
      this.#advance();
    });
  }

  /** Sends what has gathered, unless an append is under way; then that one's answer sends it. */
  flush(): void {
    const batch = this.#gathering;
    if (this.#underWay || !batch) return;
    this.#gathering = null;
    this.#underWay = batch;
    void this.#settle(batch);
  }

  /** Decides as many commands as can be decided now. */
  #advance(): void {
    while (this.#holds === 0) {
      const queued = this.#queue[0];
      if (!queued || this.#isFull()) break;
      if (this.#state.isLost) {
        if (this.#gathering || this.#underWay) break;
        this.#state.forget();
      }
      const before = this.#pending();
      if (!before) {
        this.#hold(this.#readOrFail());
      } else if (this.#state.lineage !== null && this.#state.isUnknown(queued)) {
        this.#hold(this.#lookUp());
      } else if (isFunction(queued.source)) {
        this.#hold(this.#makeAndDecide(queued, queued.source, before.revision));
      } else {
        this.#queue.shift();
        this.#decide(queued, queued.source, before);
      }
    }
    const idle = this.#holds === 0 && this.#queue.length === 0 && !this.#gathering && !this.#underWay;
    if (idle) this.#services.whenIdle();
  }

  #isFull(): boolean {
    const batch = this.#gathering;
    return batch !== null && (batch.events.length >= MAX_EVENTS || batch.decided.length >= this.#maxCommands);
  }

  /** The state that the next command decides on; null when the stream has to be read first. */
  #pending(): Folded<S> | null {
    const decided = this.#gathering?.head ?? this.#underWay?.head;
    if (decided) return decided;
    const { knownAt, observed, known } = this.#state;
    const isKnown = knownAt !== null && !this.#inDoubt && observed <= known.revision;
    return isKnown ? known : null;
  }

  /** Lets the commands wait; work that belongs to decisions that were taken back is waited for no longer. */
  #hold(work: Promise<void>): void {
    const generation = this.#generation;
    this.#holds += 1;
    void work.finally(() => {
      if (generation !== this.#generation) return;
      this.#holds -= 1;
      this.#advance();
    });
  }

  async #readOrFail(): Promise<void> {
    try {
      await this.refresh();
      this.#inDoubt = false;
    } catch (error) {
      for (const queued of this.#queue.splice(0)) fail(queued, error, this.#metrics);
    }
  }

  /** Looks up the requests of all commands that wait. */
  async #lookUp(): Promise<void> {
    const failed = await this.#state.lookUp(this.#queue);
    this.#queue = this.#queue.filter((queued) => !failed.has(queued));
    for (const [queued, error] of failed) fail(queued, error, this.#metrics);
  }

  /** Decides the command that `make` returns, unless the state that it will meet has moved meanwhile: then it is made again. */
  async #makeAndDecide(
    queued: QueuedCommand<S, C, E>,
    make: () => Promise<C>,
    revision: number,
  ): Promise<void> {
    const generation = this.#generation;
    try {
      const command = await make();
      queued.command = command;
      if (this.#state.isUnknown(queued)) await this.#lookUp();
      const before = this.#pending();
      const isNext = generation === this.#generation && this.#queue[0] === queued;
      const canDecide = isNext && !this.#state.isLost && !this.#state.isUnknown(queued);
      if (canDecide && before?.revision === revision) {
        this.#queue.shift();
        this.#decide(queued, command, before);
      }
    } catch (error) {
      if (generation !== this.#generation) return;
      this.#queue.shift();
      fail(queued, error, this.#metrics);
    }
  }

  #decide(queued: QueuedCommand<S, C, E>, command: C, before: Folded<S>): void {
    const { decider, schema } = this.#aggregate;
    const begun = performance.now();
    queued.command = command;
    try {
      const isRepeated = queued.earlier !== undefined;
      const known = isRepeated ? this.#state.recalled(queued, before.state) : before.state;
      const decision = decider.decide(command, known);
      const events = decision.ok ? decision.events : [];
      const state = events.reduce(decider.evolve, before.state);
      const seconds = (performance.now() - begun) / 1_000;
      const revision = before.revision + events.length;
      this.#gathering ??= { base: before.revision, decided: [], events: [], head: before };
      const batch = this.#gathering;
      if (events.length > 0) batch.events.push(...this.#services.newEvents(events, queued.context, schema));
      batch.head = { ...before, state, revision };
      batch.decided.push({ queued, decision, seconds, state, revision });
      if (!this.#underWay) this.#services.scheduleFlush(this);
    } catch (error) {
      fail(queued, error, this.#metrics);
    }
  }

  async #settle(batch: Batch<S, C, E>): Promise<void> {
    try {
      const settled = batch.events.length > 0 ? await this.#append(batch) : await this.#confirmNothing(batch);
      this.#underWay = null;
      if (settled) answer(batch, this.#state.known.position, this.#metrics);
      else {
        this.#takeBack(retryOrFail(batch, this.#name, this.#metrics));
        this.#hold(pauseAfter(batch));
      }
    } catch (error) {
      this.#underWay = null;
      const commands = batch.decided.map(({ queued }) => queued);
      const share = error instanceof AppendTooLargeError && commands.length > 1;
      this.#takeBack(share ? commands : []);
      if (share) this.#maxCommands = Math.floor(commands.length / 2);
      else for (const queued of commands) fail(queued, error, this.#metrics);
    }
    measure(batch, this.#metrics);
    this.flush();
    this.#advance();
    if (this.#state.known.revision >= this.#state.snapshotDue) void this.#state.saveSnapshot();
  }

  /** False when the race was lost. */
  async #append(batch: Batch<S, C, E>): Promise<boolean> {
    const { base, events } = batch;
    const at = this.#services.feedStarts();
    const begun = performance.now();
    const result = await this.#services.store.append(this.#name, base, events);
    this.#metrics.append.add((performance.now() - begun) / 1_000);
    this.#metrics.appendedEvents.add(events.length);
    this.#maxCommands *= 2;
    if (!result.ok) {
      this.#metrics.conflicts += 1;
      return false;
    }
    // In a stream that was deleted and begun again, the store counts on from where it was.
    const { revision, position } = result;
    this.#state.knownAt = at;
    if (revision > this.#state.known.revision)
      this.#state.known = { state: batch.head.state, revision, position, eventId: events.at(-1)?.id ?? '' };
    return true;
  }

  /** False when the stream has gone on without us. */
  async #confirmNothing({ base }: Batch<S, C, E>): Promise<boolean> {
    await this.refresh();
    return this.#state.known.revision === base;
  }

  /** Puts these commands, and those decided upon them, back to the front of the queue; the stream is read first. */
  #takeBack(commands: readonly QueuedCommand<S, C, E>[]): void {
    const upon = this.#gathering;
    if (upon) measure(upon, this.#metrics);
    this.#gathering = null;
    this.#inDoubt = true;
    this.#generation += 1;
    this.#holds = 0;
    this.#queue = [...commands, ...(upon?.decided.map(({ queued }) => queued) ?? []), ...this.#queue];
  }
}

const isFunction = <C>(source: CommandSource<C>): source is () => Promise<C> => typeof source === 'function';
