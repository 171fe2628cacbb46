/** The query for the entries that were refused in the last day. */
import { Query } from '@nestjs/cqrs';
import type { StoredRefusedEntry } from '../../foundation/operational/refused-entry-store.js';

export interface RefusedEntryView extends Omit<StoredRefusedEntry, 'at' | 'sender'> {
  /** ISO 8601 in UTC. */
  readonly refusedAt: string;
}

export interface RefusedEntriesPage {
  readonly items: readonly RefusedEntryView[];
  /** The last entry, when there may be more; else null. */
  readonly next: string | null;
}

export interface RefusedEntriesFilter {
  readonly project?: string;
  readonly source?: string;
  /** The last entry of the page before. */
  readonly after?: string;
  readonly limit: number;
}

/** Newest first. Throws what OperationalStore throws. */
export class ListRefusedEntries extends Query<RefusedEntriesPage> {
  constructor(readonly filter: RefusedEntriesFilter) {
    super();
  }
}
