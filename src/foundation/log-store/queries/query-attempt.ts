/**
 * One attempt to run a query in an engine. It can give way: the engine then interrupts it. The engine cannot
 * interrupt every step of a query, so one that should stop may go on for a while. Its client does not wait for that. A query
 * that does not stop at all is ended with its process.
 */
import { LogQueryFailedError, type LogRows, type RunOptions } from '../log-store.js';

/** A query that should have stopped so long ago keeps no place from others. */
const STUCK_AFTER_MS = 250;
/** How long a client waits for the engine to stop a query. */
const GRACE_MS = 2_000;
/** How long the engine may take to stop a query after that. Ending the process delays all others. */
const KILL_AFTER_MS = 120_000;

/** Why this side ended the process of an engine. */
export type KillReason = 'memory' | 'time';

export interface StartedQuery {
  /** Rejects with ProcessDied, or an error of LogStore.run: `cancelled` when it was stopped. */
  readonly rows: Promise<LogRows>;
  /** Asks the engine to stop it. */
  stop(): void;
}

/** What an attempt needs of an engine. */
export interface QueryEngine {
  start(sql: string, options: RunOptions): StartedQuery;
  /** Ends all that it runs. */
  kill(reason: KillReason): void;
}

export interface AttemptedQuery {
  readonly sql: string;
  readonly options: RunOptions;
  readonly engine: () => Promise<QueryEngine>;
}

/** It gave way. */
export class GaveWay extends Error {}

/** The process died while it ran. */
export class ProcessDied extends Error {
  /** Why this side killed it; null: it did not. A query whose time was over has had its answer before. */
  constructor(readonly killedFor: KillReason | null) {
    super('the engine died');
  }
}

export class QueryAttempt {
  /** Rejects with GaveWay, ProcessDied, or an error of LogStore.run. */
  readonly rows: Promise<LogRows>;
  /** Resolves when the engine no longer runs it. */
  readonly ended: Promise<void>;
  #stopped: Promise<unknown> = Promise.resolve();
  #isGivingWay = false;
  #interrupt: (() => void) | null = null;
  /** When it should stop, by the clock of `performance.now()`. */
  #stopsAt = Number.POSITIVE_INFINITY;

  constructor(query: AttemptedQuery) {
    this.rows = this.#run(query);
    this.ended = this.#end();
  }

  get isGivingWay(): boolean {
    return this.#isGivingWay;
  }

  /** When it counts as stuck, unless it has stopped by then. */
  get stuckAt(): number {
    return this.#stopsAt + STUCK_AFTER_MS;
  }

  giveWay(): void {
    if (this.#isGivingWay) return;
    this.#isGivingWay = true;
    this.#stopsAt = Math.min(this.#stopsAt, performance.now());
    this.#interrupt?.();
  }

  async #end(): Promise<void> {
    await this.rows.catch(() => undefined);
    await this.#stopped;
  }

  async #run({ sql, options, engine: running }: AttemptedQuery): Promise<LogRows> {
    const engine = await running();
    const { timeoutMs, signal } = options;
    if (signal?.aborted) throw cancelled();
    if (this.#isGivingWay) throw new GaveWay();
    const started = engine.start(sql, options);
    this.#interrupt = () => started.stop();
    this.#stopsAt = performance.now() + timeoutMs;
    return new Promise((resolve, reject) => {
      const giveUp = (): void => {
        reject(signal?.aborted ? cancelled() : tooLong());
        timer = setTimeout(() => engine.kill('time'), KILL_AFTER_MS);
      };
      let timer = setTimeout(giveUp, timeoutMs + GRACE_MS);
      const onAbort = (): void => {
        started.stop();
        this.#stopsAt = Math.min(this.#stopsAt, performance.now());
        clearTimeout(timer);
        timer = setTimeout(giveUp, GRACE_MS);
      };
      signal?.addEventListener('abort', onAbort, { once: true });
      this.#stopped = started.rows.then(resolve, (error: unknown) => reject(this.#failureOf(error, signal)));
      this.#stopped = this.#stopped.finally(() => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', onAbort);
      });
    });
  }

  #failureOf(error: unknown, signal: AbortSignal | undefined): unknown {
    const wasStopped = error instanceof LogQueryFailedError && error.failure === 'cancelled';
    return this.#isGivingWay && wasStopped && !signal?.aborted ? new GaveWay() : error;
  }
}

/** Of a query that the process died for. */
export const failureOf = ({ killedFor }: ProcessDied): LogQueryFailedError =>
  killedFor === 'memory'
    ? new LogQueryFailedError('memory', 'the query needs more memory than it may have')
    : new LogQueryFailedError('crash', 'the query brought the engine down');

const tooLong = (): LogQueryFailedError => new LogQueryFailedError('time', 'the query took too long');

export const cancelled = (): LogQueryFailedError =>
  new LogQueryFailedError('cancelled', 'the query was cancelled');
