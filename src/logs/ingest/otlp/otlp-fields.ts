/**
 * Reads the fields of OTLP messages, decoded from protobuf or parsed from JSON, which write the same value differently. A
 * field that is absent or null has its default. Throws RejectedError `invalid-request` for a value of another type.
 */
import type { Json } from '../../../foundation/log-store/sources.js';
import { invalidRequest } from '../../../http/problems/invalid-request.js';
import { MAX_METADATA_DEPTH } from '../entry-rules.js';

/** A message as protobufjs decodes it, or as JSON has it. */
export type Message = object;

const NO_MESSAGE: Message = {};

/** The decoded messages have the defaults of absent fields in their prototype. */
const fieldOf = (message: Message, name: string): unknown => {
  const value: unknown = Object.hasOwn(message, name) ? Reflect.get(message, name) : undefined;
  return value === null ? undefined : value;
};

const wrong = (name: string, what: string) =>
  invalidRequest([{ field: name, rule: 'otlp', message: `${name} must be ${what}` }]);

const isMessage = (value: unknown): value is Message =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export const messageIn = (value: unknown, name: string): Message => {
  if (isMessage(value)) return value;
  throw wrong(name, 'an object');
};

export const messageOf = (message: Message, name: string): Message => {
  const value = fieldOf(message, name);
  return value === undefined ? NO_MESSAGE : messageIn(value, name);
};

export const listOf = (message: Message, name: string): readonly Message[] => {
  const value = fieldOf(message, name);
  if (value === undefined) return [];
  if (!Array.isArray(value)) throw wrong(name, 'an array');
  return value.map((item) => messageIn(item, name));
};

/** Returns null for the empty text, which is the default. */
export const textOf = (message: Message, name: string): string | null => {
  const value = fieldOf(message, name);
  if (value === undefined || value === '') return null;
  if (typeof value === 'string') return value;
  throw wrong(name, 'text');
};

/** Returns null for 0, which is the default. */
export const integerOf = (message: Message, name: string): bigint | null => {
  const value = fieldOf(message, name);
  const integer = value === undefined ? 0n : bigintIn(value);
  if (integer === null) throw wrong(name, 'an integer');
  return integer === 0n ? null : integer;
};

/** Nanoseconds since 1970; null: not known. */
export const nanosOf = (message: Message, name: string): bigint | null => {
  const nanos = integerOf(message, name);
  if (nanos === null || (nanos > 0n && nanos < 1n << 64n)) return nanos;
  throw wrong(name, 'nanoseconds since 1970');
};

/** protobufjs gives 64-bit integers in two halves. JSON has them as text or as a number. */
const bigintIn = (value: unknown): bigint | null => {
  if (typeof value === 'number') return Number.isInteger(value) ? BigInt(value) : null;
  if (typeof value === 'string') return /^-?\d{1,20}$/.test(value) ? BigInt(value) : null;
  if (!isMessage(value)) return null;
  if (!('high' in value && 'low' in value && 'unsigned' in value)) return null;
  const { high, low, unsigned } = value;
  if (typeof high !== 'number' || typeof low !== 'number') return null;
  return (BigInt(unsigned === true ? high >>> 0 : high) << 32n) | BigInt(low >>> 0);
};

/** Returns lower-case hex; null when the id is absent, not of so many bytes, or all zeros, which means that there is none. */
export const hexOf = (message: Message, name: string, bytes: number): string | null => {
  const value = fieldOf(message, name);
  const isBytes = value instanceof Uint8Array;
  if (value !== undefined && !isBytes && typeof value !== 'string') throw wrong(name, 'hex text');
  return idIn(isBytes ? Buffer.from(value).toString('hex') : (value ?? '').toLowerCase(), bytes);
};

export const idIn = (hex: string, bytes: number): string | null =>
  hex.length === 2 * bytes && /^[0-9a-f]*$/.test(hex) && /[^0]/.test(hex) ? hex : null;

/** Returns attributes by their names; of two with one name the last. */
export const attributesOf = (message: Message): ReadonlyMap<string, Json> => {
  const attributes = new Map<string, Json>();
  for (const pair of listOf(message, 'attributes')) attributes.set(...pairOf(pair, 1));
  return attributes;
};

/** An attribute is a pair at depth 1. */
export const pairOf = (pair: Message, depth: number): [string, Json] => [
  textOf(pair, 'key') ?? '',
  jsonOf(messageOf(pair, 'value'), depth),
];

/** Returns an AnyValue as JSON; null: it is empty. */
export const jsonOf = (value: Message, depth = 0): Json => {
  if (depth > MAX_METADATA_DEPTH) throw wrong('value', `nested at most ${MAX_METADATA_DEPTH} levels`);
  const text = fieldOf(value, 'stringValue');
  if (text !== undefined) return textOf(value, 'stringValue') ?? '';
  const flag = fieldOf(value, 'boolValue');
  if (typeof flag === 'boolean') return flag;
  if (flag !== undefined) throw wrong('boolValue', 'true or false');
  if (fieldOf(value, 'intValue') !== undefined) return jsonInteger(integerOf(value, 'intValue') ?? 0n);
  const double = fieldOf(value, 'doubleValue');
  if (double !== undefined) return jsonDouble(double);
  if (fieldOf(value, 'arrayValue') !== undefined)
    return listOf(messageOf(value, 'arrayValue'), 'values').map((item) => jsonOf(item, depth + 1));
  if (fieldOf(value, 'kvlistValue') !== undefined)
    return Object.fromEntries(
      listOf(messageOf(value, 'kvlistValue'), 'values').map((pair) => pairOf(pair, depth + 1)),
    );
  const bytes = fieldOf(value, 'bytesValue');
  return bytes === undefined ? null : base64(bytes);
};

/** Integers that a double does not hold stay exact as text. */
const jsonInteger = (value: bigint): Json => {
  const number = Number(value);
  return Number.isSafeInteger(number) ? number : String(value);
};

/** JSON has no number for `NaN`, `Infinity` and `-Infinity`; OTLP writes them as these texts. */
const jsonDouble = (value: unknown): Json => {
  const isText = typeof value === 'string' && /^(NaN|-?Infinity|-?\d[\d.]*(?:[eE][+-]?\d+)?)$/.test(value);
  if (typeof value !== 'number' && !isText) throw wrong('doubleValue', 'a number');
  const number = Number(value);
  return Number.isFinite(number) ? number : String(number);
};

/** JSON may have either alphabet, padded or not. */
const base64 = (value: unknown): string => {
  if (value instanceof Uint8Array) return Buffer.from(value).toString('base64');
  if (typeof value === 'string') return Buffer.from(value, 'base64').toString('base64');
  throw wrong('bytesValue', 'base64 text');
};
