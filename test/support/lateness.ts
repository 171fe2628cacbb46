/**
 * How late this machine runs its timers. A promise about time is the server's; that other processes had the processor is
 * not its fault. So a test allows a reply the time that was promised and the lateness beside it.
 */
const EVERY_MS = 50;

export class Lateness {
  #lateMs = 0;
  #last = performance.now();
  readonly #timer: NodeJS.Timeout;

  constructor() {
    this.#timer = setInterval(() => this.#tick(), EVERY_MS).unref();
  }

  /** Milliseconds that timers were late in sum, since it began. */
  get totalMs(): number {
    this.#tick();
    return this.#lateMs;
  }

  /** `ms`: what the work took, less what timers were late meanwhile. */
  async timed<T>(work: () => Promise<T>): Promise<{ readonly result: T; readonly ms: number }> {
    const before = this.totalMs;
    const from = performance.now();
    const result = await work();
    return { result, ms: performance.now() - from - (this.totalMs - before) };
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  #tick(): void {
    const now = performance.now();
    this.#lateMs += Math.max(0, now - this.#last - EVERY_MS);
    this.#last = now;
  }
}
