/** Opens the log store of a URL. The scheme chooses the adapter; all other code knows only the port. */
import { dirname, resolve } from 'node:path';
import { DuckDbLogStore, type DuckDbLogStoreOptions } from '../../engines/duckdb/duckdb-log-store.js';
import { EngineEndedError } from '../../engines/duckdb/engine-process.js';
import { OwnerLogStore } from '../../engines/duckdb/owner-log-store.js';
import { serveOwnerSocket } from '../../engines/duckdb/owner-socket.js';
import { messageOf } from '../../foundation/basics/error-message.js';
import { makeFolder } from '../../foundation/basics/folders.js';
import type { DamageListener } from '../../foundation/integrity/damage-log.js';
import { LazyLogStore } from '../../foundation/log-store/lazy-log-store.js';
import { ownerOf } from '../../foundation/log-store/log-owner.js';
import {
  type LogStore,
  LogStoreUnavailableError,
  LogsDamagedError,
} from '../../foundation/log-store/log-store.js';

export interface OpenLogStoreOptions extends Omit<DuckDbLogStoreOptions, 'path'> {
  /**
   * `server`: opens the file at once and shares it with other processes of this machine. When the system ends the engine
   * meanwhile, the next use opens it. `command`: opens it at the first use, through the server that owns it if there is one.
   * Default: opens it alone.
   */
  readonly mode?: 'server' | 'command';
  /** Called when a server finds the file damaged, at its start or later. It serves without logs. */
  readonly onDamage?: DamageListener;
}

/**
 * `duckdb:PATH`: creates the folder and the file when they are missing. `http://NODE`: another node owns the
 * store, and requests are forwarded to it, so this process cannot use it. Throws LogStoreUnavailableError with
 * one line.
 */
export const openLogStore = async (url: string, options: OpenLogStoreOptions = {}): Promise<LogStore> => {
  const { mode, onDamage, ...duckDbOptions } = options;
  if (ownerOf(url)) return new LazyLogStore(() => Promise.reject(ownedElsewhere(url)));
  const path = pathOf(url);
  if (mode === 'command') {
    return new LazyLogStore(
      async () => (await OwnerLogStore.connect(path)) ?? openDuckDb({ ...duckDbOptions, path }),
    );
  }
  const onDamaged = ({ message }: LogsDamagedError): void =>
    onDamage?.({ store: 'logs', place: `file ${path}`, reason: message });
  const openFile = () => openDuckDb({ ...duckDbOptions, path, onDamaged });
  if (mode !== 'server') return openFile();
  const openShared = async (): Promise<LogStore> => {
    const opened = await openFile();
    opened.closeFirst(await serveOwnerSocket(opened, path));
    return opened;
  };
  return openShared().catch((error: unknown) => {
    if (error instanceof EngineEndedError) return new LazyLogStore(openShared);
    if (!(error instanceof LogsDamagedError)) throw error;
    onDamaged(error);
    return new LazyLogStore(() => Promise.reject(error));
  });
};

const pathOf = (url: string): string => {
  const [, file] = /^duckdb:(.+)$/.exec(url) ?? [];
  if (file !== undefined) return resolve(file);
  throw new LogStoreUnavailableError(`${url} is not the URL of a log store; use duckdb:PATH or http://NODE`);
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
