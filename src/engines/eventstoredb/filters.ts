/**
 * A filter of the port as the server's, which looks at the stream's name or at the type but never at both: types are
 * asked of the server when there are any, as they are the rarer ones, and the rest is looked at here. Records of the
 * server's own, and that of the store's id, never pass.
 */
import type { ReadReq } from '@eventstore/db-client/generated/streams_pb.js';
import streams from '@eventstore/db-client/generated/streams_pb.js';
import type { EventFilter } from '../../foundation/event-store/event-store.js';
import { type EventRecord, streamOf, typeOf } from './codec.js';
import { Empty } from './protocol.js';

const { FilterOptions } = streams.ReadReq.Options;
const ALL_BUT_SYSTEM = '^[^$]';
const NOTHING = '(?!)';

/** `checkpoints`: how many windows of 32 records the server looks through before it says how far it has come. */
export const filterOptions = (filter: EventFilter, checkpoints: number): ReadReq.Options.FilterOptions => {
  const options = new FilterOptions();
  const expression = new FilterOptions.Expression();
  const { types, streamPrefix } = filter;
  if (types || !streamPrefix) {
    expression.setRegex(types ? typesRegex(types) : ALL_BUT_SYSTEM);
    options.setEventType(expression);
  } else {
    expression.setPrefixList([streamPrefix]);
    options.setStreamIdentifier(expression);
  }
  options.setCount(new Empty());
  options.setCheckpointintervalmultiplier(checkpoints);
  return options;
};

/** Holds the store's id. No stream of Podium can have this name: theirs have a `/`. */
export const STORE_ID_STREAM = 'podium-event-store';

/** Whether the filter lets the record through, whichever part of it the server has looked at. */
export const passes = (record: EventRecord, { types, streamPrefix = '' }: EventFilter): boolean => {
  const type = typeOf(record);
  const stream = streamOf(record);
  const isSystem = type.startsWith('$') || stream === STORE_ID_STREAM;
  return !isSystem && (types?.includes(type) ?? true) && stream.startsWith(streamPrefix);
};

const typesRegex = (types: readonly string[]): string =>
  types.length === 0 ? NOTHING : `^(?:${types.map(escaped).join('|')})$`;

const escaped = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|#\s]/g, '\\$&');
