/** The error of every store that cannot be reached or used now. The caller may retry later. */

export class StoreUnavailableError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = new.target.name;
  }
}

const UNUSABLE =
  /^SQLITE_(BUSY|LOCKED|IOERR|CANTOPEN|FULL|CORRUPT|NOTADB|READONLY|PROTOCOL|PERM|AUTH|NOMEM|NOLFS)/;

/**
 * Whether SQLite reports a file that cannot be used now: disk full, locked, damaged, cannot be opened. Reads SQLite's
 * error code, not the error's class: the driver keeps one class for a process, even where it is loaded twice.
 */
export const isUnusableFile = (error: unknown): boolean =>
  typeof error === 'object' && error !== null && 'code' in error && UNUSABLE.test(String(error.code));

/** Whether a store cannot be used now: a SQLite driver's error, or a StoreUnavailableError of any store. */
export const isOutage = (error: unknown): boolean =>
  error instanceof StoreUnavailableError || isUnusableFile(error);
