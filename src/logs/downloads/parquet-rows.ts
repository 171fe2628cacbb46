/**
 * Rows as Parquet. The file is written from the rows of a result, outside the log store, so its engine stays closed: no query can
 * name a file. Row groups are compressed with Snappy.
 */
import { ByteWriter, ParquetWriter } from 'hyparquet-writer';
import type { Json } from '../../foundation/log-store/sources.js';
import type { ResultColumn } from '../sql/compile.js';
import type { RowEncoder } from './row-encoder.js';

type SchemaElement = ConstructorParameters<typeof ParquetWriter>[0]['schema'][number];

/** `written` returns undefined for a value that the type cannot hold. */
interface ColumnType {
  readonly element: Omit<SchemaElement, 'name'>;
  readonly written: (value: Exclude<Json, null>) => unknown;
}

export interface ParquetGroups {
  /** Returns the bytes of a row group; of the first one, with what stands before it. `values`: those of each column. */
  group(values: readonly (readonly Json[])[]): Buffer;
  /** Returns the bytes after the last group. */
  end(): Buffer;
}

/** Each call of `rows` makes a row group. */
export const parquetEncoder = (columns: readonly ResultColumn[]): RowEncoder => {
  const groups = parquetGroups(columns);
  return {
    rows: (rows) => groups.group(columns.map(({ name }) => rows.map((row) => row[name] ?? null))),
    end: () => groups.end(),
  };
};

export const parquetGroups = (columns: readonly ResultColumn[]): ParquetGroups => {
  const bytes = new ByteWriter();
  const schema: SchemaElement[] = [
    { name: 'row', num_children: columns.length },
    ...columns.map(({ name, type }) => ({
      ...TYPES[type].element,
      name,
      repetition_type: 'OPTIONAL' as const,
    })),
  ];
  const writer = new ParquetWriter({ writer: bytes, schema, createdBy: 'podium' });
  const written = (): Buffer => {
    const part = Buffer.from(bytes.getBytes());
    bytes.index = 0;
    return part;
  };
  return {
    group: (values) => {
      const columnData = columns.map(({ name, type }, at) => ({
        name,
        data: (values[at] ?? []).map((value) => writtenAs(name, type, value)),
      }));
      // Without `flush` the writer waits for nothing.
      void writer.write({ columnData, rowGroupSize: values[0]?.length ?? 0 });
      return written();
    },
    end: () => {
      void writer.finish();
      return written();
    },
  };
};

/** Returns the columns with types that hold all values: a column with a value that its own type cannot hold is text. */
export const fittingColumns = (
  columns: readonly ResultColumn[],
  rows: readonly Readonly<Record<string, Json>>[],
): readonly ResultColumn[] =>
  columns.map(({ name, type }) => {
    const fits = rows.every((row) => {
      const value = row[name] ?? null;
      return value === null || TYPES[type].written(value) !== undefined;
    });
    return { name, type: fits ? type : 'string' };
  });

/** Throws RangeError, because a file must not miss a value. */
const writtenAs = (name: string, type: ResultColumn['type'], value: Json): unknown => {
  if (value === null) return null;
  const found = TYPES[type].written(value);
  if (found === undefined) throw new RangeError(`a value of ${name} is no ${type}`);
  return found;
};

const textOf = (value: Json): string => (typeof value === 'string' ? value : JSON.stringify(value));

/** In results, an integer that a double does not hold exactly is text. */
const int64Of = (value: Json): bigint | undefined => {
  if (!/^-?\d+$/.test(textOf(value))) return undefined;
  const integer = BigInt(textOf(value));
  return BigInt.asIntN(64, integer) === integer ? integer : undefined;
};

const NUMBER = /^(?:-?\d+(?:\.\d+)?(?:e[+-]?\d+)?|NaN|-?Infinity)$/i;

const doubleOf = (value: Json): number | undefined =>
  NUMBER.test(textOf(value)) ? Number(textOf(value)) : undefined;

const TIMESTAMP = /^([+-]?\d+-\d\d-\d\dT\d\d:\d\d:\d\d)\.(\d{6})Z$/;

const microsOf = (value: Json): bigint | undefined => {
  const [, seconds = '', micros = ''] = TIMESTAMP.exec(textOf(value)) ?? [];
  const milliseconds = Date.parse(`${seconds}Z`);
  return Number.isNaN(milliseconds) ? undefined : BigInt(milliseconds) * 1_000n + BigInt(micros);
};

const DAY_MS = 86_400_000;

/** Days since 1970. */
const daysOf = (value: Json): number | undefined => {
  const milliseconds = /^\d{4}-\d\d-\d\d$/.test(textOf(value)) ? Date.parse(textOf(value)) : Number.NaN;
  return Number.isNaN(milliseconds) ? undefined : milliseconds / DAY_MS;
};

const STRING: ColumnType = { element: { type: 'BYTE_ARRAY', converted_type: 'UTF8' }, written: textOf };
/** Text rather than Parquet's JSON: for that, the writer copies each value, without its field `__proto__`. */
const JSON_TEXT: ColumnType = { ...STRING, written: (value) => JSON.stringify(value) };

const TYPES: Readonly<Record<ResultColumn['type'], ColumnType>> = {
  boolean: {
    element: { type: 'BOOLEAN' },
    written: (value) => (typeof value === 'boolean' ? value : undefined),
  },
  integer: { element: { type: 'INT64' }, written: int64Of },
  number: { element: { type: 'DOUBLE' }, written: doubleOf },
  timestamp: {
    element: {
      type: 'INT64',
      logical_type: { type: 'TIMESTAMP', isAdjustedToUTC: true, unit: 'MICROS' },
      converted_type: 'TIMESTAMP_MICROS',
    },
    written: microsOf,
  },
  date: { element: { type: 'INT32', converted_type: 'DATE' }, written: daysOf },
  string: STRING,
  interval: STRING,
  null: STRING,
  json: JSON_TEXT,
  record: JSON_TEXT,
  array: JSON_TEXT,
};
