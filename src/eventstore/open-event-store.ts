/**
 * Opens the event store that a URL names. The scheme chooses the adapter; everything else knows only the port.
 */
import { mkdir } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { type EventStore, EventStoreUnavailableError } from './event-store.js';
import { SqliteEventStore } from './sqlite-event-store.js';

export interface OpenEventStoreOptions {
  /** Reads and subscribes only, as other threads of the process do: no writer is started. */
  readonly readOnly?: boolean;
}

/** `sqlite:PATH`; the folder and the file are made when there are none. Throws EventStoreUnavailableError with one line. */
export const openEventStore = async (url: string, options: OpenEventStoreOptions = {}): Promise<EventStore> =>
  openSqliteEventStore(url, options);

/** The same, where what only the embedded store can do (`backup`) is wanted. */
export const openSqliteEventStore = async (
  url: string,
  options: OpenEventStoreOptions = {},
): Promise<SqliteEventStore> => {
  const [, file] = /^sqlite:(.+)$/.exec(url) ?? [];
  if (file === undefined)
    throw new EventStoreUnavailableError(`${url} names no event store; it may be sqlite:PATH`);
  const path = resolve(file);
  try {
    await mkdir(dirname(path), { recursive: true });
    return new SqliteEventStore(path, options);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new EventStoreUnavailableError(`cannot open the event store ${path}: ${reason}`, { cause: error });
  }
};
