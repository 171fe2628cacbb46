/**
 * Opens the event store that a URL names. The scheme chooses the adapter; everything else knows only the port.
 */
import { dirname, resolve } from 'node:path';
import { SqliteEventStore } from '../../engines/sqlite/event-store/sqlite-event-store.js';
import { messageOf } from '../../foundation/basics/error-message.js';
import { makeFolder } from '../../foundation/basics/folders.js';
import { type EventStore, EventStoreUnavailableError } from '../../foundation/event-store/event-store.js';

export interface OpenEventStoreOptions {
  /** Reads and subscribes only, as other threads of the process do: no writer is started. */
  readonly readOnly?: boolean;
}

/**
 * `sqlite:PATH` (the folder and the file are made when there are none), `esdb://…` or `esdb+discover://…`. Throws
 * EventStoreUnavailableError with one line, which never holds credentials.
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
      // Its client is large, and nobody else should wait for it at every start.
      const { EsdbEventStore } = await import('../../engines/eventstoredb/esdb-event-store.js');
      return EsdbEventStore.open(url, options);
    }
    default:
      throw new EventStoreUnavailableError(
        'the URL names no event store; it may be sqlite:PATH, esdb://HOST or esdb+discover://HOST',
      );
  }
};

/** The embedded one, where what only it can do (`backup`) is wanted. */
export const openSqliteEventStore = async (
  url: string,
  options: OpenEventStoreOptions = {},
): Promise<SqliteEventStore> => {
  const [, file] = /^sqlite:(.+)$/.exec(url) ?? [];
  if (file === undefined)
    throw new EventStoreUnavailableError('the URL names no embedded event store; it may be sqlite:PATH');
  const path = resolve(file);
  try {
    makeFolder(dirname(path));
    return new SqliteEventStore(path, options);
  } catch (error) {
    const reason = messageOf(error);
    throw new EventStoreUnavailableError(`cannot open the event store ${path}: ${reason}`, { cause: error });
  }
};
