/**
 * The messages of the streams service that the client generated, under their names. They are CommonJS modules whose
 * names Node cannot see from outside, so this is the one place that takes them apart.
 */
import shared from '@eventstore/db-client/generated/shared_pb.js';
import streams from '@eventstore/db-client/generated/streams_pb.js';

export const { Empty, StreamIdentifier, UUID } = shared;
export const { MaximumAppendSizeExceeded, WrongExpectedVersion } = shared;
export const { AppendReq, BatchAppendReq, ReadReq } = streams;

export type {
  AppendReq as AppendRequest,
  AppendResp as AppendResponse,
  BatchAppendReq as BatchAppendRequest,
  BatchAppendResp as BatchAppendResponse,
  ReadReq as ReadRequest,
  ReadResp as ReadResponse,
} from '@eventstore/db-client/generated/streams_pb.js';

/** Type names of what an in-band answer may carry as its error. */
export const DETAIL = {
  wrongExpectedVersion: 'event_store.client.WrongExpectedVersion',
  streamDeleted: 'event_store.client.StreamDeleted',
  accessDenied: 'event_store.client.AccessDenied',
  timeout: 'event_store.client.Timeout',
  tooLarge: 'event_store.client.MaximumAppendSizeExceeded',
  badRequest: 'event_store.client.BadRequest',
} as const;
