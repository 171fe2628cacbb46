/** Opens the log store that a URL names. The scheme chooses the adapter; everything else knows only the port. */
import { dirname, resolve } from 'node:path';
import { DuckDbLogStore, type DuckDbLogStoreOptions } from '../../engines/duckdb/duckdb-log-store.js';
import { OwnerLogStore } from '../../engines/duckdb/owner-log-store.js';
import { serveOwnerSocket } from '../../engines/duckdb/owner-socket.js';
import { messageOf } from '../../foundation/basics/error-message.js';
import { makeFolder } from '../../foundation/basics/folders.js';
import { LazyLogStore } from '../../foundation/log-store/lazy-log-store.js';
import { ownerOf } from '../../foundation/log-store/log-owner.js';
import { type LogStore, LogStoreUnavailableError } from '../../foundation/log-store/log-store.js';

export interface OpenLogStoreOptions extends Omit<DuckDbLogStoreOptions, 'path'> {
  /**
   * `server`: owns the file at once, and lets others of this machine use it. `command`: with the first use, through the
   * server where one owns the file. Default: owns it alone.
   */
  readonly mode?: 'server' | 'command';
}

/**
 * `duckdb:PATH`: the folder and the file are made when there are none. `http://NODE`: that node owns the store and is sent
 * its requests, so nothing here may use it. Throws LogStoreUnavailableError with one line.
 */
export const openLogStore = async (url: string, options: OpenLogStoreOptions = {}): Promise<LogStore> => {
  const { mode, ...duckDbOptions } = options;
  if (ownerOf(url)) return new LazyLogStore(() => Promise.reject(ownedElsewhere(url)));
  const path = pathOf(url);
  if (mode === 'command') {
    return new LazyLogStore(
      async () => (await OwnerLogStore.connect(path)) ?? openDuckDb({ ...duckDbOptions, path }),
    );
  }
  const store = await openDuckDb({ ...duckDbOptions, path });
  if (mode === 'server') store.closeFirst(await serveOwnerSocket(store, path));
  return store;
};

const pathOf = (url: string): string => {
  const [, file] = /^duckdb:(.+)$/.exec(url) ?? [];
  if (file !== undefined) return resolve(file);
  throw new LogStoreUnavailableError(`${url} names no log store; it may be duckdb:PATH or http://NODE`);
};

const openDuckDb = async (options: DuckDbLogStoreOptions): Promise<DuckDbLogStore> => {
  try {
    makeFolder(dirname(options.path));
  } catch (error) {
    const reason = messageOf(error);
    throw new LogStoreUnavailableError(`cannot make the folder of the log store: ${reason}`, {
      cause: error,
    });
  }
  return DuckDbLogStore.open(options);
};

const ownedElsewhere = (url: string): LogStoreUnavailableError =>
  new LogStoreUnavailableError(`the log store is at ${url}; do this on that node`);
