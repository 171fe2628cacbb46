/** How every store reports that it is away or cannot be used now: nothing is wrong in the code, and the same later may succeed. */
import { isUnusableFile } from '../../engines/sqlite/database-file.js';

export class StoreUnavailableError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = new.target.name;
  }
}

/** Told of a SQLite file by what its driver throws, of anything else by the store. */
export const isOutage = (error: unknown): boolean =>
  error instanceof StoreUnavailableError || isUnusableFile(error);
