/**
 * What an append says, whichever call carries it: the two calls have messages of their own kinds, which differ in name
 * and in where a revision goes, and in nothing else.
 */
import type { ExpectedRevision } from '../../foundation/event-store/event-store.js';
import type { EncodedEvent } from './codec.js';
import { type AppendReq, type BatchAppendReq, Empty } from './protocol.js';
import { streamIdentifier } from './requests.js';
import { uuid } from './uuids.js';

type AppendOptions = InstanceType<typeof AppendReq.Options> | InstanceType<typeof BatchAppendReq.Options>;
type ProposedMessage =
  | InstanceType<typeof AppendReq.ProposedMessage>
  | InstanceType<typeof BatchAppendReq.ProposedMessage>;

export interface AppendTarget {
  readonly stream: string;
  readonly expected: ExpectedRevision;
}

/** `setRevision` is called when a revision is expected. */
export const fillOptions = (
  options: AppendOptions,
  { stream, expected }: AppendTarget,
  setRevision: (revision: string) => void,
): void => {
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
      setRevision(String(expected));
  }
};

export const fillProposed = (message: ProposedMessage, { id, type, data, metadata }: EncodedEvent): void => {
  message.setId(uuid(id));
  message.getMetadataMap().set('type', type).set('content-type', 'application/json');
  message.setData(data);
  message.setCustomMetadata(metadata);
};
