/**
 * Turns at something that there is little of. Whoever cannot have one at once waits; while somebody waits, a turn ends
 * after a while and goes behind them. So everybody gets one again and again, and nobody who is alone is disturbed.
 */

/** Told when its turn begins and when it ends. */
interface SlotHolder {
  start(): void;
  stop(): void;
}

export class ConnectionSlots {
  readonly #taken = new Map<SlotHolder, ReturnType<typeof setTimeout>>();
  #waiting: readonly SlotHolder[] = [];

  /** `length`: of a turn, in milliseconds. */
  constructor(
    private readonly most: number,
    private readonly length: number,
  ) {}

  /** Returns how to leave: with the turn, or without having had one. */
  acquire(taker: SlotHolder): () => void {
    this.#waiting = [...this.#waiting, taker];
    this.#goOn();
    return () => {
      this.#waiting = this.#waiting.filter((other) => other !== taker);
      this.#end(taker);
      this.#goOn();
    };
  }

  #goOn(): void {
    while (this.#taken.size < this.most) {
      const [next, ...others] = this.#waiting;
      if (!next) return;
      this.#waiting = others;
      this.#begin(next);
    }
  }

  #begin(taker: SlotHolder): void {
    this.#taken.set(
      taker,
      setTimeout(() => this.#passOn(taker), this.length),
    );
    taker.start();
  }

  #passOn(taker: SlotHolder): void {
    if (this.#waiting.length === 0) {
      this.#taken.set(
        taker,
        setTimeout(() => this.#passOn(taker), this.length),
      );
      return;
    }
    this.#end(taker);
    this.#waiting = [...this.#waiting, taker];
    this.#goOn();
  }

  #end(taker: SlotHolder): void {
    const timer = this.#taken.get(taker);
    if (timer === undefined) return;
    clearTimeout(timer);
    this.#taken.delete(taker);
    taker.stop();
  }
}
