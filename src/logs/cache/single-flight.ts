/**
 * Concurrent callers with the same key share one run of the work. A caller may leave before it is done. When the last
 * caller has left, the work is aborted, and the next caller starts it again.
 */

interface UnderWay<T> {
  readonly done: Promise<T>;
  readonly stop: AbortController;
  waiting: number;
}

export class SingleFlight<T> {
  readonly #underWay = new Map<string, UnderWay<T>>();

  /** Returns the result of the shared run. `signal`: aborted when this caller leaves; without it the caller stays. */
  async join(key: string, work: (stop: AbortSignal) => Promise<T>, signal?: AbortSignal): Promise<T> {
    signal?.throwIfAborted();
    const joined = this.#underWay.get(key) ?? this.#begin(key, work);
    joined.waiting++;
    const leave = (): void => {
      joined.waiting--;
      if (joined.waiting > 0) return;
      this.#forget(key, joined);
      joined.stop.abort();
    };
    signal?.addEventListener('abort', leave, { once: true });
    try {
      return await joined.done;
    } finally {
      signal?.removeEventListener('abort', leave);
    }
  }

  #begin(key: string, work: (stop: AbortSignal) => Promise<T>): UnderWay<T> {
    const stop = new AbortController();
    const begun: UnderWay<T> = {
      stop,
      waiting: 0,
      done: work(stop.signal).finally(() => this.#forget(key, begun)),
    };
    this.#underWay.set(key, begun);
    return begun;
  }

  #forget(key: string, work: UnderWay<T>): void {
    if (this.#underWay.get(key) === work) this.#underWay.delete(key);
  }
}
