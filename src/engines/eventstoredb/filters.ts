/**
 * A filter of the port as the server's, for subscriptions. The server looks at the stream's name or at the type, never
 * at both. It gets the types when the filter has any, as they are the rarer ones; the adapter checks the rest.
 */
import { eventTypeFilter, type Filter, streamNameFilter } from '@eventstore/db-client';
import type { EventFilter } from '../../foundation/event-store/event-store.js';
import type { EventRecord } from './codec.js';

const ALL_BUT_SYSTEM = '^[^$]';
const NOTHING = '(?!)';

/** `checkpointReached` is called for about every 32 records that the server has looked at. */
export const serverFilter = (
  { types, streamPrefix }: EventFilter,
  checkpointReached: NonNullable<Filter['checkpointReached']>,
): Filter => {
  if (types) return eventTypeFilter({ regex: typesRegex(types), checkpointReached });
  if (streamPrefix) return streamNameFilter({ prefixes: [streamPrefix], checkpointReached });
  return eventTypeFilter({ regex: ALL_BUT_SYSTEM, checkpointReached });
};

/** Holds the store's id. No stream of Podium can have this name: theirs have a `/`. */
export const STORE_ID_STREAM = 'podium-event-store';

/** Whether the filter lets the record through. Records of the server itself and of the store's id never pass. */
export const passes = (
  { type, streamId }: EventRecord,
  { types, streamPrefix = '' }: EventFilter,
): boolean => {
  const isSystem = type.startsWith('$') || streamId === STORE_ID_STREAM;
  return !isSystem && (types?.includes(type) ?? true) && streamId.startsWith(streamPrefix);
};

const typesRegex = (types: readonly string[]): string =>
  types.length === 0 ? NOTHING : `^(?:${types.map(escaped).join('|')})$`;

const escaped = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|#\s]/g, '\\$&');
