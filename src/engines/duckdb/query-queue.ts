/**
 * The queue of queries: a few run at a time, and a bounded number waits. Queries that were running when the process died
 * run again, one at a time and alone. The query that kills the process again fails, and the others get their rows.
 */
import { setTimeout as pause } from 'node:timers/promises';
import {
  LogQueryFailedError,
  type LogRows,
  LogStoreBusyError,
  type QueryFailure,
  type RunOptions,
} from '../../foundation/log-store/log-store.js';
import { CallFailedError, ChannelClosedError } from './call-channel.js';
import type { EngineProcess } from './engine-process.js';

const RETRY_AFTER_SECONDS = 1;
/** How long the engine may take to stop a query. */
const GRACE_MS = 2_000;

export interface QueryQueueOptions {
  readonly engine: () => Promise<EngineProcess>;
  readonly readers: number;
  readonly maxWaiting: number;
}

interface Job {
  readonly sql: string;
  readonly options: RunOptions;
  readonly resolve: (rows: LogRows) => void;
  readonly reject: (reason: unknown) => void;
  state: 'waiting' | 'running' | 'over';
}

export class QueryQueue {
  readonly #options: QueryQueueOptions;
  readonly #waiting: Job[] = [];
  /** Jobs that were running when the process died. */
  readonly #suspects: Job[] = [];
  readonly #running = new Set<Job>();

  constructor(options: QueryQueueOptions) {
    this.#options = options;
  }

  run(sql: string, options: RunOptions): Promise<LogRows> {
    if (options.signal?.aborted) return Promise.reject(cancelled());
    if (this.#waiting.length >= this.#options.maxWaiting) {
      return Promise.reject(new LogStoreBusyError(RETRY_AFTER_SECONDS));
    }
    return new Promise((resolve, reject) => {
      const job: Job = { sql, options, resolve, reject, state: 'waiting' };
      this.#waiting.push(job);
      this.#limitWaiting(job);
      this.#next();
    });
  }

  /** Resolves when no query runs or waits. */
  async idle(): Promise<void> {
    while (this.#running.size + this.#waiting.length + this.#suspects.length > 0) await pause(10);
  }

  #limitWaiting(job: Job): void {
    const { timeoutMs, signal } = job.options;
    const leave = (reason: Error): void => {
      if (job.state !== 'waiting') return;
      job.state = 'over';
      remove(this.#waiting, job);
      remove(this.#suspects, job);
      job.reject(reason);
      this.#next();
    };
    const timer = setTimeout(() => leave(new LogStoreBusyError(RETRY_AFTER_SECONDS)), timeoutMs);
    timer.unref();
    signal?.addEventListener('abort', () => leave(cancelled()), { once: true });
  }

  #next(): void {
    if (this.#suspects.length > 0) {
      const suspect = this.#running.size === 0 ? this.#suspects.shift() : undefined;
      if (suspect) this.#start(suspect, true);
      return;
    }
    while (this.#running.size < this.#options.readers) {
      const job = this.#waiting.shift();
      if (!job) return;
      this.#start(job, false);
    }
  }

  #start(job: Job, alone: boolean): void {
    job.state = 'running';
    this.#running.add(job);
    this.#attempt(job, alone)
      .then(
        (rows) => {
          job.state = 'over';
          job.resolve(rows);
        },
        (error) => this.#failed(job, error, alone),
      )
      .finally(() => {
        this.#running.delete(job);
        this.#next();
      });
  }

  #failed(job: Job, error: unknown, alone: boolean): void {
    if (error instanceof ProcessDied && !job.options.signal?.aborted) {
      if (error.blameless || !alone) {
        job.state = 'waiting';
        (error.blameless ? this.#waiting : this.#suspects).unshift(job);
        return;
      }
    }
    job.state = 'over';
    job.reject(error instanceof ProcessDied ? failureOf(error) : error);
  }

  async #attempt({ sql, options }: Job, alone: boolean): Promise<LogRows> {
    const engine = await this.#options.engine();
    const { parameters, now, maxRows, timeoutMs, signal } = options;
    if (signal?.aborted) throw cancelled();
    let overdue = false;
    let call = 0;
    const kill = (): void => {
      overdue = true;
      engine.kill('time');
    };
    const timer = setTimeout(kill, timeoutMs + GRACE_MS);
    const onAbort = (): void => {
      engine.channel.cancel(call);
      setTimeout(kill, GRACE_MS).unref();
    };
    signal?.addEventListener('abort', onAbort, { once: true });
    try {
      const message = { kind: 'run', sql, parameters, now, maxRows, timeoutMs } as const;
      return (await engine.channel.call(message, (number) => {
        call = number;
      })) as LogRows;
    } catch (error) {
      if (error instanceof CallFailedError) throw refusalOf(error);
      if (!(error instanceof ChannelClosedError)) throw error;
      if (overdue) throw signal?.aborted ? cancelled() : tooLong();
      // The process was killed for another query's timeout.
      throw new ProcessDied(engine.killedFor === 'memory', engine.killedFor === 'time' && !alone);
    } finally {
      clearTimeout(timer);
      signal?.removeEventListener('abort', onAbort);
    }
  }
}

class ProcessDied extends Error {
  constructor(
    readonly ofMemory: boolean,
    readonly blameless: boolean,
  ) {
    super('the engine died');
  }
}

const failureOf = ({ ofMemory }: ProcessDied): LogQueryFailedError =>
  ofMemory
    ? new LogQueryFailedError('memory', 'the query needs more memory than it may have')
    : new LogQueryFailedError('crash', 'the query brought the engine down');

const refusalOf = ({ failure: { trouble, message, engineWords } }: CallFailedError): Error => {
  if (trouble === 'busy') return new LogStoreBusyError(RETRY_AFTER_SECONDS);
  const failure: QueryFailure = trouble === 'unavailable' ? 'crash' : trouble;
  return new LogQueryFailedError(failure, message, engineWords === undefined ? {} : { cause: engineWords });
};

const tooLong = (): LogQueryFailedError => new LogQueryFailedError('time', 'the query took too long');

const cancelled = (): LogQueryFailedError =>
  new LogQueryFailedError('cancelled', 'the client cancelled the query');

const remove = (jobs: Job[], job: Job): void => {
  const index = jobs.indexOf(job);
  if (index >= 0) jobs.splice(index, 1);
};
