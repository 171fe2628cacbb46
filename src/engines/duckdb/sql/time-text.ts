/** Formats of times: each element of the dialect as DuckDB formats it. */
import { type EngineSql, joined, sql } from '../../../foundation/log-store/engine-sql.js';
import {
  type PrintedTimes,
  readFormat,
  type TimeFormatter,
  timePieces,
} from '../../../foundation/log-store/printing.js';
import type { TimePart } from '../../../foundation/log-store/query-operations.js';
import type { TimeFormat } from '../../../foundation/log-store/query-tree.js';
import { textLiteral } from './duckdb-sql.js';

const padded = (local: EngineSql, format: EngineSql): EngineSql =>
  sql`lpad(ltrim(strftime(${local}, ${format}), '0'), 2, ' ')`;

const offset = ({ local, utc }: PrintedTimes, between: EngineSql): EngineSql => {
  const minutes = sql`((epoch_us(${local}) - epoch_us(${utc})) // 60000000)`;
  const two = (value: EngineSql) => sql`lpad(CAST(${value} AS VARCHAR), 2, '0')`;
  return sql`(CASE WHEN ${minutes} < 0 THEN '-' ELSE '+' END || ${two(sql`abs(${minutes}) // 60`)} || ${between} || ${two(sql`abs(${minutes}) % 60`)})`;
};

const FORMATTER: TimeFormatter = {
  same: {
    A: '%A',
    B: '%B',
    M: '%M',
    R: '%H:%M',
    r: '%I:%M:%S %p',
    T: '%H:%M:%S',
    U: '%U',
    W: '%W',
    X: '%H:%M:%S',
    E3S: '%S.%g',
  },
  read: { z: '%z', Ez: '%z', e: '%d' },
  computed: {
    C: ({ local }) => sql`lpad(CAST(year(${local}) // 100 AS VARCHAR), 2, '0')`,
    c: ({ local }) =>
      sql`(strftime(${local}, '%a %b ') || ${padded(local, sql`'%d'`)} || strftime(${local}, ' %H:%M:%S %Y'))`,
    e: ({ local }) => padded(local, sql`'%d'`),
    g: ({ local }) => sql`right(strftime(${local}, '%G'), 2)`,
    k: ({ local }) => sql`lpad(CAST(hour(${local}) AS VARCHAR), 2, ' ')`,
    l: ({ local }) => padded(local, sql`'%I'`),
    P: ({ local }) => sql`lower(strftime(${local}, '%p'))`,
    Q: ({ local }) => sql`CAST(quarter(${local}) AS VARCHAR)`,
    s: ({ utc }) => sql`CAST(epoch_us(date_trunc('second', ${utc})) // 1000000 AS VARCHAR)`,
    z: (times) => offset(times, sql`''`),
    Ez: (times) => offset(times, sql`':'`),
    Z: ({ zoneName }) => textLiteral(zoneName),
    // All significant digits.
    'E*S': ({ local }) => sql`rtrim(rtrim(strftime(${local}, '%S.%f'), '0'), '.')`,
    E0S: ({ local }) => sql`strftime(${local}, '%S')`,
    E1S: ({ local }) => sql`left(strftime(${local}, '%S.%f'), 4)`,
    E2S: ({ local }) => sql`left(strftime(${local}, '%S.%f'), 5)`,
    E4S: ({ local }) => sql`left(strftime(${local}, '%S.%f'), 7)`,
    E5S: ({ local }) => sql`left(strftime(${local}, '%S.%f'), 8)`,
  },
  formatted: (local, format) => sql`strftime(${local}, ${textLiteral(format)})`,
};

/** Formats a time. */
export const timeText = (times: PrintedTimes, format: TimeFormat): EngineSql => {
  const pieces = timePieces(times, format, FORMATTER);
  if (pieces.length === 0) return sql`CASE WHEN ${times.local} IS NOT NULL THEN '' END`;
  return sql`(${joined(pieces, ' || ')})`;
};

/** Reads a time from a text. */
export const timeOfText = (text: EngineSql, format: TimeFormat): EngineSql => {
  return sql`CAST(try_strptime(${text}, ${textLiteral(readFormat(format, FORMATTER))}) AS TIMESTAMP)`;
};

const PARTS: Readonly<Record<TimePart, (at: EngineSql) => EngineSql>> = {
  microsecond: (at) => sql`(microsecond(${at}) % 1000000)`,
  millisecond: (at) => sql`(millisecond(${at}) % 1000)`,
  second: (at) => sql`second(${at})`,
  minute: (at) => sql`minute(${at})`,
  hour: (at) => sql`hour(${at})`,
  dayofweek: (at) => sql`(dayofweek(${at}) + 1)`,
  day: (at) => sql`day(${at})`,
  dayofyear: (at) => sql`dayofyear(${at})`,
  week: (at) => sql`CAST(strftime(${at}, '%U') AS BIGINT)`,
  'week(monday)': (at) => sql`CAST(strftime(${at}, '%W') AS BIGINT)`,
  isoweek: (at) => sql`weekofyear(${at})`,
  month: (at) => sql`month(${at})`,
  quarter: (at) => sql`quarter(${at})`,
  year: (at) => sql`year(${at})`,
  isoyear: (at) => sql`isoyear(${at})`,
};

export const timePart = (part: TimePart, at: EngineSql): EngineSql => sql`CAST(${PARTS[part](at)} AS BIGINT)`;
