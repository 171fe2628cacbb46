/** A query in the queue, and an attempt to run it. */
import type { LogRows, RunOptions } from '../log-store.js';
import type { QueryAttempt } from './query-attempt.js';

export interface Job {
  readonly sql: string;
  readonly options: RunOptions;
  readonly tenant: string;
  readonly resolve: (rows: LogRows) => void;
  readonly reject: (reason: unknown) => void;
  state: 'waiting' | 'running' | 'over';
  /** How often it has given way. */
  gaveWay: number;
  /** Ends its wait. */
  patience: NodeJS.Timeout | null;
}

/** An attempt under way. */
export interface Run {
  readonly job: Job;
  readonly attempt: QueryAttempt;
  readonly startedAt: number;
}

/** Of the queries that wait: the next one that has not given way yet, and the next that has. */
export interface NextInLine {
  readonly new: Job | null;
  readonly long: Job | null;
}

/** Whether it should have stopped. */
export const isStuck = ({ attempt }: Run): boolean => attempt.stuckAt <= performance.now();
