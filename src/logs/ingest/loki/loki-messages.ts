/** The protobuf message of a push to Loki (source: push.proto of Loki), with the fields that entries need. */
import protobuf from 'protobufjs/light.js';
import { decodedFew, message } from '../protobuf-messages.js';

const root = protobuf.Root.fromJSON({
  nested: {
    PushRequest: message({ streams: 'repeated Stream 1' }),
    Stream: message({ labels: 'string 1', entries: 'repeated Entry 2' }),
    Entry: message({
      timestamp: 'Timestamp 1',
      line: 'string 2',
      structuredMetadata: 'repeated LabelPair 3',
    }),
    Timestamp: message({ seconds: 'int64 1', nanos: 'int32 2' }),
    LabelPair: message({ name: 'string 1', value: 'string 2' }),
  },
});

export const PUSH_REQUEST = root.lookupType('PushRequest');
const ENTRY = root.lookupType('Entry');

/** Throws what decodedFew throws. */
export const decodedPush = (bytes: Uint8Array): object =>
  decodedFew(bytes, { type: PUSH_REQUEST, entry: ENTRY });
