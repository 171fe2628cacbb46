/** Reads a body into packed entries, appends them to the store, and frees their memory. */
import { RejectedError } from '../../domain/rejections.js';
import type { AppendedEntries, LogStore } from '../../foundation/log-store/log-store.js';
import type { LogSource } from '../../foundation/log-store/sources.js';
import type { EntryReader } from './entry-reader.js';
import type { LogBody } from './log-body.js';
import type { QuotaMeter } from './quota-meter.js';
import type { RefusedEntries } from './read-entries.js';

export interface AppendServices {
  readonly reader: EntryReader;
  readonly store: LogStore;
  /** Missing: no quota holds. */
  readonly quotas?: Pick<QuotaMeter, 'take'>;
  /** Called with the entries of a body that broke a rule. */
  readonly onRefused?: (refused: RefusedEntries) => void;
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
 * Returns null, and writes nothing, when the unpacked body is too large. Throws RejectedError `log-entries`,
 * `token-project`, and what `EntryReader.read`, `QuotaMeter.take` and `LogStore.append` throw.
 */
export const appendBody = async (
  { reader, store, quotas, onRefused }: AppendServices,
  { source, body, onlyProject, tenant }: BodyToAppend,
): Promise<IngestedEntries | null> => {
  const now = Date.now();
  const read = await reader.read({ body, scope: { source, onlyProject, now: now * 1_000 } });
  if (read === null) return null;
  if (read.refused !== null) onRefused?.(read.refused);
  if (read.packed === null) throw new RejectedError(read.rejection);
  const { packed, refused } = read;
  const taken = await quotas?.take(source, packed.owned, now);
  const appended = await store.append(source, packed, tenant).catch((error: unknown) => {
    taken?.release();
    throw error;
  });
  taken?.keep(appended.accepted);
  reader.release(packed);
  return { ...appended, refused };
};
