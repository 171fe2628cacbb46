/** Reads a body into packed entries, appends them to the store, and frees their memory. */
import type { AppendedEntries, LogStore } from '../../foundation/log-store/log-store.js';
import type { LogSource } from '../../foundation/log-store/sources.js';
import type { EntryReader } from './entry-reader.js';
import type { LogBody } from './log-body.js';
import type { RefusedEntries } from './read-entries.js';

export interface AppendServices {
  readonly reader: EntryReader;
  readonly store: LogStore;
}

export interface BodyToAppend {
  readonly source: LogSource;
  readonly body: LogBody;
  /** The only project that the sender may write into; null: any. */
  readonly onlyProject: string | null;
  /** Whose share of what waits for the disk it takes. */
  readonly tenant: string;
}

export interface IngestedEntries extends AppendedEntries {
  /** Entries that were not written, where the form of the body allows that; null: none. */
  readonly refused: RefusedEntries | null;
}

/**
 * Returns null, and writes nothing, when the unpacked body is too large. Throws what `EntryReader.read` and
 * `LogStore.append` throw.
 */
export const appendBody = async (
  { reader, store }: AppendServices,
  { source, body, onlyProject, tenant }: BodyToAppend,
): Promise<IngestedEntries | null> => {
  const read = await reader.read({
    body,
    scope: { source, onlyProject, now: Date.now() * 1_000 },
  });
  if (read === null) return null;
  const { packed, refused } = read;
  const appended = await store.append(source, packed, tenant);
  reader.release(packed);
  return { ...appended, refused };
};
