/** Reads a push to Loki, in JSON or protobuf, into its streams. Throws RejectedError `invalid-request` for any other body. */
import { RejectedError } from '../../../domain/rejections.js';
import { messageOf as errorMessageOf } from '../../../foundation/basics/error-message.js';
import { invalidRequest } from '../../../http/problems/invalid-request.js';
import { parsedJson, requireFewEntries } from '../log-body.js';
import { integerOf, listOf, type Message, messageOf, textOf } from '../otlp/otlp-fields.js';
import { labelsOf } from './label-text.js';
import { decodedPush } from './loki-messages.js';

/** Texts by name. */
export type Labels = ReadonlyMap<string, string>;

export interface PushedLine {
  /** Nanoseconds since 1970; null: not given. */
  readonly time: bigint | null;
  readonly line: string;
  readonly structuredMetadata: Labels;
}

export interface PushedStream {
  readonly labels: Labels;
  readonly lines: readonly PushedLine[];
}

/** Loki counts time in 64 bits with a sign. */
const LAST_TIME = (1n << 63n) - 1n;
const NO_LABELS: Labels = new Map();

export const streamsOf = (bytes: Uint8Array, encoding: 'json' | 'protobuf'): readonly PushedStream[] =>
  encoding === 'json' ? fromJson(bytes) : fromProtobuf(bytes);

const fromProtobuf = (bytes: Uint8Array): readonly PushedStream[] =>
  listOf(decoded(bytes), 'streams').map((stream, index) => {
    const labels = labelsOf(textOf(stream, 'labels') ?? '');
    if (labels === null) throw refused(`streams[${index}].labels`, 'must be labels such as {job="web"}');
    const lines = listOf(stream, 'entries').map((entry, at) =>
      decodedLine(entry, `streams[${index}].entries[${at}]`),
    );
    return { labels, lines };
  });

const decoded = (bytes: Uint8Array): Message => {
  try {
    return decodedPush(bytes);
  } catch (error) {
    if (error instanceof RejectedError) throw error;
    throw refused('body', `is no push in protobuf: ${errorMessageOf(error)}`);
  }
};

const decodedLine = (entry: Message, place: string): PushedLine => {
  const timestamp = messageOf(entry, 'timestamp');
  const seconds = integerOf(timestamp, 'seconds');
  const nanos = integerOf(timestamp, 'nanos');
  const isGiven = seconds !== null || nanos !== null;
  const time = isGiven ? timeIn((seconds ?? 0n) * 1_000_000_000n + (nanos ?? 0n), place) : null;
  const pairs = listOf(entry, 'structuredMetadata').map((pair): [string, string] => [
    textOf(pair, 'name') ?? '',
    textOf(pair, 'value') ?? '',
  ]);
  return { time, line: textOf(entry, 'line') ?? '', structuredMetadata: new Map(pairs) };
};

const fromJson = (bytes: Uint8Array): readonly PushedStream[] => {
  const parsed = parsedJson(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString());
  if (parsed instanceof SyntaxError) throw refused('body', `is no JSON: ${parsed.message}`);
  const { streams } = recordIn(parsed.value, 'body');
  const given = listIn(streams, 'streams').map((value, index) => {
    const place = `streams[${index}]`;
    const { stream, values } = recordIn(value, place);
    return { place, stream, values: listIn(values, `${place}.values`) };
  });
  requireFewEntries(given.reduce((sum, { values }) => sum + values.length, 0));
  return given.map(({ place, stream, values }) => ({
    labels: labelsIn(stream, `${place}.stream`),
    lines: values.map((item, at) => parsedLine(item, `${place}.values[${at}]`)),
  }));
};

/** `[time, line]`, or with structured metadata as a third. */
const parsedLine = (value: unknown, place: string): PushedLine => {
  const [time, line, metadata] = listIn(value, place);
  if (typeof time !== 'string' || !/^\d{1,19}$/.test(time))
    throw refused(`${place}[0]`, 'must be nanoseconds since 1970, as text');
  if (typeof line !== 'string') throw refused(`${place}[1]`, 'must be text');
  const structuredMetadata = metadata === undefined ? NO_LABELS : labelsIn(metadata, `${place}[2]`);
  return { time: timeIn(BigInt(time), `${place}[0]`), line, structuredMetadata };
};

const timeIn = (nanos: bigint, place: string): bigint => {
  if (nanos >= 0n && nanos <= LAST_TIME) return nanos;
  throw refused(place, 'must have a time from 1970 to 2262');
};

const recordIn = (value: unknown, place: string): Readonly<Record<string, unknown>> => {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return { ...value };
  throw refused(place, 'must be an object');
};

const listIn = (value: unknown, place: string): readonly unknown[] => {
  if (Array.isArray(value)) return value;
  throw refused(place, 'must be an array');
};

const labelsIn = (value: unknown, place: string): Labels =>
  new Map(
    Object.entries(recordIn(value, place)).map(([name, text]): [string, string] => {
      if (typeof text === 'string') return [name, text];
      throw refused(`${place}.${name}`, 'must be text');
    }),
  );

const refused = (field: string, says: string) =>
  invalidRequest([{ field, rule: 'loki', message: `${field === 'body' ? 'the body' : field} ${says}` }]);
