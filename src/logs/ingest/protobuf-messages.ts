/** Protobuf messages as short tables of their fields, and how many items are in their lists. */
import protobuf, { type IType } from 'protobufjs/light.js';

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

/**
 * Returns how many items are in lists within lists, without decoding them. `lists`: the numbers of their fields, the outermost
 * first. Throws an Error for bytes that are no message.
 */
export const itemsIn = (bytes: Uint8Array, lists: readonly number[]): number => {
  const reader = protobuf.Reader.create(bytes);
  const countTo = (end: number, [list, ...inner]: readonly number[]): number => {
    let count = 0;
    while (reader.pos < end) {
      const tag = reader.uint32();
      if (tag !== ((list ?? 0) << 3) + LENGTH_DELIMITED) {
        reader.skipType(tag & 7);
        continue;
      }
      const length = reader.uint32();
      if (inner.length > 0) count += countTo(reader.pos + length, inner);
      else {
        reader.skip(length);
        count++;
      }
    }
    return count;
  };
  return countTo(bytes.length, lists);
};
