/**
 * Tells an operator why the read models stand still, and that they go on. What is tried again every second fails every
 * second, so each reason is told once, and an end only when nothing was heard of it for a while.
 */

/** The reason that they stand still, or null: they go on again. */
export type ReportFailure = (reason: string | null) => void;

/** Several tries long: one that has only begun is no end of the trouble. */
const CALM_MS = 5_000;

export class FailureReporter {
  readonly #tell: ReportFailure;
  #told: string | null = null;
  #calm: NodeJS.Timeout | null = null;

  constructor(tell: ReportFailure) {
    this.#tell = tell;
  }

  observe(reason: string | null): void {
    if (reason === null) {
      if (this.#told !== null) this.#calm ??= setTimeout(() => this.#report(null), CALM_MS).unref();
      return;
    }
    this.#stay();
    if (reason !== this.#told) this.#report(reason);
  }

  close(): void {
    this.#stay();
  }

  #report(reason: string | null): void {
    this.#calm = null;
    this.#told = reason;
    this.#tell(reason);
  }

  #stay(): void {
    if (this.#calm) clearTimeout(this.#calm);
    this.#calm = null;
  }
}
