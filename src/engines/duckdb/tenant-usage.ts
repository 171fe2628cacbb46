/**
 * How much of the engine each tenant has used of late: the milliseconds of its queries, where those of ten seconds ago count
 * a third. So turns can go to the tenant that has used least, and a tenant that was busy is soon like the others.
 */

const FADE_MS = 10_000;
const MAX_TENANTS = 10_000;

interface Used {
  ms: number;
  at: number;
  /** Queries under way. */
  running: number;
}

export class TenantUsage {
  readonly #used = new Map<string, Used>();

  begin(tenant: string): void {
    if (this.#used.size >= MAX_TENANTS) this.#forgetIdle();
    const used = this.#used.get(tenant);
    this.#used.set(tenant, this.#upToNow(used, (used?.running ?? 0) + 1));
  }

  end(tenant: string): void {
    const used = this.#used.get(tenant);
    if (used) this.#used.set(tenant, this.#upToNow(used, used.running - 1));
  }

  isLess(tenant: string, other: string): boolean {
    return this.#of(tenant) < this.#of(other);
  }

  /** Returns the first of those whose tenant has used least; null: there are none. */
  least<T extends { readonly tenant: string }>(among: readonly T[]): T | null {
    const used = new Map<string, number>();
    let found: T | null = null;
    let least = Number.POSITIVE_INFINITY;
    for (const one of among) {
      const ms = used.get(one.tenant) ?? this.#of(one.tenant);
      used.set(one.tenant, ms);
      if (ms < least) {
        least = ms;
        found = one;
      }
    }
    return found;
  }

  #of(tenant: string): number {
    return this.#upToNow(this.#used.get(tenant), 0).ms;
  }

  #upToNow(used: Used | undefined, running: number): Used {
    const now = performance.now();
    if (!used) return { ms: 0, at: now, running };
    const kept = Math.exp((used.at - now) / FADE_MS);
    return { ms: used.ms * kept + used.running * FADE_MS * (1 - kept), at: now, running };
  }

  #forgetIdle(): void {
    for (const [tenant, { running }] of this.#used) if (running === 0) this.#used.delete(tenant);
  }
}
