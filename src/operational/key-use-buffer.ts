/**
 * Counts of key use, gathered for at most a second and written together: an entry must not wait for a disk for the
 * sake of a statistic. What a crash takes is the last second of counts.
 */
import type { KeyUse } from './operational-store.js';

const FLUSH_AFTER_MS = 1_000;

export class KeyUseBuffer {
  readonly #write: (uses: readonly KeyUse[]) => void;
  #pending = new Map<string, KeyUse>();
  #timer: NodeJS.Timeout | null = null;

  /** `write` adds the counts to those that are stored. */
  constructor(write: (uses: readonly KeyUse[]) => void) {
    this.#write = write;
  }

  add(use: KeyUse): void {
    const before = this.#pending.get(use.keyId);
    this.#pending.set(use.keyId, before ? sum(before, use) : use);
    this.#timer ??= setTimeout(() => this.#flushLater(), FLUSH_AFTER_MS).unref();
  }

  flush(): void {
    if (this.#timer) clearTimeout(this.#timer);
    this.#timer = null;
    if (this.#pending.size === 0) return;
    this.#write([...this.#pending.values()]);
    this.#pending = new Map();
  }

  close(): void {
    this.flush();
  }

  /** A database that is locked or full now is tried again: nobody waits for this write, so nobody could be told. */
  #flushLater(): void {
    try {
      this.flush();
    } catch {
      this.#timer = setTimeout(() => this.#flushLater(), FLUSH_AFTER_MS).unref();
    }
  }
}

const sum = (a: KeyUse, b: KeyUse): KeyUse => ({
  keyId: a.keyId,
  lastUsedAt: Math.max(a.lastUsedAt ?? 0, b.lastUsedAt ?? 0),
  accepted: a.accepted + b.accepted,
  refused: a.refused + b.refused,
});
