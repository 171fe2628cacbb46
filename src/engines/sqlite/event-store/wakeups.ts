/**
 * Wakes subscriptions when there may be something new: at once when a commit of this process is announced, and within
 * 50 ms when another process has written, which only looking shows. It looks only while a reader waits, and keeps no
 * process alive.
 */
const POLL_MS = 50;

export class Wakeups {
  readonly #hasChanged: () => boolean;
  readonly #waiting = new Set<() => void>();
  #timer: NodeJS.Timeout | null = null;
  #announced = 0;

  /** `hasChanged` says whether the store has moved since it last said so; when it throws, those who wait find out why. */
  constructor(hasChanged: () => boolean) {
    this.#hasChanged = hasChanged;
  }

  /** Changes with each announcement; taken before reading, it tells `wait` what the reader cannot have seen. */
  get announced(): number {
    return this.#announced;
  }

  announce(): void {
    this.#announced += 1;
    for (const wake of this.#waiting) wake();
    this.#waiting.clear();
  }

  /** Resolves at the first announcement after `seen`, or when the signal aborts. */
  wait(seen: number, signal: AbortSignal): Promise<void> {
    if (this.#announced !== seen || signal.aborted) return Promise.resolve();
    return new Promise((resolve) => {
      const wake = (): void => {
        signal.removeEventListener('abort', wake);
        this.#waiting.delete(wake);
        resolve();
      };
      signal.addEventListener('abort', wake);
      this.#waiting.add(wake);
      this.#poll();
    });
  }

  #poll(): void {
    if (this.#timer || this.#waiting.size === 0) return;
    this.#timer = setTimeout(() => {
      this.#timer = null;
      if (this.#looksChanged()) this.announce();
      this.#poll();
    }, POLL_MS).unref();
  }

  #looksChanged(): boolean {
    try {
      return this.#hasChanged();
    } catch {
      return true;
    }
  }
}
