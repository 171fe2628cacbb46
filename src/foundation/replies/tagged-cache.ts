/**
 * Values that take long to make, each under a key and the tags of what it shows, within a budget of bytes. A tag that
 * changed retires exactly the values that carry it; whatever is still here is therefore as of the newest position
 * that the cache has heard of. Each value is made once at a time, and one whose tags changed while it was being made
 * goes to those who had asked before, and is not kept.
 */
import { LRUCache } from 'lru-cache';
import type { Position } from '../event-store/event-store.js';

export interface Sized {
  /** What it takes in memory. */
  readonly bytes: number;
}

interface Kept<V> {
  readonly value: V;
  readonly tags: readonly string[];
}

/** A value that is being made. */
interface Making<V> {
  readonly tags: readonly string[];
  readonly made: Promise<V>;
}

export class TaggedCache<V extends Sized> {
  readonly #kept: LRUCache<string, Kept<V>>;
  readonly #keysOf = new Map<string, Set<string>>();
  readonly #making = new Map<string, Making<V>>();
  #position: Position = 0;

  constructor(budget: number) {
    this.#kept = new LRUCache<string, Kept<V>>({
      maxSize: budget,
      sizeCalculation: ({ value }) => Math.max(1, value.bytes),
      dispose: ({ tags }, key) => this.#forget(key, tags),
    });
  }

  /** Everything kept is valid as of here. */
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

  /** The value that is kept, or being made since nothing of it changed, or else is made now. */
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
    // A value larger than the whole budget was not taken.
    if (!this.#kept.has(key)) return;
    for (const tag of tags) {
      const keys = this.#keysOf.get(tag);
      if (keys) keys.add(key);
      else this.#keysOf.set(tag, new Set([key]));
    }
  }

  /** The read models have come to `position`, and only what these tags name has changed; null: anything may have. */
  advance(position: Position, changed: ReadonlySet<string> | null): void {
    this.#position = position;
    if (changed === null) {
      this.#kept.clear();
      this.#keysOf.clear();
      this.#making.clear();
      return;
    }
    for (const tag of changed) {
      const keys = this.#keysOf.get(tag);
      if (keys) for (const key of [...keys]) this.#kept.delete(key);
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
