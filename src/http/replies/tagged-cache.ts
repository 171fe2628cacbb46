/**
 * A cache of values by key, each with the tags of what it shows, within a budget of bytes. A changed tag invalidates
 * exactly the values that carry it and reach its change, so every cached value is valid as of the newest position that
 * the cache knows. Each value is made once at a time. If its tags change meanwhile, the waiting callers get it, but it is not cached.
 */
import { LRUCache } from 'lru-cache';
import type { ChangedTags } from '../../domain/tags.js';
import type { Position } from '../../foundation/event-store/event-store.js';

interface Kept<V> {
  readonly value: V;
  readonly tags: readonly string[];
}

/** A value that is being made. */
interface Making<V> {
  readonly tags: readonly string[];
  readonly made: Promise<V>;
}

export class TaggedCache<V extends object> {
  readonly #kept: LRUCache<string, Kept<V>>;
  readonly #keysOf = new Map<string, Set<string>>();
  readonly #making = new Map<string, Making<V>>();
  #position: Position = 0;

  readonly #reachOf: (value: V) => number;

  /**
   * `bytesOf`: the memory that a value takes. `reachOf`: the last ranked value that it shows. A tag whose changes begin after
   * it leaves it valid. Default: every changed tag invalidates.
   */
  constructor(
    budget: number,
    bytesOf: (value: V) => number,
    reachOf: (value: V) => number = () => Number.POSITIVE_INFINITY,
  ) {
    this.#reachOf = reachOf;
    this.#kept = new LRUCache<string, Kept<V>>({
      maxSize: budget,
      sizeCalculation: ({ value }) => Math.max(1, bytesOf(value)),
      dispose: ({ tags }, key) => this.#forget(key, tags),
    });
  }

  /** Every cached value is valid as of this position. */
  get position(): Position {
    return this.#position;
  }

  get bytes(): number {
    return this.#kept.calculatedSize;
  }

  get entries(): number {
    return this.#kept.size;
  }

  get(key: string): V | undefined {
    return this.#kept.get(key)?.value;
  }

  /** Returns the cached value, or the one that is being made with tags unchanged since; otherwise makes it. */
  async getOrMake(key: string, tags: readonly string[], make: () => Promise<V>): Promise<V> {
    const kept = this.get(key);
    if (kept !== undefined) return kept;
    const current = this.#making.get(key);
    if (current) return current.made;
    const making: Making<V> = { tags, made: make() };
    this.#making.set(key, making);
    try {
      const value = await making.made;
      if (this.#making.get(key) === making) this.set(key, tags, value);
      return value;
    } finally {
      if (this.#making.get(key) === making) this.#making.delete(key);
    }
  }

  set(key: string, tags: readonly string[], value: V): void {
    this.#kept.delete(key);
    this.#kept.set(key, { value, tags });
    // The LRU cache refuses a value that is larger than the whole budget.
    if (!this.#kept.has(key)) return;
    for (const tag of tags) {
      const keys = this.#keysOf.get(tag);
      if (keys) keys.add(key);
      else this.#keysOf.set(tag, new Set([key]));
    }
  }

  /** Moves to `position` and invalidates the values that carry a changed tag. `changed` null: invalidates everything. */
  advance(position: Position, changed: ChangedTags | null): void {
    this.#position = position;
    if (changed === null) {
      this.#kept.clear();
      this.#keysOf.clear();
      this.#making.clear();
      return;
    }
    for (const [tag, from] of changed) {
      for (const key of [...(this.#keysOf.get(tag) ?? [])]) {
        const kept = this.#kept.peek(key);
        if (kept && this.#reachOf(kept.value) >= from) this.#kept.delete(key);
      }
    }
    for (const [key, { tags }] of this.#making) {
      if (tags.some((tag) => changed.has(tag))) this.#making.delete(key);
    }
  }

  #forget(key: string, tags: readonly string[]): void {
    for (const tag of tags) {
      const keys = this.#keysOf.get(tag);
      keys?.delete(key);
      if (keys?.size === 0) this.#keysOf.delete(tag);
    }
  }
}
