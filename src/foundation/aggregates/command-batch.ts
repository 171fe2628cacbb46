/**
 * Commands of one stream that share an append: what each of them has decided, and what its sender is told once it is known
 * what became of the append. A stream (aggregate-stream.ts) makes the batches.
 */
import type { Decision, DomainEvent } from '../../domain/decider.js';
import type { NewEvent, Position } from '../event-store/event-store.js';
import { CommandContentionError, type CommandContext, type Outcome } from './aggregate.js';
import type { AggregateMetrics } from './command-metrics.js';

/** Decisions of one command before its sender is told that others keep winning. */
const MAX_ATTEMPTS = 12;
const MAX_PAUSE_MS = 64;

/** A state, and the last event folded into it. */
export interface Folded<S> {
  readonly state: S;
  readonly revision: number;
  readonly position: Position;
  readonly eventId: string;
}

/** A command, or a function that makes it anew before each decision. */
export type CommandSource<C> = C | (() => Promise<C>);

/** A command that is not answered yet, and whom to answer. */
export interface QueuedCommand<S, C, E> {
  readonly source: CommandSource<C>;
  readonly context: CommandContext;
  readonly resolve: (outcome: Outcome<S, E>) => void;
  readonly reject: (error: unknown) => void;
  /** Undefined until the source has made it. */
  command: C | undefined;
  attempts: number;
  /** `cuts` of the stream's state when its request was looked up last. */
  lookedUp: number;
  /** Fingerprint that its request was used with, as the lookup found it. */
  earlier: string | undefined;
}

interface Decided<S, C, E extends DomainEvent> {
  readonly queued: QueuedCommand<S, C, E>;
  readonly decision: Decision<E>;
  /** The time that the decision took. */
  readonly seconds: number;
  /** After the command. */
  readonly state: S;
  readonly revision: number;
}

/** Decisions that share an append, or that together confirm that there is nothing to append. */
export interface Batch<S, C, E extends DomainEvent> {
  readonly base: number;
  readonly decided: Decided<S, C, E>[];
  readonly events: NewEvent[];
  head: Folded<S>;
}

/** Tells every command what it has decided. `position`: of the append. */
export const answer = <S, C, E extends DomainEvent>(
  { decided }: Batch<S, C, E>,
  position: Position,
  metrics: AggregateMetrics,
): void => {
  for (const { queued, decision, state, revision } of decided) {
    const type = typeOf(queued.command);
    metrics.waiting -= 1;
    if (decision.ok) {
      const { events } = decision;
      metrics.count(type, events.length > 0 ? 'accepted' : 'unchanged');
      queued.resolve({ ok: true, events, state, revision, position });
    } else {
      metrics.count(type, 'rejected');
      queued.resolve(decision);
    }
  }
};

export const fail = <S, C, E>(
  { command, reject }: QueuedCommand<S, C, E>,
  error: unknown,
  metrics: AggregateMetrics,
): void => {
  metrics.waiting -= 1;
  metrics.count(typeOf(command), error instanceof CommandContentionError ? 'contended' : 'failed');
  reject(error);
};

/** The commands that are decided again after a lost race. The others, which have lost too many, are told so. */
export const retryOrFail = <S, C, E extends DomainEvent>(
  { decided }: Batch<S, C, E>,
  stream: string,
  metrics: AggregateMetrics,
): readonly QueuedCommand<S, C, E>[] => {
  const again: QueuedCommand<S, C, E>[] = [];
  for (const { queued } of decided) {
    queued.attempts += 1;
    if (queued.attempts < MAX_ATTEMPTS) again.push(queued);
    else fail(queued, new CommandContentionError(stream), metrics);
  }
  metrics.retries += again.length;
  return again;
};

/** Resolves after a random time, so that the same two processes do not meet again. It grows with the lost races. */
export const pauseAfter = <S, C, E extends DomainEvent>({ decided }: Batch<S, C, E>): Promise<void> => {
  const attempts = Math.max(...decided.map(({ queued }) => queued.attempts));
  const longest = Math.min(2 ** (attempts - 1), MAX_PAUSE_MS);
  return new Promise((resolve) => setTimeout(resolve, Math.random() * longest));
};

/** Measures the decisions; not before they are answered, because the sender of a command waits for that. */
export const measure = <S, C, E extends DomainEvent>(
  { decided }: Batch<S, C, E>,
  metrics: AggregateMetrics,
): void => {
  for (const { seconds } of decided) metrics.decide.add(seconds);
};

/** Commands are unions over `type`. Undefined: it was not made. */
const typeOf = (command: unknown): string => {
  const { type } = Object(command);
  return typeof type === 'string' ? type : 'unknown';
};
