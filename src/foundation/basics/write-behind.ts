/** Writes what has gathered a moment later, and one thing after the other. A write that failed is tried again. */
export class WriteBehind {
  readonly #write: () => Promise<void>;
  readonly #afterMs: number;
  #timer: NodeJS.Timeout | null = null;
  #turn: Promise<void> = Promise.resolve();

  /** `write` takes what has gathered; when it fails, it keeps what has to be tried again. */
  constructor(write: () => Promise<void>, afterMs: number) {
    this.#write = write;
    this.#afterMs = afterMs;
  }

  later(): void {
    this.#timer ??= setTimeout(() => {
      this.#timer = null;
      this.flush().catch(() => this.later());
    }, this.#afterMs).unref();
  }

  /** Throws what the write throws. */
  flush(): Promise<void> {
    return this.inTurn(this.#write);
  }

  /** Work between two writes. */
  inTurn(work: () => Promise<void>): Promise<void> {
    this.#turn = this.#turn.catch(() => undefined).then(work);
    return this.#turn;
  }

  /** Writes a last time. Throws what the write throws, and does not try again. */
  async close(): Promise<void> {
    this.#stopTimer();
    // One that failed meanwhile wants to try again.
    await this.flush().finally(() => this.#stopTimer());
  }

  #stopTimer(): void {
    if (this.#timer) clearTimeout(this.#timer);
    this.#timer = null;
  }
}
