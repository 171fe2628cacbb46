/** One logger for everything: pino, JSON lines on stdout, also for what Nest itself has to say. Never a credential. */
import type { LoggerService } from '@nestjs/common';
import { type Logger, pino } from 'pino';
import type { PodiumConfig } from '../../foundation/config.js';

/**
 * Lines are gathered and written together, 200 ms late at most. `flush` resolves when all are out, or never can be
 * because nobody reads them any more. It does not flush synchronously: that tries for ever on a pipe without a reader,
 * and a server whose log is gone could not be stopped.
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

  /** Nest tells at length how it starts: for debugging. */
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
