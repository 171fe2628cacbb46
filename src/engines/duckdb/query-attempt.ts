/**
 * One attempt to run a query in the process of the engine. It can give way: the engine then interrupts it. A query that does
 * not stop after its time is ended with its process.
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
/** How long the engine may take to stop a query. */
const GRACE_MS = 2_000;

/** What an attempt needs of the process. */
export interface RunningEngine extends Pick<EngineProcess, 'killedFor' | 'kill'> {
  readonly channel: Pick<CallChannel, 'call' | 'cancel'>;
}

export interface AttemptedQuery {
  readonly sql: string;
  readonly options: RunOptions;
  readonly engine: () => Promise<RunningEngine>;
  /** Whether no other query runs beside it. */
  readonly alone: boolean;
}

/** It gave way. */
export class GaveWay extends Error {}

/** The process died while it ran. */
export class ProcessDied extends Error {
  constructor(
    readonly ofMemory: boolean,
    /** The process was killed for another query's time. */
    readonly blameless: boolean,
  ) {
    super('the engine died');
  }
}

export class QueryAttempt {
  /** Rejects with GaveWay, ProcessDied, or an error of LogStore.run. */
  readonly rows: Promise<LogRows>;
  #isGivingWay = false;
  #interrupt: (() => void) | null = null;

  constructor(query: AttemptedQuery) {
    this.rows = this.#run(query);
  }

  get isGivingWay(): boolean {
    return this.#isGivingWay;
  }

  giveWay(): void {
    if (this.#isGivingWay) return;
    this.#isGivingWay = true;
    this.#interrupt?.();
  }

  async #run({ sql, options, engine: running, alone }: AttemptedQuery): Promise<LogRows> {
    const engine = await running();
    const { parameters, now, maxRows, timeoutMs, signal } = options;
    if (signal?.aborted) throw cancelled();
    if (this.#isGivingWay) throw new GaveWay();
    let overdue = false;
    let call = 0;
    const kill = (): void => {
      overdue = true;
      engine.kill('time');
    };
    let timer = setTimeout(kill, timeoutMs + GRACE_MS);
    const onAbort = (): void => {
      engine.channel.cancel(call);
      clearTimeout(timer);
      timer = setTimeout(kill, GRACE_MS);
    };
    signal?.addEventListener('abort', onAbort, { once: true });
    this.#interrupt = () => engine.channel.cancel(call);
    try {
      const message = { kind: 'run', sql, parameters, now, maxRows, timeoutMs } as const;
      return (await engine.channel.call(message, (number) => {
        call = number;
      })) as LogRows;
    } catch (error) {
      if (error instanceof CallFailedError) {
        if (this.#isGivingWay && error.failure.trouble === 'cancelled' && !signal?.aborted)
          throw new GaveWay();
        throw refusalOf(error);
      }
      if (!(error instanceof ChannelClosedError)) throw error;
      if (overdue) throw signal?.aborted ? cancelled() : tooLong();
      throw new ProcessDied(engine.killedFor === 'memory', engine.killedFor === 'time' && !alone);
    } finally {
      clearTimeout(timer);
      signal?.removeEventListener('abort', onAbort);
    }
  }
}

const refusalOf = ({ failure: { trouble, message, engineWords } }: CallFailedError): Error => {
  if (trouble === 'busy') return busy();
  if (trouble === 'damaged') return new LogsDamagedError(message);
  const failure: QueryFailure = trouble === 'unavailable' ? 'crash' : trouble;
  return new LogQueryFailedError(failure, message, engineWords === undefined ? {} : { cause: engineWords });
};

/** Of a query that the process died for. */
export const failureOf = ({ ofMemory }: ProcessDied): LogQueryFailedError =>
  ofMemory
    ? new LogQueryFailedError('memory', 'the query needs more memory than it may have')
    : new LogQueryFailedError('crash', 'the query brought the engine down');

const tooLong = (): LogQueryFailedError => new LogQueryFailedError('time', 'the query took too long');

/** No place was free for it. */
export const busy = (): LogStoreBusyError => new LogStoreBusyError(RETRY_AFTER_SECONDS);

export const cancelled = (): LogQueryFailedError =>
  new LogQueryFailedError('cancelled', 'the client cancelled the query');
