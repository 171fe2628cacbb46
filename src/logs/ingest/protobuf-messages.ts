/** Protobuf messages as short tables of their fields, and limits for what a body of them holds. */
import protobuf, { type IType } from 'protobufjs/light.js';
import { MAX_PARTS, requireFewEntries, requireFewParts } from './log-body.js';

/** `name: 'type number'`, or `'repeated type number'`. */
export const message = (fields: Readonly<Record<string, string>>): IType => ({
  fields: Object.fromEntries(
    Object.entries(fields).map(([name, text]) => {
      const [id = '', type = '', rule] = text.split(' ').reverse();
      return [name, { id: Number(id), type, ...(rule !== undefined && { rule }) }];
    }),
  ),
});

/** A message with one of these fields: a field that has its default, such as `false`, is there all the same. */
export const oneOf = (fields: Readonly<Record<string, string>>): IType => ({
  ...message(fields),
  oneofs: { value: { oneof: Object.keys(fields) } },
});

const LENGTH_DELIMITED = 2;
/** As the decoder has it. */
const MAX_DEPTH = 100;
/** Of a message in another: its tag and its length. */
const LEAST_BYTES = 2;

/** A body of protobuf, and the type of its entries. */
interface BodyType {
  readonly type: protobuf.Type;
  readonly entry: protobuf.Type;
}

/**
 * Returns how many messages of each type are in a body, without decoding them. What is in the entries is left out where the
 * body is too short to have too many messages. Throws an Error for bytes that are no message.
 */
const countsIn = (bytes: Uint8Array, { type, entry }: BodyType): ReadonlyMap<protobuf.Type, number> => {
  const isShort = bytes.length <= LEAST_BYTES * MAX_PARTS;
  const reader = protobuf.Reader.create(bytes);
  const counts = new Map<protobuf.Type, number>();
  const countTo = (end: number, { fieldsById }: protobuf.Type, depth: number): void => {
    if (depth > MAX_DEPTH) throw new Error('it nests too many messages');
    while (reader.pos < end) {
      const tag = reader.uint32();
      const inner = fieldsById[tag >>> 3]?.resolve().resolvedType;
      if ((tag & 7) !== LENGTH_DELIMITED || !(inner instanceof protobuf.Type)) {
        reader.skipType(tag & 7);
        continue;
      }
      counts.set(inner, (counts.get(inner) ?? 0) + 1);
      const length = reader.uint32();
      if (isShort && inner === entry) reader.skip(length);
      else countTo(reader.pos + length, inner, depth + 1);
    }
  };
  countTo(bytes.length, type, 0);
  return counts;
};

/**
 * Decodes a body whose entries are messages of type `entry`. Counts first: an empty message has two bytes in the body, and a
 * hundred in memory. Throws RejectedError `invalid-request` for too many, and another Error for bytes that are not of the type, or
 * that nest more than a hundred messages.
 */
export const decodedFew = (bytes: Uint8Array, body: BodyType): object => {
  const counts = countsIn(bytes, body);
  requireFewEntries(counts.get(body.entry) ?? 0);
  const all = [...counts.values()].reduce((sum, count) => sum + count, 0);
  requireFewParts(all, 'messages', 'protobuf');
  return body.type.decode(bytes);
};
