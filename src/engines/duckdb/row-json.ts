/**
 * Writes the engine's values as JSON text, by the type of the column. Times are ISO 8601 with microseconds and Z. JSON
 * columns are copied unparsed, but not those that nest too deep for those that parse them. A number that a double cannot hold
 * exactly becomes text.
 */
import {
  DuckDBArrayType,
  DuckDBArrayValue,
  DuckDBBlobValue,
  DuckDBListType,
  DuckDBListValue,
  DuckDBMapType,
  DuckDBMapValue,
  DuckDBStructType,
  DuckDBStructValue,
  DuckDBTimestampMillisecondsValue,
  DuckDBTimestampNanosecondsValue,
  DuckDBTimestampSecondsValue,
  DuckDBTimestampTZValue,
  DuckDBTimestampValue,
  type DuckDBType,
  DuckDBTypeId,
  type DuckDBValue,
} from '@duckdb/node-api';
import { nestingFault } from '../../foundation/log-store/nested-json.js';
import { EngineFailure } from './engine-failure.js';

/** JSON text of one value. */
type Writer = (value: DuckDBValue) => string;

export const jsonWriter = (type: DuckDBType): Writer => {
  const write = writerOf(type);
  return (value) => (value === null ? 'null' : write(value));
};

const writerOf = (type: DuckDBType): Writer => {
  if (type instanceof DuckDBListType || type instanceof DuckDBArrayType) return listWriter(type.valueType);
  if (type instanceof DuckDBStructType) return structWriter(type);
  if (type instanceof DuckDBMapType) return mapWriter(type);
  if (type.typeId === DuckDBTypeId.VARCHAR && type.alias === 'JSON') return shallowJson;
  return scalarJson;
};

/** Throws EngineFailure when the JSON nests too deep. */
const shallowJson: Writer = (value) => {
  const text = String(value);
  const fault = nestingFault(text);
  if (fault !== null) throw new EngineFailure('value', fault);
  return text;
};

const listWriter = (of: DuckDBType): Writer => {
  const write = jsonWriter(of);
  return (value) =>
    value instanceof DuckDBListValue || value instanceof DuckDBArrayValue
      ? `[${value.items.map(write).join(',')}]`
      : scalarJson(value);
};

const structWriter = (type: DuckDBStructType): Writer => {
  const fields = type.entryNames.map((name, index) => ({
    name,
    key: JSON.stringify(name),
    write: jsonWriter(type.entryTypes[index] ?? type),
  }));
  return (value) =>
    value instanceof DuckDBStructValue
      ? `{${fields.map(({ name, key, write }) => `${key}:${write(value.entries[name] ?? null)}`).join(',')}}`
      : scalarJson(value);
};

const mapWriter = (type: DuckDBMapType): Writer => {
  const write = jsonWriter(type.valueType);
  return (value) =>
    value instanceof DuckDBMapValue
      ? `{${value.entries.map(({ key, value: of }) => `${JSON.stringify(String(key))}:${write(of)}`).join(',')}}`
      : scalarJson(value);
};

const scalarJson: Writer = (value) => {
  if (typeof value === 'string') return JSON.stringify(value);
  if (typeof value === 'boolean') return String(value);
  if (typeof value === 'number') return Number.isFinite(value) ? JSON.stringify(value) : `"${value}"`;
  if (typeof value === 'bigint') return exactInteger(value);
  const micros = microsOf(value);
  if (micros !== null) return `"${isoMicros(micros)}"`;
  if (value instanceof DuckDBBlobValue) return JSON.stringify(Buffer.from(value.bytes).toString('base64'));
  return exactNumber(String(value));
};

const exactInteger = (value: bigint): string =>
  value >= Number.MIN_SAFE_INTEGER && value <= Number.MAX_SAFE_INTEGER ? String(value) : `"${value}"`;

/** A decimal stays a number when a double holds it exactly. Other values (times of day, intervals) are text. */
const exactNumber = (text: string): string => {
  if (!/^-?\d+(\.\d+)?$/.test(text)) return JSON.stringify(text);
  const plain = text.includes('.') ? text.replace(/\.?0+$/, '') : text;
  return String(Number(plain)) === plain ? plain : JSON.stringify(text);
};

const microsOf = (value: DuckDBValue): bigint | null => {
  if (value instanceof DuckDBTimestampValue || value instanceof DuckDBTimestampTZValue) return value.micros;
  if (value instanceof DuckDBTimestampMillisecondsValue) return value.millis * 1_000n;
  if (value instanceof DuckDBTimestampSecondsValue) return value.seconds * 1_000_000n;
  if (value instanceof DuckDBTimestampNanosecondsValue) return value.nanos / 1_000n;
  return null;
};

const INFINITE = 9_223_372_036_854_775_807n;

const isoMicros = (micros: bigint): string => {
  if (micros === INFINITE || micros === -INFINITE) return micros > 0n ? 'infinity' : '-infinity';
  const fraction = ((micros % 1_000_000n) + 1_000_000n) % 1_000_000n;
  const whole = new Date(Number((micros - fraction) / 1_000n));
  if (Number.isNaN(whole.getTime())) return String(micros);
  return `${whole.toISOString().slice(0, -5)}.${String(fraction).padStart(6, '0')}Z`;
};
