/** The requests of the streams service, put together from what the port knows. */
import type { ReadReq } from '@eventstore/db-client/generated/streams_pb.js';
import streams from '@eventstore/db-client/generated/streams_pb.js';
import type { EventFilter, Position, ReadStreamOptions } from '../../foundation/event-store/event-store.js';
import { filterOptions } from './filters.js';
import { Empty, ReadReq as ReadRequest, StreamIdentifier } from './protocol.js';

const { Options } = streams.ReadReq;
const FORWARDS = Options.ReadDirection.FORWARDS;
const BACKWARDS = Options.ReadDirection.BACKWARDS;
const EVERYTHING = Number.MAX_SAFE_INTEGER;
const toUtf8 = new TextEncoder();

export type Direction = 'forwards' | 'backwards';

export const streamIdentifier = (stream: string) => {
  const identifier = new StreamIdentifier();
  identifier.setStreamName(toUtf8.encode(stream));
  return identifier;
};

export const readStreamRequest = (
  stream: string,
  { from, direction = 'forwards', limit = EVERYTHING }: ReadStreamOptions,
): ReadReq => {
  const place = new Options.StreamOptions();
  place.setStreamIdentifier(streamIdentifier(stream));
  if (from !== undefined) place.setRevision(String(from));
  else if (direction === 'forwards') place.setStart(new Empty());
  else place.setEnd(new Empty());
  const options = commonOptions(direction);
  options.setStream(place);
  options.setCount(String(limit));
  options.setNoFilter(new Empty());
  return request(options);
};

export interface ReadAllRange {
  /** Inclusive. Null: the beginning (forwards) or the end (backwards). */
  readonly from: Position | null;
  readonly direction: Direction;
  readonly count: number;
  /** Null: every record, the server's own too. */
  readonly filter: EventFilter | null;
}

export const readAllRequest = ({ from, direction, count, filter }: ReadAllRange): ReadReq => {
  const options = commonOptions(direction);
  options.setAll(placeInAll(from, direction));
  options.setCount(String(count));
  if (filter) options.setFilter(filterOptions(filter, 1));
  else options.setNoFilter(new Empty());
  return request(options);
};

/** `after` 0: from the beginning. */
export const subscribeRequest = (after: Position, filter: EventFilter): ReadReq => {
  const options = commonOptions('forwards');
  options.setAll(placeInAll(after === 0 ? null : after, 'forwards'));
  options.setSubscription(new Options.SubscriptionOptions());
  options.setFilter(filterOptions(filter, 1));
  return request(options);
};

const placeInAll = (from: Position | null, direction: Direction): ReadReq.Options.AllOptions => {
  const place = new Options.AllOptions();
  if (from === null) {
    if (direction === 'forwards') place.setStart(new Empty());
    else place.setEnd(new Empty());
    return place;
  }
  const position = new Options.Position();
  position.setCommitPosition(String(from));
  position.setPreparePosition(String(from));
  place.setPosition(position);
  return place;
};

const commonOptions = (direction: Direction): ReadReq.Options => {
  const options = new Options();
  const ids = new Options.UUIDOption();
  ids.setString(new Empty());
  options.setUuidOption(ids);
  options.setResolveLinks(false);
  options.setReadDirection(direction === 'forwards' ? FORWARDS : BACKWARDS);
  return options;
};

const request = (options: ReadReq.Options): ReadReq => {
  const whole = new ReadRequest();
  whole.setOptions(options);
  return whole;
};
