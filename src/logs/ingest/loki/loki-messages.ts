/** The protobuf message of a push to Loki (source: push.proto of Loki), with the fields that entries need. */
import protobuf from 'protobufjs/light.js';
import { itemsIn, message } from '../protobuf-messages.js';

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

/** Numbers of the lists of a push: of streams, in each of lines. */
const LISTS = [1, 2] as const;

/** Returns how many lines a push has, without decoding them. Throws what itemsIn throws. */
export const linesIn = (bytes: Uint8Array): number => itemsIn(bytes, LISTS);
