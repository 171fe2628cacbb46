/** Opens the log store of a URL. The scheme chooses the adapter; all other code knows only the port. */
import { dirname, resolve } from 'node:path';
import { ClickhouseLogStore } from '../../engines/clickhouse/clickhouse-log-store.js';
import { readClickhouseUrl } from '../../engines/clickhouse/clickhouse-url.js';
import { ServerRefusal } from '../../engines/clickhouse/connection.js';
import { DuckDbLogStore, type DuckDbLogStoreOptions } from '../../engines/duckdb/duckdb-log-store.js';
import { EngineEndedError } from '../../engines/duckdb/engine-process.js';
import { OwnerLogStore } from '../../engines/duckdb/owner-log-store.js';
import { serveOwnerSocket } from '../../engines/duckdb/owner-socket.js';
import { messageOf } from '../../foundation/basics/error-message.js';
import { makeFolder } from '../../foundation/basics/folders.js';
import type { DamageListener } from '../../foundation/integrity/damage-log.js';
import { LazyLogStore } from '../../foundation/log-store/lazy-log-store.js';
import { isSharedLogStore, owningNode } from '../../foundation/log-store/log-owner.js';
import {
  type LogStore,
  LogStoreUnavailableError,
  LogsDamagedError,
} from '../../foundation/log-store/log-store.js';

export interface OpenLogStoreOptions extends Omit<DuckDbLogStoreOptions, 'path'> {
  /**
   * `server`: opens the file at once and shares it with other processes of this machine. When the system ends the engine
   * meanwhile, the next use opens it. `command`: opens it at the first use, through the server that owns it if there is one.
   * Default: opens it alone. ClickHouse is opened by any number: a server that does not reach it opens it with its next use.
   */
  readonly mode?: 'server' | 'command';
  /** Called when a server finds the file damaged, at its start or later. It serves without logs. */
  readonly onDamage?: DamageListener;
}

/**
 * `duckdb:PATH`: creates the folder and the file when they are missing. `http://NODE`: another node owns the
 * store, and requests are forwarded to it, so this process cannot use it. `clickhouse://…`: a server that all nodes use. Throws
 * ConfigError for a wrong URL of ClickHouse, else LogStoreUnavailableError, with one line.
 */
export const openLogStore = async (url: string, options: OpenLogStoreOptions = {}): Promise<LogStore> => {
  const { mode, onDamage, ...duckDbOptions } = options;
  if (owningNode(url)) return new LazyLogStore(() => Promise.reject(ownedElsewhere(url)));
  if (isSharedLogStore(url)) return openClickhouse(url, options);
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
  throw new LogStoreUnavailableError(
    `${url} is not the URL of a log store; use duckdb:PATH, http://NODE or clickhouse://HOST`,
  );
};

/** A server starts without a ClickHouse that is away, and not with one that refuses it. */
const openClickhouse = async (
  url: string,
  { mode, memoryMb, readers, maxWaiting, maxPendingBytes, recentIds, maxProjects }: OpenLogStoreOptions,
): Promise<LogStore> => {
  readClickhouseUrl(url);
  const given = { memoryMb, readers, maxWaiting, maxPendingBytes, recentIds, maxProjects };
  const open = () => ClickhouseLogStore.open(url, given);
  if (mode === undefined) return open();
  const store = new LazyLogStore(open);
  if (mode === 'server')
    await store.opened().catch((error: Error) => {
      if (error.cause instanceof ServerRefusal) throw error;
    });
  return store;
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
