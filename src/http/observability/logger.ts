/** The one logger, also for Nest: pino, JSON lines on stdout. No line holds a credential. */
import type { LoggerService } from '@nestjs/common';
import { type Logger, pino } from 'pino';
import type { PodiumConfig } from '../../foundation/config.js';

/**
 * Lines are buffered and written together, at most 200 ms late. `flush` resolves when all are written, or when
 * the reader of the pipe is gone. It is asynchronous: a synchronous flush retries for ever on a pipe without a
 * reader, so the server could not stop.
 */
export const createLogger = ({
  logLevel,
}: Pick<PodiumConfig, 'logLevel'>): { logger: Logger; flush: () => Promise<void> } => {
  const destination = pino.destination({ dest: 1, sync: false, minLength: 4_096, periodicFlush: 200 });
  const logger = pino(
    { level: logLevel, base: null, timestamp: pino.stdTimeFunctions.epochTime },
    destination,
  );
  return { logger, flush: () => new Promise((resolve) => destination.flush(() => resolve())) };
};

export class NestLogger implements LoggerService {
  constructor(private readonly logger: Logger) {}

  /** Nest logs each step of its start: for debugging only. */
  log(message: unknown, ...rest: unknown[]): void {
    this.logger.debug({ context: rest.at(-1) }, String(message));
  }

  error(message: unknown, ...rest: unknown[]): void {
    if (message instanceof Error) this.logger.error({ err: message });
    else
      this.logger.error(
        { context: rest.at(-1), stack: rest.length > 1 ? rest[0] : undefined },
        String(message),
      );
  }

  warn(message: unknown, ...rest: unknown[]): void {
    this.logger.warn({ context: rest.at(-1) }, String(message));
  }

  debug(message: unknown, ...rest: unknown[]): void {
    this.logger.debug({ context: rest.at(-1) }, String(message));
  }

  verbose(message: unknown, ...rest: unknown[]): void {
    this.logger.trace({ context: rest.at(-1) }, String(message));
  }
}
