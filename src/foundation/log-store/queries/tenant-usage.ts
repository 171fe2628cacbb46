/**
 * How much of the engine each tenant has used of late and asks for now: the cost of its queries, where those of ten seconds ago
 * count a third, and a slice for each of its queries that wait. Turns go to the tenant for which this is least. So a tenant
 * that asks one query after the other goes before those that ask many at a time, also where the machine is slow.
 */

/** How long a query may run before it gives way to one that waits. */
export const SLICE_MS = 250;
const FADE_MS = 10_000;
const MAX_TENANTS = 10_000;

/** A short query costs less than its time: beside long ones, it waits for a processor during most of it. */
const costOf = (ms: number): number => ms * Math.min(1, ms / SLICE_MS);

interface Used {
  cost: number;
  /** When the cost was last faded. */
  at: number;
  /** When each query under way began. */
  readonly running: Set<{ readonly since: number }>;
  /** Queries that wait. */
  waiting: number;
}

export class TenantUsage {
  readonly #used = new Map<string, Used>();

  /** Notes that a query waits. */
  wait(tenant: string): void {
    this.#usedBy(tenant).waiting++;
  }

  /** Notes that a query waits no longer. */
  leave(tenant: string): void {
    this.#usedBy(tenant).waiting--;
  }

  /** Notes that a query runs. Returns a function that notes its end. */
  begin(tenant: string): () => void {
    const used = this.#usedBy(tenant);
    const run = { since: performance.now() };
    used.running.add(run);
    return () => {
      const end = performance.now();
      used.running.delete(run);
      used.cost = fadedCost(used, end) + costOf(end - run.since);
      used.at = end;
    };
  }

  /** Returns what the tenant has used and asks for, in milliseconds. */
  of(tenant: string): number {
    const used = this.#used.get(tenant);
    if (!used) return 0;
    const now = performance.now();
    let cost = fadedCost(used, now) + used.waiting * SLICE_MS;
    for (const { since } of used.running) cost += costOf(now - since);
    return cost;
  }

  /** Returns the first of those whose tenant has least; null: there are none. */
  least<T extends { readonly tenant: string }>(among: readonly T[]): T | null {
    const known = new Map<string, number>();
    let found: T | null = null;
    let least = Number.POSITIVE_INFINITY;
    for (const one of among) {
      const cost = known.get(one.tenant) ?? this.of(one.tenant);
      known.set(one.tenant, cost);
      if (cost < least) {
        least = cost;
        found = one;
      }
    }
    return found;
  }

  #usedBy(tenant: string): Used {
    const known = this.#used.get(tenant);
    if (known) return known;
    if (this.#used.size >= MAX_TENANTS) this.#forgetIdle();
    const used = { cost: 0, at: performance.now(), running: new Set<{ since: number }>(), waiting: 0 };
    this.#used.set(tenant, used);
    return used;
  }

  #forgetIdle(): void {
    for (const [tenant, { running, waiting }] of this.#used)
      if (running.size + waiting === 0) this.#used.delete(tenant);
  }
}

const fadedCost = ({ cost, at }: Used, now: number): number => cost * Math.exp((at - now) / FADE_MS);
