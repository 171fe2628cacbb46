/** The events of a query that an account has saved in the log explorer under a name. */
import type { EventKinds } from '../../domain/decider.js';
import type { StreamCategory } from '../../domain/streams.js';

/** Keyed by the name. */
export const savedQueryStream: StreamCategory<string> = { name: 'saved-log-query', id: 'text' };

export type SavedQueryEvent =
  /** `address`: the query as the address of the explorer has it, such as `endpoint=logs.all&lql=error`. */
  | { readonly type: 'LogQuerySaved'; readonly data: { readonly address: string } }
  | { readonly type: 'SavedLogQueryRemoved'; readonly data: Record<string, never> };

export const savedQueryEvents: EventKinds<SavedQueryEvent> = {
  LogQuerySaved: 'control',
  SavedLogQueryRemoved: 'control',
};
