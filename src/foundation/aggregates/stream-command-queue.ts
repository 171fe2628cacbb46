/**
 * The commands of one stream, one after the other. Each decides on the state as it will be when everything decided
 * before it has been appended; what is decided while an append is under way gathers into the next one. One append is
 * under way at a time, since a later one could otherwise meet its expected revision on top of another process's events
 * after the one before it was refused. A refused or failed append takes back all that was decided upon it.
 */

import type { DomainEvent } from '../../domain/decider.js';
import type { Rejection } from '../../domain/rejections.js';
import { AppendTooLargeError } from '../event-store/append-size.js';
import { newEventId } from '../event-store/event-id.js';
import type { EventStore, NewEvent, Position } from '../event-store/event-store.js';
import type { Upcasters } from '../event-store/upcasters.js';
import { type Aggregate, CommandContentionError, type CommandContext, type Outcome } from './aggregate.js';
import type { AggregateMetrics, CommandOutcome } from './command-metrics.js';
import { type Folded, FoldedStream, NO_STREAM } from './folded-stream.js';

/** Decisions of one command before it is told that others keep winning. */
const MAX_ATTEMPTS = 12;
const MAX_PAUSE_MS = 64;
/** A gathering append that has come so far takes no more commands. */
const MAX_EVENTS = 1_000;
/** What all queues share. */
export interface QueueServices {
  readonly store: EventStore;
  readonly upcasters: Upcasters;
  /** Schedules a flush: calls `queue.flush()` at the end of this turn of the event loop, or earlier when the batch is full. */
  readonly scheduleFlush: (queue: { flush(): void }) => void;
  /** Counts the times at which the feed has begun to tell of other processes' appends. */
  readonly feedStarts: () => number;
}

interface Request<S, C, E> {
  readonly command: C | (() => Promise<C>);
  readonly context: CommandContext;
  readonly resolve: (outcome: Outcome<S, E>) => void;
  readonly reject: (error: unknown) => void;
  attempts: number;
  /** Of the command; not known until a function has given it. */
  type: string;
}

interface Decided<S, C, E> {
  readonly request: Request<S, C, E>;
  /** The events, or why there are none. */
  readonly outcome: readonly E[] | { readonly rejection: Rejection };
  /** After the command. */
  readonly state: S;
  readonly revision: number;
}

/** Decisions that share an append, or that together confirm that there is nothing to append. */
interface Batch<S, C, E> {
  readonly base: number;
  readonly decided: Decided<S, C, E>[];
  readonly events: NewEvent[];
  head: Folded<S>;
}

export class StreamCommandQueue<Id, S, C, E extends DomainEvent> {
  readonly folded: FoldedStream<S, C, E>;
  readonly #aggregate: Aggregate<Id, S, C, E>;
  readonly #services: QueueServices;
  readonly #metrics: AggregateMetrics;
  readonly #whenIdle: () => void;
  /** The outcome of an append is not known: the stream has to be read before anything is decided. */
  #inDoubt = false;
  /** Incremented on each rollback, so that stale completions can be recognised. */
  #generation = 0;
  /** Asynchronous work that the queue waits for. */
  #holds = 0;
  /** Commands that may share an append: fewer after one that was too large. */
  #maxCommands = MAX_EVENTS;
  #queue: Request<S, C, E>[] = [];
  #gathering: Batch<S, C, E> | null = null;
  #underWay: Batch<S, C, E> | null = null;

  constructor(
    stream: string,
    aggregate: Aggregate<Id, S, C, E>,
    services: QueueServices & { readonly metrics: AggregateMetrics; readonly whenIdle: () => void },
  ) {
    this.folded = new FoldedStream(stream, aggregate.decider, services);
    this.#metrics = services.metrics;
    this.#aggregate = aggregate;
    this.#services = services;
    this.#whenIdle = services.whenIdle;
  }

  execute(command: C | (() => Promise<C>), context: CommandContext): Promise<Outcome<S, E>> {
    const metrics = this.#metrics;
    metrics.waiting += 1;
    return new Promise((resolve, reject) => {
      const request: Request<S, C, E> = {
        command,
        context,
        attempts: 0,
        type: typeOf(command),
        resolve: (outcome) => {
          metrics.waiting -= 1;
          metrics.count(request.type, outcomeOf(outcome));
          resolve(outcome);
        },
        reject: (error) => {
          metrics.waiting -= 1;
          metrics.count(request.type, failureOf(error));
          reject(error);
        },
      };
      this.#queue.push(request);
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
      const request = this.#queue[0];
      if (!request || this.#isFull()) break;
      const before = this.#pending();
      const { command } = request;
      if (!before) {
        this.#hold(this.#readOrFail());
      } else if (isAsked(command)) {
        this.#hold(this.#ask(request, command, before.revision));
      } else {
        this.#queue.shift();
        this.#decide(request, command, before);
      }
    }
    const idle = this.#holds === 0 && this.#queue.length === 0 && !this.#gathering && !this.#underWay;
    if (idle) this.#whenIdle();
  }

  #isFull(): boolean {
    const { events = [], decided = [] } = this.#gathering ?? {};
    return events.length >= MAX_EVENTS || decided.length >= this.#maxCommands;
  }

  /** Lets the queue wait; work that belongs to decisions that were taken back is waited for no longer. */
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
      await this.folded.refresh();
      this.#inDoubt = false;
    } catch (error) {
      const failed = this.#queue;
      this.#queue = [];
      for (const { reject } of failed) reject(error);
    }
  }

  /** Asks for a command while the state that it will meet stands still; where it moved, it is asked for again. */
  async #ask(request: Request<S, C, E>, command: () => Promise<C>, revision: number): Promise<void> {
    const generation = this.#generation;
    try {
      const answer = await command();
      const before = this.#pending();
      if (generation === this.#generation && before?.revision === revision) {
        this.#queue.shift();
        this.#decide(request, answer, before);
      }
    } catch (error) {
      if (generation !== this.#generation) return;
      this.#queue.shift();
      request.reject(error);
    }
  }

  #decide(request: Request<S, C, E>, command: C, before: Folded<S>): void {
    const { decider, schema } = this.#aggregate;
    const begun = performance.now();
    request.type = typeOf(command);
    try {
      const decision = decider.decide(command, before.state);
      const events = decision.ok ? decision.events : [];
      const state = events.reduce(decider.evolve, before.state);
      this.#metrics.decide.add((performance.now() - begun) / 1_000);
      const head = { state, revision: before.revision + events.length, position: before.position };
      const batch = this.#gatheringBatch(before);
      if (events.length > 0) {
        const metadata = { ...request.context, schema };
        for (const { type, data } of events) batch.events.push({ id: newEventId(), type, data, metadata });
      }
      batch.head = head;
      const outcome = decision.ok ? events : { rejection: decision.rejection };
      batch.decided.push({ request, outcome, state, revision: head.revision });
      if (!this.#underWay) this.#services.scheduleFlush(this);
    } catch (error) {
      request.reject(error);
    }
  }

  #gatheringBatch(before: Folded<S>): Batch<S, C, E> {
    if (!this.#gathering) {
      this.#gathering = { base: before.revision, decided: [], events: [], head: before };
    }
    return this.#gathering;
  }

  async #settle(batch: Batch<S, C, E>): Promise<void> {
    try {
      const settled = batch.events.length > 0 ? await this.#append(batch) : await this.#confirmNothing(batch);
      this.#underWay = null;
      if (settled) this.#answer(batch, this.folded.known.position);
      else this.#decideAgain(batch);
    } catch (error) {
      this.#underWay = null;
      this.#inDoubt = true;
      const requests = batch.decided.map(({ request }) => request);
      const share = error instanceof AppendTooLargeError && requests.length > 1;
      this.#takeBack(share ? requests : []);
      // Nothing was written. Decided again in smaller appends, each fails for its own size only.
      if (share) this.#maxCommands = Math.floor(requests.length / 2);
      else for (const { reject } of requests) reject(error);
    }
    this.flush();
    this.#advance();
  }

  /** False when the race was lost. */
  async #append({ base, events, head }: Batch<S, C, E>): Promise<boolean> {
    const at = this.#services.feedStarts();
    const expected = base === NO_STREAM ? 'no_stream' : base;
    const begun = performance.now();
    const result = await this.#services.store.append(this.folded.name, expected, events);
    this.#metrics.append.add((performance.now() - begun) / 1_000);
    this.#metrics.appendedEvents.add(events.length);
    if (!result.ok) this.#metrics.conflicts += 1;
    this.#maxCommands = Math.min(this.#maxCommands * 2, MAX_EVENTS);
    // In a stream that was deleted and begun again, the store counts on from where it was.
    if (result.ok) this.folded.confirm({ ...head, revision: result.revision, position: result.position }, at);
    return result.ok;
  }

  /** False when the stream has gone on without us. */
  async #confirmNothing({ base }: Batch<S, C, E>): Promise<boolean> {
    await this.folded.refresh();
    return this.folded.known.revision === base;
  }

  #answer(batch: Batch<S, C, E>, position: Position): void {
    for (const { request, outcome, state, revision } of batch.decided) {
      if ('rejection' in outcome) {
        request.resolve({ ok: false, rejection: outcome.rejection });
      } else {
        const at = revision === NO_STREAM ? 'no_stream' : revision;
        request.resolve({ ok: true, events: outcome, state, revision: at, position });
      }
    }
  }

  /** Lost a race: after a random pause, so that the same two do not meet again, everything is decided anew. */
  #decideAgain({ decided }: Batch<S, C, E>): void {
    const again: Request<S, C, E>[] = [];
    let attempts = 0;
    for (const { request } of decided) {
      request.attempts += 1;
      attempts = Math.max(attempts, request.attempts);
      if (request.attempts < MAX_ATTEMPTS) again.push(request);
      else request.reject(new CommandContentionError(this.folded.name));
    }
    this.#metrics.retries += again.length;
    this.#inDoubt = true;
    this.#takeBack(again);
    const longest = Math.min(2 ** (attempts - 1), MAX_PAUSE_MS);
    this.#hold(new Promise((resolve) => setTimeout(resolve, Math.random() * longest)));
  }

  /** Puts these commands, and those decided upon them, back to the front of the queue. */
  #takeBack(requests: readonly Request<S, C, E>[]): void {
    const upon = this.#gathering?.decided.map(({ request }) => request) ?? [];
    this.#gathering = null;
    this.#generation += 1;
    this.#holds = 0;
    this.#queue = [...requests, ...upon, ...this.#queue];
  }

  /** The state that the next command decides on; null when the stream has to be read first. */
  #pending(): Folded<S> | null {
    const decided = this.#gathering?.head ?? this.#underWay?.head;
    if (decided) return decided;
    return this.#inDoubt || this.folded.isBehind ? null : this.folded.confirmed;
  }
}

const UNKNOWN_TYPE = 'unknown';

/** Commands are unions over `type`. A function that gives one has none until it is asked. */
const typeOf = (command: unknown): string => {
  const { type } = Object(command);
  return typeof type === 'string' ? type : UNKNOWN_TYPE;
};

const outcomeOf = <S, E>(outcome: Outcome<S, E>): CommandOutcome => {
  if (!outcome.ok) return 'rejected';
  return outcome.events.length > 0 ? 'accepted' : 'unchanged';
};

const failureOf = (error: unknown): CommandOutcome =>
  error instanceof CommandContentionError ? 'contended' : 'failed';

const isAsked = <C>(command: C | (() => Promise<C>)): command is () => Promise<C> =>
  typeof command === 'function';
