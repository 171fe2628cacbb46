/**
 * Shares a few connections among many rounds. A holder that finds no free slot waits in a queue. While the queue is not
 * empty, a holder loses its slot after a fixed time and joins the end of the queue. So every holder is served again and
 * again, and without a queue no holder is interrupted.
 */

interface SlotHolder {
  /** Called when it is given a slot. */
  start(): void;
  /** Called when it loses the slot. */
  stop(): void;
}

export class ConnectionSlots {
  readonly #timers = new Map<SlotHolder, ReturnType<typeof setTimeout>>();
  #queue: readonly SlotHolder[] = [];

  constructor(
    private readonly maxSlots: number,
    private readonly slotMs: number,
  ) {}

  /** Returns a function that gives the slot back, or leaves the queue. */
  acquire(holder: SlotHolder): () => void {
    this.#queue = [...this.#queue, holder];
    this.#fill();
    return () => {
      this.#queue = this.#queue.filter((other) => other !== holder);
      this.#release(holder);
      this.#fill();
    };
  }

  #fill(): void {
    while (this.#timers.size < this.maxSlots) {
      const [next, ...others] = this.#queue;
      if (!next) return;
      this.#queue = others;
      this.#startTimer(next);
      next.start();
    }
  }

  #startTimer(holder: SlotHolder): void {
    this.#timers.set(
      holder,
      setTimeout(() => this.#rotate(holder), this.slotMs),
    );
  }

  #rotate(holder: SlotHolder): void {
    if (this.#queue.length === 0) {
      this.#startTimer(holder);
      return;
    }
    this.#release(holder);
    this.#queue = [...this.#queue, holder];
    this.#fill();
  }

  #release(holder: SlotHolder): void {
    const timer = this.#timers.get(holder);
    if (timer === undefined) return;
    clearTimeout(timer);
    this.#timers.delete(holder);
    holder.stop();
  }
}
