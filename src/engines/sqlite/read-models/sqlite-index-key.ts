/** The key under which a tally has an index: short, and another one when the fields of the index change. */
import { crc32 } from 'node:zlib';

export const indexKey = (index: string, fields: readonly string[]): string =>
  `${index}.${crc32(fields.join()).toString(36)}`;
