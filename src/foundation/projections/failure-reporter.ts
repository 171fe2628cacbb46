/**
 * Tells an operator why the read models stand still, and that they go on. What is tried again every second fails every
 * second, so each reason is told once, and an end only when nothing was heard of it for a while.
 */

/** The reason that they stand still, or null: they go on again. */
export type ReportFailure = (reason: string | null) => void;

/** Several tries long: one that has only begun is no end of the trouble. */
const RECOVERED_AFTER_MS = 5_000;

export class FailureReporter {
  readonly #onChange: ReportFailure;
  #reported: string | null = null;
  #recoveryTimer: NodeJS.Timeout | null = null;

  constructor(onChange: ReportFailure) {
    this.#onChange = onChange;
  }

  observe(reason: string | null): void {
    if (reason === null) {
      if (this.#reported !== null)
        this.#recoveryTimer ??= setTimeout(() => this.#report(null), RECOVERED_AFTER_MS).unref();
      return;
    }
    this.#cancelRecovery();
    if (reason !== this.#reported) this.#report(reason);
  }

  close(): void {
    this.#cancelRecovery();
  }

  #report(reason: string | null): void {
    this.#recoveryTimer = null;
    this.#reported = reason;
    this.#onChange(reason);
  }

  #cancelRecovery(): void {
    if (this.#recoveryTimer) clearTimeout(this.#recoveryTimer);
    this.#recoveryTimer = null;
  }
}
