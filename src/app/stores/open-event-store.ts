/** Opens the event store of a URL. The scheme chooses the adapter; all other code knows only the port. */
import { dirname, resolve } from 'node:path';
import { SqliteEventStore } from '../../engines/sqlite/event-store/sqlite-event-store.js';
import { messageOf } from '../../foundation/basics/error-message.js';
import { makeFolder } from '../../foundation/basics/folders.js';
import { type EventStore, EventStoreUnavailableError } from '../../foundation/event-store/event-store.js';
import type { DamageListener } from '../../foundation/integrity/damage-log.js';

export interface OpenEventStoreOptions {
  /** Reads and subscribes only, as other threads of the process do. No writer is started. */
  readonly readOnly?: boolean;
  /** From the configuration: an EventStoreDB may hold several installations. */
  readonly streamPrefix?: string;
  /** Of one append, as src/foundation/event-store/append-checks.ts counts them. Default: none of Podium's own. */
  readonly maxAppendBytes?: number;
  /** Checks the indexes of a file first, so that no stream is read that is not whole. */
  readonly checksFile?: boolean;
  /** Called with each damage before it is thrown. */
  readonly onDamage?: DamageListener;
  /** Starts its threads now, as a server does. Default: when they are first used. */
  readonly startsThreads?: boolean;
}

/**
 * `sqlite:PATH` (creates the folder and the file when they are missing), `esdb://…` or `esdb+discover://…`.
 * Throws ConfigError for a wrong URL of EventStoreDB, else EventStoreUnavailableError, with one line, which never holds credentials.
 */
export const openEventStore = async (
  url: string,
  options: OpenEventStoreOptions = {},
): Promise<EventStore> => {
  const [, scheme] = /^(sqlite|esdb|esdb\+discover):/.exec(url) ?? [];
  switch (scheme) {
    case 'sqlite':
      return openSqliteEventStore(url, options);
    case 'esdb':
    case 'esdb+discover': {
      // Its client is large: it is loaded only when it is used.
      const { EsdbEventStore } = await import('../../engines/eventstoredb/esdb-event-store.js');
      return EsdbEventStore.open(url, options);
    }
    default:
      throw new EventStoreUnavailableError(
        'this is not the URL of an event store; use sqlite:PATH, esdb://HOST or esdb+discover://HOST',
      );
  }
};

/** Opens the embedded store, for what only it offers (`backup`). */
export const openSqliteEventStore = async (
  url: string,
  options: OpenEventStoreOptions = {},
): Promise<SqliteEventStore> => {
  const [, file] = /^sqlite:(.+)$/.exec(url) ?? [];
  if (file === undefined)
    throw new EventStoreUnavailableError('this is not the URL of an embedded event store; use sqlite:PATH');
  const path = resolve(file);
  try {
    makeFolder(dirname(path));
    return new SqliteEventStore(path, options);
  } catch (error) {
    const reason = messageOf(error);
    throw new EventStoreUnavailableError(`cannot open the event store ${path}: ${reason}`, { cause: error });
  }
};
