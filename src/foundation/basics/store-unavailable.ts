/** The error of every store that cannot be reached or used now. The caller may retry later. */

export class StoreUnavailableError extends Error {
  /** As clients are told, such as `the event store`. Null: it is not known which. */
  readonly store: string | null = null;

  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = new.target.name;
  }
}

const UNUSABLE =
  /^SQLITE_(BUSY|LOCKED|IOERR|CANTOPEN|FULL|CORRUPT|NOTADB|READONLY|PROTOCOL|PERM|AUTH|NOMEM|NOLFS)/;

/** Node's codes when the process has used up its file handles; a worker thread that cannot start has a code of its own. */
const WITHOUT_HANDLES: readonly unknown[] = ['EMFILE', 'ENFILE', 'ERR_WORKER_INIT_FAILED'];

const lacksHandles = (error: unknown): boolean =>
  typeof error === 'object' && error !== null && 'code' in error && WITHOUT_HANDLES.includes(error.code);

/**
 * Whether SQLite reports a file that cannot be used now: disk full, locked, damaged, cannot be opened. Reads SQLite's
 * error code, not the error's class: the driver keeps one class for a process, even where it is loaded twice.
 */
export const isUnusableFile = (error: unknown): boolean =>
  typeof error === 'object' && error !== null && 'code' in error && UNUSABLE.test(String(error.code));

/** Whether a store cannot be used now: a SQLite driver's error, a StoreUnavailableError of any store, or no file handle is left. */
export const isOutage = (error: unknown): boolean =>
  error instanceof StoreUnavailableError || isUnusableFile(error) || lacksHandles(error);
