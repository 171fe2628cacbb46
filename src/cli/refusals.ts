/** Prints failures: refusals with their detail and fields, all others as one line without a stack. */
import { CommanderError } from 'commander';
import type { FieldError } from '../domain/rejections.js';

/** Prints the reason on stderr (commander has printed its own) and returns the exit status. */
export const exitStatusOf = (error: unknown): number => {
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
  for (const line of reasonLines(error)) console.error(line);
  return 1;
};

/** Recognises a refusal by its shape, so that a usage error does not load the domain. */
const reasonLines = (error: unknown): readonly string[] => {
  if (!(error instanceof Error)) return [`podium: ${String(error)}`];
  if (!('rejection' in error)) return [`podium: ${error.message || error.name}`, ...debugLines(error)];
  return [`podium: ${error.message}`, ...fieldLines(error.rejection, error.message)];
};

/** Of the fields that the text of the refusal leaves out. */
const fieldLines = (rejection: unknown, said: string): readonly string[] => {
  if (typeof rejection !== 'object' || rejection === null || !('errors' in rejection)) return [];
  if (!Array.isArray(rejection.errors)) return [];
  const unsaid = rejection.errors.filter(({ message }: FieldError) => !said.includes(message));
  return unsaid.map(({ field, message }: FieldError) => `  ${field}: ${message}`);
};

/** NODE_DEBUG=podium prints the stack, to debug Podium itself. */
const debugLines = (error: Error): readonly string[] =>
  process.env.NODE_DEBUG?.split(',').includes('podium') && error.stack ? [error.stack] : [];

/** A failure whose message is complete for the operator. */
export class CliError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'CliError';
  }
}
