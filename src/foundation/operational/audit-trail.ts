/**
 * Writes the audit trail. An act is on disk before it is answered. Failures are added up per minute and written within a second,
 * and a flood of them makes a bounded number of entries. While the store is away, entries wait here, so no request fails for
 * its entry.
 */
import { createHash, createHmac, randomBytes } from 'node:crypto';
import { WriteBehind } from '../basics/write-behind.js';
import { type AuditAction, type AuditEntry, auditTime } from './audit-store.js';
import type { OperationalStore } from './operational-store.js';

export interface Act {
  readonly action: AuditAction;
  readonly spaceId?: string | null;
  readonly subject?: string | null;
  readonly details?: readonly string[];
}

/** Who acts. A command context is one. */
export interface Actor {
  readonly accountId?: string;
  /** Of the client's address. */
  readonly network?: string;
}

const FLUSH_AFTER_MS = 1_000;
const MINUTE_MS = 60_000;
/** Further failures of a minute share one entry for each action. */
const MAX_FAILURES_PER_MINUTE = 20;
/** While the store is away, later entries are lost and counted. */
const MAX_WAITING = 10_000;

export class AuditTrail {
  #waiting = new Map<string, AuditEntry>();
  #minute = { begins: 0, keys: new Set<string>() };
  #secret: string | null = null;
  readonly #behind = new WriteBehind(() => this.#write(), FLUSH_AFTER_MS);

  constructor(
    private readonly store: Pick<OperationalStore, 'audit'>,
    private readonly onError: (error: unknown) => void,
  ) {}

  /** Resolves when the act is written, or kept until the store is back. */
  async note(act: Act, actor: Actor): Promise<void> {
    const now = Date.now();
    const entryId = `${auditTime(now)}-${randomBytes(6).toString('hex')}`;
    this.#add(entryOf({ entryId, at: now }, act, actor));
    await this.#behind.flush().catch((error: unknown) => {
      this.onError(error);
      this.#behind.later();
    });
  }

  failed(act: Act, actor: Actor): void {
    const at = Math.floor(Date.now() / MINUTE_MS) * MINUTE_MS;
    if (this.#minute.begins !== at) this.#minute = { begins: at, keys: new Set() };
    const { keys } = this.#minute;
    const { action, spaceId = null } = act;
    const key = JSON.stringify([action, spaceId, act.subject, actor.network]);
    const isNamed = keys.has(key) || keys.size < MAX_FAILURES_PER_MINUTE;
    if (isNamed) keys.add(key);
    const of = isNamed ? key : JSON.stringify([action, spaceId]);
    const entryId = `${auditTime(at)}-${createHash('sha256').update(of).digest('hex').slice(0, 12)}`;
    this.#add(entryOf({ entryId, at }, isNamed ? act : { action, spaceId }, isNamed ? actor : {}));
    this.#behind.later();
  }

  async close(): Promise<void> {
    await this.#behind.close().catch(this.onError);
  }

  #add(entry: AuditEntry): void {
    const before = this.#waiting.get(entry.entryId);
    if (!before && this.#waiting.size >= MAX_WAITING) return;
    this.#waiting.set(entry.entryId, before ? { ...before, count: before.count + entry.count } : entry);
  }

  async #write(): Promise<void> {
    if (this.#waiting.size === 0) return;
    const entries = this.#waiting;
    this.#waiting = new Map();
    try {
      const secret = await this.#secretOfStore();
      await this.store.audit.append([...entries.values()].map((entry) => hashed(entry, secret)));
    } catch (error) {
      for (const entry of entries.values()) this.#add(entry);
      throw error;
    }
  }

  async #secretOfStore(): Promise<string> {
    this.#secret ??= await this.store.audit.secret();
    return this.#secret;
  }
}

const entryOf = (
  id: Pick<AuditEntry, 'entryId' | 'at'>,
  { action, spaceId = null, subject = null, details = [] }: Act,
  { accountId = null, network = null }: Partial<Record<keyof Actor, string | null>>,
): AuditEntry => ({ ...id, spaceId, action, accountId, subject, network, count: 1, details });

const hashed = (entry: AuditEntry, secret: string): AuditEntry => ({
  ...entry,
  network: entry.network && createHmac('sha256', secret).update(entry.network).digest('hex').slice(0, 12),
});
