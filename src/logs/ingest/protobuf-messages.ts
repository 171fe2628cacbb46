/** Protobuf messages as short tables of their fields. */
import type { IType } from 'protobufjs/light.js';

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
