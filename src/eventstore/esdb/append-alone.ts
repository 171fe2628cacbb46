/** An append on a call of its own, as servers before 21.10 want it, which know no batches. */
import type { ExpectedRevision } from '../event-store.js';
import type { AppendAnswer, AppendRequestParts } from './batch-appends.js';
import { type EncodedEvent, positionOf } from './codec.js';
import type { EsdbClient } from './esdb-client.js';
import { failureOf } from './failures.js';
import { AppendReq, type AppendRequest, type AppendResponse, Empty } from './protocol.js';
import { streamIdentifier } from './requests.js';
import { uuid } from './uuids.js';

/** Throws EsdbFailure. */
export const appendAlone = async (
  client: EsdbClient,
  { stream, expected, events }: AppendRequestParts,
  timeoutMs: number,
): Promise<AppendAnswer> => {
  try {
    return answerOf(await client.appendAlone([header(stream, expected), ...events.map(proposed)], timeoutMs));
  } catch (error) {
    throw failureOf(error);
  }
};

const answerOf = (response: AppendResponse): AppendAnswer => {
  const conflict = response.getWrongExpectedVersion();
  if (conflict) {
    return {
      ok: false,
      actual: conflict.hasCurrentRevision() ? Number(conflict.getCurrentRevision()) : 'no_stream',
    };
  }
  const success = response.getSuccess();
  const position = success?.getPosition()?.getCommitPosition();
  return {
    ok: true,
    revision: Number(success?.getCurrentRevision()),
    position: position === undefined ? null : positionOf(position),
  };
};

const header = (stream: string, expected: ExpectedRevision): AppendRequest => {
  const options = new AppendReq.Options();
  options.setStreamIdentifier(streamIdentifier(stream));
  switch (expected) {
    case 'no_stream':
      options.setNoStream(new Empty());
      break;
    case 'stream_exists':
      options.setStreamExists(new Empty());
      break;
    case 'any':
      options.setAny(new Empty());
      break;
    default:
      options.setRevision(String(expected));
  }
  const request = new AppendReq();
  request.setOptions(options);
  return request;
};

const proposed = ({ id, type, data, metadata }: EncodedEvent): AppendRequest => {
  const message = new AppendReq.ProposedMessage();
  message.setId(uuid(id));
  message.getMetadataMap().set('type', type).set('content-type', 'application/json');
  message.setData(data);
  message.setCustomMetadata(metadata);
  const request = new AppendReq();
  request.setProposedMessage(message);
  return request;
};
