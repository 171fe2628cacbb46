/**
 * Buffers counts of key use for at most one second and writes them together, so that no result entry waits for a
 * statistic. A crash loses at most the last second of counts.
 */
import { WriteBehind } from '../basics/write-behind.js';
import type { KeyUse } from './operational-store.js';

const FLUSH_AFTER_MS = 1_000;

export class KeyUseBuffer {
  readonly #write: (uses: readonly KeyUse[]) => void | Promise<void>;
  #pending = new Map<string, KeyUse>();
  readonly #behind = new WriteBehind(() => this.#writePending(), FLUSH_AFTER_MS);

  /** `write` adds the counts to those that are stored. */
  constructor(write: (uses: readonly KeyUse[]) => void | Promise<void>) {
    this.#write = write;
  }

  add(use: KeyUse): void {
    this.#gather(use);
    this.#behind.later();
  }

  /** Resolves when everything added before is stored. */
  flush(): Promise<void> {
    return this.#behind.flush();
  }

  /** Counts that the store does not take now are lost: its owner closes all the same. */
  async close(): Promise<void> {
    await this.#behind.close().catch(() => undefined);
  }

  async #writePending(): Promise<void> {
    const uses = [...this.#pending.values()];
    if (uses.length === 0) return;
    this.#pending = new Map();
    try {
      await this.#write(uses);
    } catch (error) {
      for (const use of uses) this.#gather(use);
      throw error;
    }
  }

  #gather(use: KeyUse): void {
    const before = this.#pending.get(use.keyId);
    this.#pending.set(use.keyId, before ? sum(before, use) : use);
  }
}

const sum = (a: KeyUse, b: KeyUse): KeyUse => ({
  keyId: a.keyId,
  lastUsedAt: Math.max(a.lastUsedAt ?? 0, b.lastUsedAt ?? 0),
  accepted: a.accepted + b.accepted,
  refused: a.refused + b.refused,
});
