/**
 * Keeps the entries that were refused in the last day, in the operational store. They are written within a second, so a flood of
 * them makes few writes. A sender has a share of the list, so it cannot push out those of another.
 */

import { randomBytes } from 'node:crypto';
import { Inject, Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { WriteBehind } from '../../foundation/basics/write-behind.js';
import { auditTime } from '../../foundation/operational/audit-store.js';
import { OPERATIONAL_STORE, type OperationalStore } from '../../foundation/operational/operational-store.js';
import type {
  RefusedEntryQuery,
  StoredRefusedEntry,
} from '../../foundation/operational/refused-entry-store.js';
import type { BodyToAppend } from './append-body.js';
import type { RefusedEntry } from './refused-entry.js';

export type RefusedEntriesFilter = Omit<RefusedEntryQuery, 'since'>;

export interface RefusedEntryView extends Omit<StoredRefusedEntry, 'at' | 'sender'> {
  /** ISO 8601 in UTC. */
  readonly refusedAt: string;
}

interface RefusedEntriesPage {
  readonly items: readonly RefusedEntryView[];
  /** The last entry, when there may be more; else null. */
  readonly next: string | null;
}

export const KEPT_MS = 86_400_000;
/** Of each sender. */
export const MAX_KEPT = 1_000;
/** Of each sender, between two writes. Further ones are not listed. */
const MAX_WAITING = 100;
const FLUSH_AFTER_MS = 1_000;

@Injectable()
export class RefusedLog implements OnApplicationShutdown {
  readonly #node = randomBytes(4).toString('hex');
  #count = 0;
  #waiting = new Map<string, StoredRefusedEntry[]>();
  readonly #behind = new WriteBehind(() => this.#write(), FLUSH_AFTER_MS);

  constructor(@Inject(OPERATIONAL_STORE) private readonly store: Pick<OperationalStore, 'refusedEntries'>) {}

  note(entries: readonly RefusedEntry[], { source, tenant }: Pick<BodyToAppend, 'source' | 'tenant'>): void {
    const at = Date.now();
    const of = this.#waiting.get(tenant) ?? [];
    this.#waiting.set(tenant, of);
    for (const entry of entries.slice(0, MAX_WAITING - of.length)) {
      of.push({ entryId: this.#nextId(at), at, sender: tenant, source, ...entry });
    }
    this.#behind.later();
  }

  /** Those of the last day, newest first, also those that wait. Throws what OperationalStore throws. */
  async page({ limit, ...filter }: RefusedEntriesFilter): Promise<RefusedEntriesPage> {
    await this.flush();
    const query = { since: Date.now() - KEPT_MS, ...filter, limit: limit + 1 };
    const found = await this.store.refusedEntries.page(query);
    const items = found
      .slice(0, limit)
      .map(({ at, sender: _, ...entry }) => ({ ...entry, refusedAt: new Date(at).toISOString() }));
    return { items, next: found.length > limit ? (items.at(-1)?.entryId ?? null) : null };
  }

  /** Removes those of earlier days. */
  removeOld(): Promise<void> {
    return this.store.refusedEntries.removeBefore(Date.now() - KEPT_MS);
  }

  flush(): Promise<void> {
    return this.#behind.flush();
  }

  async onApplicationShutdown(): Promise<void> {
    await this.#behind.close().catch(() => undefined);
  }

  /** Orders entries of one millisecond too. The node is a random part. */
  #nextId(at: number): string {
    this.#count += 1;
    return `${auditTime(at)}-${this.#count.toString(16).padStart(8, '0')}-${this.#node}`;
  }

  /** When it fails, the list misses these entries. Their senders were told of each of them. */
  async #write(): Promise<void> {
    const entries = [...this.#waiting.values()].flat();
    this.#waiting = new Map();
    if (entries.length > 0) await this.store.refusedEntries.append(entries, MAX_KEPT);
  }
}
