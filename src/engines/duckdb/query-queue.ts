/**
 * The queue of queries: a few run at a time, and a bounded number waits. The turns go to the tenant that has used the least
 * of the engine of late and asks for the least. A query that has run for its slice gives way to such a tenant, and begins again.
 * A query that was running when the process died runs again alone. When it kills the process again, it fails.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { LogQueryFailedError, type LogRows, type RunOptions } from '../../foundation/log-store/log-store.js';
import {
  busy,
  cancelled,
  failureOf,
  GaveWay,
  ProcessDied,
  QueryAttempt,
  type RunningEngine,
} from './query-attempt.js';
import { SLICE_MS, TenantUsage } from './tenant-usage.js';

/** How much longer the slice is at each further attempt. */
const SLICE_GROWTH = 8;
/** How long a query that may have killed the process has the engine alone; twice as long at each further attempt. */
const ALONE_MS = 1_000;

export interface QueryQueueOptions {
  readonly engine: () => Promise<RunningEngine>;
  readonly readers: number;
  readonly maxWaiting: number;
}

interface Job {
  readonly sql: string;
  readonly options: RunOptions;
  readonly tenant: string;
  readonly resolve: (rows: LogRows) => void;
  readonly reject: (reason: unknown) => void;
  state: 'waiting' | 'running' | 'over';
  /** How often it has given way. */
  gaveWay: number;
  /** The attempt under way, and when it began. */
  attempt: QueryAttempt | null;
  startedAt: number;
  /** Ends its wait. */
  patience: NodeJS.Timeout | null;
}

/** Of the queries that wait: the next one that has not given way yet, and the next that has. */
interface NextInLine {
  readonly new: Job | null;
  readonly long: Job | null;
}

export class QueryQueue {
  readonly #options: QueryQueueOptions;
  readonly #usage = new TenantUsage();
  /** In the order of their arrival. */
  readonly #waiting: Job[] = [];
  /** Jobs that were running when the process died, or ran out of memory beside those of a tenant that uses more. */
  readonly #suspects: Job[] = [];
  readonly #running = new Set<Job>();
  /** The suspect that runs alone. */
  #alone: Job | null = null;
  /** Until when suspects leave the engine to others. */
  #othersUntil = 0;
  #timer: NodeJS.Timeout | null = null;

  constructor(options: QueryQueueOptions) {
    this.#options = options;
  }

  run(sql: string, options: RunOptions): Promise<LogRows> {
    if (options.signal?.aborted) return Promise.reject(cancelled());
    const { tenant = '' } = options;
    if (this.#waiting.length >= this.#options.maxWaiting && !this.#makeRoom(tenant)) {
      return Promise.reject(busy());
    }
    return new Promise((resolve, reject) => {
      const start = { state: 'waiting', gaveWay: 0, attempt: null, startedAt: 0, patience: null } as const;
      const job: Job = { sql, options, tenant, resolve, reject, ...start };
      this.#waiting.push(job);
      this.#wait(job);
      options.signal?.addEventListener('abort', () => this.#leave(job, cancelled()), { once: true });
      this.#next();
    });
  }

  /** Resolves when no query runs or waits. */
  async idle(): Promise<void> {
    while (this.#running.size + this.#waiting.length + this.#suspects.length > 0) await pause(10);
  }

  /** Refuses the newest query of the tenant with the most that wait. Returns false when that is this tenant. */
  #makeRoom(tenant: string): boolean {
    const counts = new Map<string, number>();
    for (const job of this.#waiting) counts.set(job.tenant, (counts.get(job.tenant) ?? 0) + 1);
    const [[most, count] = ['', 0]] = [...counts].sort(([, one], [, other]) => other - one);
    const last = this.#waiting.findLast((job) => job.tenant === most);
    if (!last || count <= (counts.get(tenant) ?? 0) + 1) return false;
    this.#leave(last, busy());
    return true;
  }

  /** The limits are spread over a quarter of the time: queries that arrived together are not refused, and sent again, together. */
  #wait(job: Job): void {
    job.state = 'waiting';
    this.#usage.wait(job.tenant);
    const leave = (): void => this.#leave(job, busy());
    job.patience = setTimeout(leave, job.options.timeoutMs * (1 - Math.random() / 4));
    job.patience.unref();
  }

  #leave(job: Job, reason: Error): void {
    if (job.state !== 'waiting') return;
    this.#waitNoLonger(job);
    job.state = 'over';
    job.reject(reason);
    this.#next();
  }

  #waitNoLonger(job: Job): void {
    if (job.patience) clearTimeout(job.patience);
    remove(this.#waiting, job);
    remove(this.#suspects, job);
    this.#usage.leave(job.tenant);
  }

  /** Starts what may start, and interrupts what has to give way. */
  #next(): void {
    if (this.#alone === null && this.#suspects.length > 0 && this.#isSuspectsTurn()) {
      if (this.#running.size > 0) for (const job of this.#running) job.attempt?.giveWay();
      else this.#startAlone();
      return;
    }
    if (this.#alone === null) {
      for (let job = this.#chosen(); job !== null; job = this.#chosen()) {
        this.#start(job);
      }
    }
    this.#preempt();
  }

  #isSuspectsTurn(): boolean {
    return performance.now() >= this.#othersUntil || this.#running.size + this.#waiting.length === 0;
  }

  /** Returns the query that starts next; null: none, or no place is free. */
  #chosen(): Job | null {
    const { readers } = this.#options;
    if (this.#running.size >= readers) return null;
    const isFree = this.#longRunning() < this.#maxLong() || this.#running.size === 0;
    return this.#usage.least(this.#waiting.filter((job) => job.gaveWay === 0 || isFree));
  }

  /** Queries that have given way run in some of the places only, so that those that just arrived soon find one. */
  #maxLong(): number {
    return Math.floor(this.#options.readers / 2);
  }

  #longRunning(): number {
    let count = 0;
    for (const job of this.#running) if (job.gaveWay > 0) count++;
    return count;
  }

  /** Ends the slice of a running query when another waits for its place, or comes back when the first slice is over. */
  #preempt(): void {
    if (this.#timer) clearTimeout(this.#timer);
    this.#timer = null;
    const now = performance.now();
    const next: NextInLine = {
      new: this.#usage.least(this.#waiting.filter(({ gaveWay }) => gaveWay === 0)),
      long: this.#usage.least(this.#waiting.filter(({ gaveWay }) => gaveWay > 0)),
    };
    let soonest = this.#suspects.length > 0 ? Math.max(1, this.#othersUntil - now) : Number.POSITIVE_INFINITY;
    for (const job of this.#running) {
      const slice = this.#sliceOf(job, next);
      if (slice === null || job.attempt === null || job.attempt.isGivingWay) continue;
      const left = job.startedAt + slice - now;
      if (left > 0) soonest = Math.min(soonest, left);
      else if (job.gaveWay === 0 && this.#longRunning() < this.#maxLong()) {
        // It goes on in one of the places of long queries.
        job.gaveWay = 1;
        this.#next();
        return;
      } else job.attempt.giveWay();
    }
    if (soonest < Number.POSITIVE_INFINITY) {
      this.#timer = setTimeout(() => this.#next(), Math.ceil(soonest));
      this.#timer.unref();
    }
  }

  /**
   * How long the query may run, in milliseconds, while others wait; null: none waits for its place. It gives way only to a
   * query of a tenant that has used less: a new one to a new one, sooner the less it is; a long one to a long one.
   */
  #sliceOf(job: Job, next: NextInLine): number | null {
    const anyWaits = this.#waiting.length > 0;
    if (this.#alone === job) return anyWaits ? ALONE_MS * 2 ** job.gaveWay : null;
    const slice = SLICE_MS * SLICE_GROWTH ** job.gaveWay;
    if (this.#longRunning() > this.#maxLong()) return anyWaits ? slice : null;
    const other = job.gaveWay === 0 ? next.new : next.long;
    const used = this.#usage.of(job.tenant);
    const usedByOther = other ? this.#usage.of(other.tenant) : used;
    if (usedByOther >= used) return null;
    return job.gaveWay === 0 ? (slice * usedByOther) / used : slice;
  }

  #startAlone(): void {
    const job = this.#usage.least(this.#suspects);
    if (job === null) return;
    this.#alone = job;
    this.#start(job);
  }

  #start(job: Job): void {
    this.#waitNoLonger(job);
    job.state = 'running';
    job.startedAt = performance.now();
    job.attempt = new QueryAttempt({ ...job, engine: this.#options.engine, alone: this.#alone === job });
    this.#running.add(job);
    const endUse = this.#usage.begin(job.tenant);
    job.attempt.rows
      .then(
        (rows) => {
          job.state = 'over';
          job.resolve(rows);
        },
        (error) => this.#failed(job, error),
      )
      .finally(() => {
        this.#running.delete(job);
        endUse();
        job.attempt = null;
        if (this.#alone === job) {
          this.#othersUntil = performance.now() + (performance.now() - job.startedAt);
          this.#alone = null;
        }
        this.#next();
      });
  }

  #failed(job: Job, error: unknown): void {
    const alone = this.#alone === job;
    const queue = job.options.signal?.aborted ? null : this.#queueAfter(job, error, alone);
    if (queue === null) {
      job.state = 'over';
      job.reject(error instanceof ProcessDied ? failureOf(error) : error);
      return;
    }
    this.#wait(job);
    if (error instanceof GaveWay) queue.push(job);
    else queue.unshift(job);
  }

  /** Returns where the query waits for its next attempt; null: it has failed. */
  #queueAfter(job: Job, error: unknown, alone: boolean): Job[] | null {
    if (error instanceof GaveWay) {
      // Those that made room for a suspect lose no turn.
      if (alone || this.#suspects.length === 0) job.gaveWay++;
      return alone ? this.#suspects : this.#waiting;
    }
    if (error instanceof ProcessDied) {
      if (error.blameless) return this.#waiting;
      return alone ? null : this.#suspects;
    }
    return !alone && isShortOfMemory(error) && this.#isBesideLarger(job) ? this.#suspects : null;
  }

  /** Whether queries of a tenant that uses more run beside it: they may have taken the memory. */
  #isBesideLarger(job: Job): boolean {
    return [...this.#running].some((other) => this.#usage.of(job.tenant) < this.#usage.of(other.tenant));
  }
}

/** The engine said so: another limit than that of a result's size. */
const isShortOfMemory = (error: unknown): boolean =>
  error instanceof LogQueryFailedError && error.failure === 'memory' && error.cause !== undefined;

const remove = (jobs: Job[], job: Job): void => {
  const index = jobs.indexOf(job);
  if (index >= 0) jobs.splice(index, 1);
};
