/** How every store reports that it is away or cannot be used now: nothing is wrong in the code, and the same later may succeed. */

export class StoreUnavailableError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = new.target.name;
  }
}

const UNUSABLE =
  /^SQLITE_(BUSY|LOCKED|IOERR|CANTOPEN|FULL|CORRUPT|NOTADB|READONLY|PROTOCOL|PERM|AUTH|NOMEM|NOLFS)/;

/**
 * Tells a file that cannot be used now (full, locked, damaged, not to be opened) from a mistake in the code. By SQLite's code,
 * not by the error's class: the driver keeps one class for all who load it in a process.
 */
export const isUnusableFile = (error: unknown): boolean =>
  typeof error === 'object' && error !== null && 'code' in error && UNUSABLE.test(String(error.code));

/** Told of a SQLite file by what its driver throws, of anything else by the store. */
export const isOutage = (error: unknown): boolean =>
  error instanceof StoreUnavailableError || isUnusableFile(error);
