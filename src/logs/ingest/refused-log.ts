/**
 * Keeps the entries that were refused in the last day, in the operational store. They are written within a second, so a flood of
 * them makes few writes. A sender has a share of the list, so it cannot push out those of another.
 */
import { randomBytes } from 'node:crypto';
import { Inject, Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { auditTime } from '../../foundation/operational/audit-store.js';
import { OPERATIONAL_STORE, type OperationalStore } from '../../foundation/operational/operational-store.js';
import type {
  RefusedEntryQuery,
  StoredRefusedEntry,
} from '../../foundation/operational/refused-entry-store.js';
import type { BodyToAppend } from './append-body.js';
import type { RefusedEntry } from './refused-entry.js';

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
  #timer: NodeJS.Timeout | null = null;
  #writing: Promise<void> = Promise.resolve();

  constructor(@Inject(OPERATIONAL_STORE) private readonly store: Pick<OperationalStore, 'refusedEntries'>) {}

  note(entries: readonly RefusedEntry[], { source, tenant }: Pick<BodyToAppend, 'source' | 'tenant'>): void {
    const at = Date.now();
    const of = this.#waiting.get(tenant) ?? [];
    this.#waiting.set(tenant, of);
    for (const entry of entries.slice(0, MAX_WAITING - of.length)) {
      of.push({ entryId: this.#nextId(at), at, sender: tenant, source, ...entry });
    }
    this.#timer ??= setTimeout(() => {
      // The list misses these entries. Their senders were told of each of them.
      this.flush().catch(() => undefined);
    }, FLUSH_AFTER_MS).unref();
  }

  /** Those of the last day, newest first, also those that wait. Throws what OperationalStore throws. */
  async page(query: Omit<RefusedEntryQuery, 'since'>): Promise<readonly StoredRefusedEntry[]> {
    await this.flush();
    return this.store.refusedEntries.page({ since: Date.now() - KEPT_MS, ...query });
  }

  /** Removes those of earlier days. */
  removeOld(): Promise<void> {
    return this.store.refusedEntries.removeBefore(Date.now() - KEPT_MS);
  }

  flush(): Promise<void> {
    this.#writing = this.#writing.catch(() => undefined).then(() => this.#write());
    return this.#writing;
  }

  async onApplicationShutdown(): Promise<void> {
    await this.flush().catch(() => undefined);
  }

  /** Orders entries of one millisecond too. The node is a random part. */
  #nextId(at: number): string {
    this.#count += 1;
    return `${auditTime(at)}-${this.#count.toString(16).padStart(8, '0')}-${this.#node}`;
  }

  async #write(): Promise<void> {
    if (this.#timer) clearTimeout(this.#timer);
    this.#timer = null;
    const entries = [...this.#waiting.values()].flat();
    this.#waiting = new Map();
    if (entries.length > 0) await this.store.refusedEntries.append(entries, MAX_KEPT);
  }
}
