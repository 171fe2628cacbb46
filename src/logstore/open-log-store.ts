/** Opens the log store that a URL names. The scheme chooses the adapter; everything else knows only the port. */
import { mkdir } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { DuckDbLogStore, type DuckDbLogStoreOptions } from './duckdb-log-store.js';
import { type LogStore, LogStoreUnavailableError } from './log-store.js';

/** `duckdb:PATH`; the folder and the file are made when there are none. Throws LogStoreUnavailableError with one line. */
export const openLogStore = async (
  url: string,
  options: Omit<DuckDbLogStoreOptions, 'path'> = {},
): Promise<LogStore> => {
  const [, file] = /^duckdb:(.+)$/.exec(url) ?? [];
  if (file === undefined)
    throw new LogStoreUnavailableError(`${url} names no log store; it may be duckdb:PATH`);
  const path = resolve(file);
  await mkdir(dirname(path), { recursive: true }).catch((error: Error) => {
    throw new LogStoreUnavailableError(`cannot make the folder of the log store: ${error.message}`, {
      cause: error,
    });
  });
  return DuckDbLogStore.open({ ...options, path });
};
