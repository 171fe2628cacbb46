/**
 * Turns at something that there is little of. Whoever cannot have one at once waits; while somebody waits, a turn ends
 * after a while and goes behind them. So everybody gets one again and again, and nobody who is alone is disturbed.
 */

/** Told when its turn begins and when it ends. */
interface Taker {
  start(): void;
  stop(): void;
}

export class Turns {
  readonly #taken = new Map<Taker, ReturnType<typeof setTimeout>>();
  #waiting: readonly Taker[] = [];

  /** `length`: of a turn, in milliseconds. */
  constructor(
    private readonly most: number,
    private readonly length: number,
  ) {}

  /** Returns how to leave: with the turn, or without having had one. */
  take(taker: Taker): () => void {
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

  #begin(taker: Taker): void {
    this.#taken.set(
      taker,
      setTimeout(() => this.#passOn(taker), this.length),
    );
    taker.start();
  }

  #passOn(taker: Taker): void {
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

  #end(taker: Taker): void {
    const timer = this.#taken.get(taker);
    if (timer === undefined) return;
    clearTimeout(timer);
    this.#taken.delete(taker);
    taker.stop();
  }
}
