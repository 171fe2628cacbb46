/**
 * Reports to an operator why the projections stand still, and when they continue. A retry fails every second, so each
 * reason is reported once, and the recovery only after 5 s without a failure.
 */

/** `reason`: why the projections stand still; null: they continue. */
export type ReportFailure = (reason: string | null) => void;

/** Longer than several retries: a retry that has only begun is no recovery. */
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
