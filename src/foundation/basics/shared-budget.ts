/**
 * A budget that tenants share. A tenant may have at most as much as it leaves free, so it cannot use up the budget for another:
 * one alone gets half of it.
 */
export class SharedBudget {
  readonly #max: number;
  readonly #taken = new Map<string, number>();
  #total = 0;

  constructor(max: number) {
    this.#max = max;
  }

  /** Returns a function that gives it back, to be called once. Returns null when there is no room; while nothing is taken, there is. */
  take(tenant: string, amount: number): (() => void) | null {
    const own = (this.#taken.get(tenant) ?? 0) + amount;
    const free = this.#max - this.#total - amount;
    if (this.#total > 0 && own > free) return null;
    this.#add(tenant, amount);
    return () => this.#add(tenant, -amount);
  }

  #add(tenant: string, amount: number): void {
    const own = (this.#taken.get(tenant) ?? 0) + amount;
    if (own === 0) this.#taken.delete(tenant);
    else this.#taken.set(tenant, own);
    this.#total += amount;
  }
}
