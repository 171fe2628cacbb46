/**
 * Log lines of requests that failed because of a store. While a store is away every request fails in the same way, hundreds in
 * a second. So each reason has one line a second: the first request with its id, then the number of those behind it.
 */
import type { FastifyBaseLogger } from 'fastify';

export type OutageLogger = Pick<FastifyBaseLogger, 'warn'>;

const EVERY_MS = 1_000;
/** Reasons that are told apart at a time. Some hold a text of the store. */
const MAX_REASONS = 50;
const OTHER = 'a store cannot be used';

class OutageLines {
  /** By reason: failures without a line since the last line. */
  readonly #counts = new Map<string, number>();
  readonly #counted = new WeakSet<object>();

  /** Logs a failed request, or counts it. `request`: the raw one, by which `isCounted` knows it. */
  note(
    logger: OutageLogger,
    request: object,
    line: { readonly reqId: string; readonly reason: string },
  ): void {
    const isKnown = this.#counts.has(line.reason) || this.#counts.size < MAX_REASONS;
    const reason = isKnown ? line.reason : OTHER;
    const count = this.#counts.get(reason);
    if (count === undefined) {
      logger.warn(line, 'request failed');
      this.#counts.set(reason, 0);
      this.#lookLater(logger, reason);
    } else {
      this.#counts.set(reason, count + 1);
      this.#counted.add(request);
    }
  }

  /** Whether the request is only in a count, so that no other line names it. */
  isCounted(request: object): boolean {
    return this.#counted.has(request);
  }

  #lookLater(logger: OutageLogger, reason: string): void {
    setTimeout(() => {
      const count = this.#counts.get(reason) ?? 0;
      if (count === 0) {
        this.#counts.delete(reason);
        return;
      }
      logger.warn({ reason, count }, 'requests failed');
      this.#counts.set(reason, 0);
      this.#lookLater(logger, reason);
    }, EVERY_MS).unref();
  }
}

/** Of this process, which has one log. */
export const outageLines = new OutageLines();
