/**
 * Makes the limits on failed credentials count for all nodes. Each node counts for itself, so a valid credential costs no
 * read of a store. While credentials fail, the node writes its counts to the operational store and takes up those of
 * the other nodes, at most once a second. Without the store each node limits by its own counts.
 */
import { createHash, randomUUID } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { settlesWithin } from '../../foundation/basics/settles-within.js';
import type { CountedFailures, NodeFailures } from '../../foundation/operational/failure-store.js';
import type { OperationalStore } from '../../foundation/operational/operational-store.js';
import { type BucketSize, Buckets } from './buckets.js';

export const EXCHANGE_EVERY_MS = 1_000;
/** A refusal does not wait longer for the counts of others. */
const MAX_WAIT_MS = 250;
/** By then a bucket has refilled, also one that owes a little (Buckets.charge). */
const keptMs = ({ burst, perMinute }: BucketSize): number => (1.2 * burst * 60_000) / perMinute;
/** Bounds what a node writes, to some 150 kB. It counts further keys for itself alone. */
const MAX_KEYS = 1_500;

/** Token buckets of one limit, whose tokens are taken on all nodes. */
export interface SharedBuckets {
  /** As Buckets.take. */
  take(key: string, now: number): number | null;
  giveBack(key: string, now: number): void;
}

export class FailureExchange {
  readonly #nodeId = randomUUID();
  readonly #limits = new Map<string, { readonly buckets: Buckets; readonly keptMs: number }>();
  readonly #own = new LRUCache<string, CountedFailures>({ max: MAX_KEYS });
  /** What was taken up already, by node and key. */
  #takenUp: ReadonlyMap<string, CountedFailures> = new Map();
  #beganAt = Number.NEGATIVE_INFINITY;
  #exchanged: Promise<unknown> = Promise.resolve();
  #timer: NodeJS.Timeout | null = null;

  constructor(private readonly store: Pick<OperationalStore, 'failures'>) {}

  /** `limit`: a word without a colon, of this limit alone. */
  buckets(limit: string, size: BucketSize): SharedBuckets {
    const buckets = new Buckets(size);
    this.#limits.set(limit, { buckets, keptMs: keptMs(size) });
    const keyOf = (key: string): string =>
      `${limit}:${createHash('sha256').update(`${limit} ${key}`).digest('base64url').slice(0, 16)}`;
    return {
      take: (key, now) => {
        const hashed = keyOf(key);
        // What the bucket has refilled counts no more, for other nodes neither.
        if (buckets.isFull(hashed, now) && this.#own.get(hashed)?.count !== 0) this.#own.delete(hashed);
        const wait = buckets.take(hashed, now);
        if (wait === null) this.#count(hashed, 1, now);
        return wait;
      },
      giveBack: (key, now) => {
        const hashed = keyOf(key);
        buckets.giveBack(hashed, now);
        this.#count(hashed, -1, now);
      },
    };
  }

  /** Resolves when the counts of other nodes are known as they were a second ago, or cannot be had soon. */
  async refresh(): Promise<void> {
    if (performance.now() - this.#beganAt >= EXCHANGE_EVERY_MS) this.#begin();
    await this.#exchanged;
  }

  #begin(): void {
    this.#beganAt = performance.now();
    this.#exchanged = settlesWithin(this.#exchange(), MAX_WAIT_MS).catch(() => undefined);
  }

  #count(key: string, change: 1 | -1, now: number): void {
    const { begunAt, count } = this.#own.get(key) ?? { begunAt: now, count: 0 };
    this.#own.set(key, { key, begunAt, count: count + change, at: now });
    this.#timer ??= setTimeout(() => {
      this.#timer = null;
      this.#begin();
    }, EXCHANGE_EVERY_MS).unref();
  }

  async #exchange(): Promise<void> {
    const now = Date.now();
    // What the others are told of no more begins anew: they have forgotten how much of it they took up.
    for (const counted of [...this.#own.values()])
      if (!this.#isKept(counted, now)) this.#own.delete(counted.key);
    const own = { nodeId: this.#nodeId, at: now, failures: [...this.#own.values()] };
    const longest = Math.max(0, ...[...this.#limits.values()].map((limit) => limit.keptMs));
    this.#takeUp(await this.store.failures.exchange(own, now - longest));
  }

  #isKept({ key, at }: CountedFailures, now: number): boolean {
    return now - at <= (this.#limits.get(limitOf(key))?.keptMs ?? 0);
  }

  #takeUp(nodes: readonly NodeFailures[]): void {
    const now = Date.now();
    // A node of an older version removes what others wrote minutes ago; their next counts must not be taken for new ones.
    const takenUp = new Map([...this.#takenUp].filter(([, counted]) => this.#isKept(counted, now)));
    for (const { nodeId, failures } of nodes) {
      for (const counted of failures) {
        const id = `${nodeId} ${counted.key}`;
        const before = this.#takenUp.get(id);
        const count = counted.count - (before?.begunAt === counted.begunAt ? before.count : 0);
        const limit = this.#limits.get(limitOf(counted.key));
        if (count !== 0) limit?.buckets.charge(counted.key, { count, at: counted.at }, now);
        takenUp.set(id, counted);
      }
    }
    this.#takenUp = takenUp;
  }
}

const limitOf = (key: string): string => key.slice(0, key.indexOf(':'));
