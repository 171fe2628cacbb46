/**
 * The queue of queries: a few run at a time, and a bounded number waits. The turns go to the tenant that has used the least
 * of the engine of late and asks for the least. A query that has run for its slice gives way to such a tenant, and begins again.
 * One that does not stop when it should loses its place all the same. A query that was running when the process died runs again
 * alone. When it kills the process again, it fails.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { LogQueryFailedError, type LogRows, LogStoreBusyError, type RunOptions } from '../log-store.js';
import {
  cancelled,
  failureOf,
  GaveWay,
  ProcessDied,
  QueryAttempt,
  type QueryEngine,
} from './query-attempt.js';
import { isStuck, type Job, type NextInLine, type Run } from './query-run.js';
import { SLICE_MS, TenantUsage } from './tenant-usage.js';

/** How much longer the slice is at each further attempt. */
const SLICE_GROWTH = 8;
/** How long a query that may have killed the process has the engine alone; twice as long at each further attempt. */
const ALONE_MS = 1_000;
/** The same, while a tenant that has used less waits. */
const ALONE_BEFORE_OTHERS_MS = 500;

export interface QueryQueueOptions {
  readonly engine: () => Promise<QueryEngine>;
  readonly readers: number;
  /** Queries that run at a time, with those that do not stop when they should. */
  readonly maxRunning: number;
  readonly maxWaiting: number;
}

export class QueryQueue {
  readonly #options: QueryQueueOptions;
  readonly #usage = new TenantUsage();
  /** In the order of their arrival. */
  readonly #waiting: Job[] = [];
  /** Jobs that were running when the process died, or ran out of memory beside those of a tenant that uses more. */
  readonly #suspects: Job[] = [];
  readonly #running = new Set<Run>();
  /** The suspect that runs alone, but for queries that do not stop. */
  #alone: Run | null = null;
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
      return Promise.reject(new LogStoreBusyError());
    }
    let cancel = (): void => undefined;
    const answered = new Promise<LogRows>((resolve, reject) => {
      const start = { state: 'waiting', gaveWay: 0, patience: null } as const;
      const job: Job = { sql, options, tenant, resolve, reject, ...start };
      this.#waiting.push(job);
      this.#wait(job);
      cancel = () => this.#leave(job, cancelled());
      options.signal?.addEventListener('abort', cancel, { once: true });
      this.#next();
    });
    // A signal may outlive many queries.
    return answered.finally(() => options.signal?.removeEventListener('abort', cancel));
  }

  /** Resolves when every query has had its answer. */
  async idle(): Promise<void> {
    const isBusy = (): boolean => [...this.#running].some(({ job }) => job.state !== 'over');
    while (this.#waiting.length + this.#suspects.length > 0 || isBusy()) await pause(10);
  }

  /** Refuses the newest query of the tenant with the most that wait. Returns false when that is this tenant. */
  #makeRoom(tenant: string): boolean {
    const counts = new Map<string, number>();
    for (const job of this.#waiting) counts.set(job.tenant, (counts.get(job.tenant) ?? 0) + 1);
    const [[most, count] = ['', 0]] = [...counts].sort(([, one], [, other]) => other - one);
    const last = this.#waiting.findLast((job) => job.tenant === most);
    if (!last || count <= (counts.get(tenant) ?? 0) + 1) return false;
    this.#leave(last, new LogStoreBusyError());
    return true;
  }

  /** The limits are spread over a quarter of the time: queries that arrived together are not refused, and sent again, together. */
  #wait(job: Job): void {
    job.state = 'waiting';
    this.#usage.wait(job.tenant);
    const leave = (): void => this.#leave(job, new LogStoreBusyError());
    job.patience = setTimeout(leave, job.options.timeoutMs * (1 - Math.random() / 4));
    job.patience.unref();
  }

  #leave(job: Job, reason: Error): void {
    if (job.state !== 'waiting') return;
    this.#waitNoLonger(job);
    this.#over(job, () => job.reject(reason));
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
    if (this.#alone !== null && isStuck(this.#alone)) this.#endAlone(this.#alone);
    if (this.#alone === null && this.#suspects.length > 0 && this.#isSuspectsTurn()) {
      if (this.#inPlaces().length === 0) this.#startAlone();
      else for (const { attempt } of this.#running) attempt.giveWay();
    } else if (this.#alone === null) {
      for (let job = this.#chosen(); job !== null; job = this.#chosen()) this.#start(job);
    }
    this.#preempt();
  }

  #isSuspectsTurn(): boolean {
    return performance.now() >= this.#othersUntil || this.#inPlaces().length + this.#waiting.length === 0;
  }

  /** A query that is stuck has no place. */
  #inPlaces(): readonly Run[] {
    return [...this.#running].filter((run) => !isStuck(run));
  }

  /** Returns the query that starts next; null: none, or no place is free. A tenant with a query that does not stop waits for it. */
  #chosen(): Job | null {
    const { readers, maxRunning } = this.#options;
    const inPlaces = this.#inPlaces();
    if (this.#running.size >= maxRunning || inPlaces.length >= readers) return null;
    const isFree = this.#longRunning() < this.#maxLong() || inPlaces.length === 0;
    const stuck = new Set([...this.#running].filter(isStuck).map(({ job }) => job.tenant));
    const ready = this.#waiting.filter(
      ({ gaveWay, tenant }) => (gaveWay === 0 || isFree) && !stuck.has(tenant),
    );
    return this.#usage.least(ready);
  }

  /** Queries that have given way run in some of the places only, so that those that just arrived soon find one. */
  #maxLong(): number {
    return Math.floor(this.#options.readers / 2);
  }

  #longRunning(): number {
    return this.#inPlaces().filter(({ job }) => job.gaveWay > 0).length;
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
    for (const run of this.#running) {
      const { job, attempt, startedAt } = run;
      if (attempt.stuckAt > now && this.#waiting.length > 0)
        soonest = Math.min(soonest, attempt.stuckAt - now);
      const slice = attempt.isGivingWay ? null : this.#sliceOf(job, next);
      if (slice === null) continue;
      const left = startedAt + slice - now;
      if (left > 0) soonest = Math.min(soonest, left);
      else if (job.gaveWay === 0 && this.#longRunning() < this.#maxLong()) {
        // It goes on in one of the places of long queries.
        job.gaveWay = 1;
        this.#next();
        return;
      } else {
        attempt.giveWay();
        soonest = Math.min(soonest, attempt.stuckAt - now);
      }
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
    const used = this.#usage.of(job.tenant);
    const isMore = (other: Job | null): other is Job => other !== null && this.#usage.of(other.tenant) < used;
    if (this.#alone?.job === job) {
      if (isMore(next.new)) return ALONE_BEFORE_OTHERS_MS;
      return anyWaits ? ALONE_MS * 2 ** job.gaveWay : null;
    }
    const slice = SLICE_MS * SLICE_GROWTH ** job.gaveWay;
    if (this.#longRunning() > this.#maxLong()) return anyWaits ? slice : null;
    const other = job.gaveWay === 0 ? next.new : next.long;
    if (!isMore(other)) return null;
    return job.gaveWay === 0 ? (slice * this.#usage.of(other.tenant)) / used : slice;
  }

  #startAlone(): void {
    const job = this.#usage.least(this.#suspects);
    if (job !== null) this.#alone = this.#start(job);
  }

  /** Others have the engine for as long as the suspect had it. */
  #endAlone({ startedAt }: Run): void {
    const now = performance.now();
    this.#othersUntil = now + (now - startedAt);
    this.#alone = null;
  }

  #start(job: Job): Run {
    this.#waitNoLonger(job);
    job.state = 'running';
    const attempt = new QueryAttempt({ ...job, engine: this.#options.engine });
    const run: Run = { job, attempt, startedAt: performance.now() };
    this.#running.add(run);
    const endUse = this.#usage.begin(job.tenant);
    attempt.rows.then(
      (rows) => this.#over(job, () => job.resolve(rows)),
      (error: unknown) => this.#failed(job, error),
    );
    attempt.ended.then(() => {
      this.#running.delete(run);
      endUse();
      if (this.#alone === run) this.#endAlone(run);
      this.#next();
    });
    return run;
  }

  #over(job: Job, answer: () => void): void {
    job.state = 'over';
    answer();
  }

  #failed(job: Job, error: unknown): void {
    const alone = this.#alone?.job === job;
    const queue = job.options.signal?.aborted ? null : this.#queueAfter(job, error, alone);
    if (queue === null) {
      this.#over(job, () => job.reject(error instanceof ProcessDied ? failureOf(error) : error));
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
      if (error.killedFor === 'time') return this.#waiting;
      return alone && this.#running.size === 1 ? null : this.#suspects;
    }
    return !alone && isShortOfMemory(error) && this.#isBesideLarger(job) ? this.#suspects : null;
  }

  /** Whether queries of a tenant that uses more run beside it: they may have taken the memory. */
  #isBesideLarger(job: Job): boolean {
    const used = this.#usage.of(job.tenant);
    return [...this.#running].some((run) => used < this.#usage.of(run.job.tenant));
  }
}

/** The engine said so: another limit than that of a result's size. */
const isShortOfMemory = (error: unknown): boolean =>
  error instanceof LogQueryFailedError && error.failure === 'memory' && error.cause !== undefined;

const remove = (jobs: Job[], job: Job): void => {
  const index = jobs.indexOf(job);
  if (index >= 0) jobs.splice(index, 1);
};
