/**
 * The damage that this process has met, for health, metrics and the log. Each place counts once, however often it is
 * read. The first one stays the first, and only so many are kept.
 */
import type { Damage, DamagedStore } from './damage.js';

const MAX_KEPT = 1_000;

export type DamageListener = (damage: Damage) => void;

export class DamageLog {
  readonly #known = new Map<string, Damage>();
  readonly #listeners = new Set<DamageListener>();

  /** Null: none is known. */
  get first(): Damage | null {
    return this.#known.values().next().value ?? null;
  }

  /** In the order in which they were met, 1,000 at most. */
  get all(): readonly Damage[] {
    return [...this.#known.values()];
  }

  readonly record = (damage: Damage): void => {
    const key = `${damage.store} ${damage.place}`;
    if (this.#known.has(key) || this.#known.size >= MAX_KEPT) return;
    this.#known.set(key, damage);
    for (const listener of this.#listeners) listener(damage);
  };

  /** The store was made anew. */
  forget(store: DamagedStore): void {
    for (const [key, damage] of this.#known) if (damage.store === store) this.#known.delete(key);
  }

  /** Called once for each place. Returns a function that removes the listener. */
  onDamage(listener: DamageListener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }
}
