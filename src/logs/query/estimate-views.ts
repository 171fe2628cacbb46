/** What a query would read, estimated without running it, and what it does. Of the projects that its caller may see. */
import type { LogSource } from '../../foundation/log-store/sources.js';
import type { PlanStep } from '../sql/plan.js';
import type { Narrowing } from '../sql/scans.js';

export interface Amount {
  readonly entries: number;
  /** Of messages and metadata as text, in UTF-8. */
  readonly bytes: number;
}

export interface EstimatedScan extends Amount {
  readonly source: LogSource;
  /** The conditions that leave entries out before they are read. */
  readonly narrowedBy: readonly Narrowing[];
}

export interface QueryEstimate {
  /** Of all scans. */
  readonly estimated: Amount;
  /** Each source as often as the query reads it. */
  readonly scans: readonly EstimatedScan[];
  readonly plan: PlanStep;
}
