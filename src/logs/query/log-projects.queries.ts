/** The query for the projects that have log entries. */
import { Query } from '@nestjs/cqrs';
import type { LogSource } from '../../foundation/log-store/sources.js';

export interface EntriesCount {
  readonly entries: number;
  /** ISO 8601 in UTC with microseconds. */
  readonly newest: string;
}

export interface SourceInUse extends EntriesCount {
  readonly source: LogSource;
}

export interface LogProject extends EntriesCount {
  readonly project: string;
  /** Those with entries of the project. */
  readonly sources: readonly SourceInUse[];
}

/** Returns the projects with entries, the one with the newest entry first. Throws what LogStore.run throws. */
export class ListLogProjects extends Query<readonly LogProject[]> {
  constructor(
    /** Whose turn at the log store it takes. */
    readonly tenant: string,
    readonly signal?: AbortSignal,
  ) {
    super();
  }
}
