/** What a log record and a span of OpenTelemetry share as entries. */
import type { Json, JsonRecord } from '../../../foundation/log-store/sources.js';
import { hexOf, type Message } from './otlp-fields.js';

/** An entry before the rules: its id and time may be missing. */
export interface OtlpEntry {
  readonly id: string | null;
  /** Nanoseconds since 1970. */
  readonly timestamp: bigint | null;
  readonly event_message: string;
  readonly metadata: JsonRecord;
}

export const traceIdOf = (message: Message): string | null => hexOf(message, 'traceId', 16);

export const spanIdOf = (message: Message, name = 'spanId'): string | null => hexOf(message, name, 8);

/** ISO 8601 with microseconds. */
export const isoTimeOf = (nanos: bigint | null): string | null => {
  if (nanos === null) return null;
  const micros = String((nanos / 1_000n) % 1_000n).padStart(3, '0');
  return new Date(Number(nanos / 1_000_000n)).toISOString().replace('Z', `${micros}Z`);
};

/** Leaves out what is null or empty. */
export const given = (fields: JsonRecord): JsonRecord => {
  // A third of the time of Object.fromEntries. The names are ours, so none is `__proto__`.
  const kept: Record<string, Json> = {};
  for (const name of Object.keys(fields)) {
    const value = fields[name];
    if (value !== undefined && isGiven(value)) kept[name] = value;
  }
  return kept;
};

const isGiven = (value: Json): boolean =>
  typeof value === 'object' ? value !== null && Object.keys(value).length > 0 : true;
