/**
 * One attempt to run a query in the process of the engine. It can give way: the engine then interrupts it. The engine cannot
 * interrupt every step of a query, so one that should stop may go on for a while. Its client does not wait for that. A query
 * that does not stop at all is ended with its process.
 */
import {
  LogQueryFailedError,
  type LogRows,
  LogStoreBusyError,
  LogsDamagedError,
  type QueryFailure,
  type RunOptions,
} from '../../foundation/log-store/log-store.js';
import { type CallChannel, CallFailedError, ChannelClosedError } from './call-channel.js';
import type { EngineProcess } from './engine-process.js';

const RETRY_AFTER_SECONDS = 1;
/** A query that should have stopped so long ago keeps no place from others. */
const STUCK_AFTER_MS = 250;
/** How long a client waits for the engine to stop a query. */
const GRACE_MS = 2_000;
/** How long the engine may take to stop a query after that. Ending the process delays all others. */
const KILL_AFTER_MS = 120_000;

/** What an attempt needs of the process. */
export interface RunningEngine extends Pick<EngineProcess, 'killedFor' | 'kill'> {
  readonly channel: Pick<CallChannel, 'call' | 'cancel'>;
}

export interface AttemptedQuery {
  readonly sql: string;
  readonly options: RunOptions;
  readonly engine: () => Promise<RunningEngine>;
}

/** It gave way. */
export class GaveWay extends Error {}

/** The process died while it ran. */
export class ProcessDied extends Error {
  /** Why this side killed it; null: it did not. A query whose time was over has had its answer before. */
  constructor(readonly killedFor: RunningEngine['killedFor']) {
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
    const { parameters, now, maxRows, timeoutMs, range, signal } = options;
    if (signal?.aborted) throw cancelled();
    if (this.#isGivingWay) throw new GaveWay();
    let call = 0;
    const message = {
      kind: 'run',
      sql,
      parameters,
      now,
      maxRows,
      timeoutMs,
      ...(range && { range }),
    } as const;
    const answer = engine.channel.call(message, (number) => {
      call = number;
    });
    this.#interrupt = () => engine.channel.cancel(call);
    this.#stopsAt = performance.now() + timeoutMs;
    return new Promise((resolve, reject) => {
      const giveUp = (): void => {
        reject(signal?.aborted ? cancelled() : tooLong());
        timer = setTimeout(() => engine.kill('time'), KILL_AFTER_MS);
      };
      let timer = setTimeout(giveUp, timeoutMs + GRACE_MS);
      const onAbort = (): void => {
        engine.channel.cancel(call);
        this.#stopsAt = Math.min(this.#stopsAt, performance.now());
        clearTimeout(timer);
        timer = setTimeout(giveUp, GRACE_MS);
      };
      signal?.addEventListener('abort', onAbort, { once: true });
      this.#stopped = answer.then(
        (rows) => resolve(rows as LogRows),
        (error: unknown) => reject(this.#failureOf(error, engine, signal)),
      );
      this.#stopped = this.#stopped.finally(() => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', onAbort);
      });
    });
  }

  #failureOf(error: unknown, { killedFor }: RunningEngine, signal: AbortSignal | undefined): unknown {
    if (error instanceof ChannelClosedError) return new ProcessDied(killedFor);
    if (!(error instanceof CallFailedError)) return error;
    const isOurs = this.#isGivingWay && error.failure.trouble === 'cancelled' && !signal?.aborted;
    return isOurs ? new GaveWay() : refusalOf(error);
  }
}

const refusalOf = ({ failure: { trouble, message, engineWords } }: CallFailedError): Error => {
  if (trouble === 'busy') return busy();
  if (trouble === 'damaged') return new LogsDamagedError(message);
  const failure: QueryFailure = trouble === 'unavailable' ? 'crash' : trouble;
  return new LogQueryFailedError(failure, message, engineWords === undefined ? {} : { cause: engineWords });
};

/** Of a query that the process died for. */
export const failureOf = ({ killedFor }: ProcessDied): LogQueryFailedError =>
  killedFor === 'memory'
    ? new LogQueryFailedError('memory', 'the query needs more memory than it may have')
    : new LogQueryFailedError('crash', 'the query brought the engine down');

const tooLong = (): LogQueryFailedError => new LogQueryFailedError('time', 'the query took too long');

/** No place was free for it. */
export const busy = (): LogStoreBusyError => new LogStoreBusyError(RETRY_AFTER_SECONDS);

export const cancelled = (): LogQueryFailedError =>
  new LogQueryFailedError('cancelled', 'the query was cancelled');
