/**
 * The checksum of a document's content: a CRC-32, as a signed 32-bit number, which MongoDB stores as an integer. It does not
 * depend on the order of the fields. A null or an empty list adds nothing, because a stand-in for MongoDB leaves them out.
 */
import { crc32 } from 'node:zlib';

export const contentSum = (content: object): number => textSum(canonical(content));

export const textSum = (text: string): number => crc32(text) | 0;

/** The content as text, with the fields in the order of their names. */
const canonical = (value: unknown): string => {
  if (Array.isArray(value)) return `[${value.map(canonical)}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const content: Readonly<Record<string, unknown>> = { ...value };
  let text = '';
  for (const name of Object.keys(content).sort()) {
    const part = content[name];
    if (!isNothing(part)) text += `${JSON.stringify(name)}:${canonical(part)},`;
  }
  return `{${text}}`;
};

const isNothing = (value: unknown): boolean =>
  value === null || value === undefined || (Array.isArray(value) && value.length === 0);
