/**
 * The checksum of a document's content: a CRC-32, as a signed 32-bit number, which MongoDB adds up exactly. It does not
 * depend on the order of the fields. A null or an empty list adds nothing, because a stand-in for MongoDB leaves them out.
 */
import { crc32 } from 'node:zlib';

export const contentSum = (content: object): number => textSum(JSON.stringify(canonical(content)));

export const textSum = (text: string): number => crc32(text) | 0;

/** The same content as lists of entries in the order of their names. */
const canonical = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(canonical);
  if (typeof value !== 'object' || value === null) return value;
  return Object.entries(value)
    .filter(([, part]) => !isNothing(part))
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, part]) => [name, canonical(part)]);
};

const isNothing = (value: unknown): boolean =>
  value === null || value === undefined || (Array.isArray(value) && value.length === 0);
