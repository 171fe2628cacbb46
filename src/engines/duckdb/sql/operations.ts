/**
 * How DuckDB spells the operations of a query tree. An operation writes an argument no more often than OPERATIONS says; a
 * test counts. The guards around some calls keep values from the engine that would fail the query.
 */
import { type EngineSql, integerLiteral, joined, sql } from '../../../foundation/log-store/engine-sql.js';
import { YEARS } from '../../../foundation/log-store/printing.js';
import type { Operation } from '../../../foundation/log-store/query-operations.js';
import { textLiteral } from './duckdb-sql.js';

/** Takes the printed arguments. */
type Spelling = (...args: readonly EngineSql[]) => EngineSql;

const called =
  (name: EngineSql): Spelling =>
  (...args) =>
    sql`${name}(${listed(args)})`;

const listed = (args: readonly EngineSql[]): EngineSql => joined(args, ', ');

const between =
  (sign: EngineSql): Spelling =>
  (left, right) =>
    sql`(${left} ${sign} ${right})`;

/** Computes in a wider type, and gives NULL when the result is too large. */
const wide =
  (sign: EngineSql): Spelling =>
  (left, right) =>
    sql`TRY_CAST(CAST(${left} AS HUGEINT) ${sign} ${right} AS BIGINT)`;

const cast =
  (type: EngineSql): Spelling =>
  (value) =>
    sql`CAST(${value} AS ${type})`;

const tryCast =
  (type: EngineSql): Spelling =>
  (value) =>
    sql`TRY_CAST(${value} AS ${type})`;

/** DuckDB counts characters in 32 bits. No text is longer. */
const MAX_COUNTED_LENGTH = integerLiteral(2 ** 32 - 1);

const count = (characters: EngineSql): EngineSql =>
  sql`least(greatest(${characters}, 0), ${MAX_COUNTED_LENGTH})`;

const sized =
  (name: EngineSql): Spelling =>
  (text, characters) =>
    sql`${name}(${text}, ${count(characters)})`;

const padded =
  (name: EngineSql): Spelling =>
  (text, length, pattern) =>
    sql`${name}(${text}, CAST(${length} AS INTEGER), ${pattern})`;

const substring = (text: EngineSql, at: EngineSql, characters: EngineSql | undefined): EngineSql =>
  characters === undefined ? sql`substr(${text}, ${at})` : sql`substr(${text}, ${at}, ${count(characters)})`;

/** A timestamp with a fraction of three or six digits, or none. */
const timestampText: Spelling = (at) =>
  sql`(strftime(${at}, '%Y-%m-%d %H:%M:%S') || CASE WHEN epoch_us(${at}) % 1000000 = 0 THEN '' WHEN epoch_us(${at}) % 1000 = 0 THEN strftime(${at}, '.%g') ELSE strftime(${at}, '.%f') END || '+00')`;

const isoText = (at: EngineSql): EngineSql => sql`strftime(${at}, '%Y-%m-%dT%H:%M:%S.%fZ')`;

/** Numbers as JSON in the form of results: `1` and not `1.0`, infinities as texts. */
export const numbersAsJson = (numbers: EngineSql): EngineSql =>
  sql`CAST(regexp_replace(regexp_replace(CAST(to_json(${numbers}) AS VARCHAR), '\.0(,|\]|$)', '\1', 'g'), '-?Infinity|NaN', '"\0"', 'g') AS JSON)`;

/** ISO 8601 without seconds. DuckDB requires seconds. */
const WITHOUT_SECONDS = sql`'^(\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2})(Z|[+-]\d{2}(?::?\d{2})?)?$'`;

/** Of the years 1 to 9999. DuckDB also takes `epoch`, `infinity`, other years, and 24:00. */
const TIME_FORM = textLiteral(String.raw`^\s*${YEARS}-\d{1,2}-\d{1,2}(?:[T ](?:[01]?\d|2[0-3]):.*)?$`);

const timestampOfText: Spelling = (text) =>
  sql`timezone('UTC', TRY_CAST(regexp_replace(CASE WHEN regexp_matches(${text}, ${TIME_FORM}) THEN ${text} END, ${WITHOUT_SECONDS}, '\1:00\2') AS TIMESTAMPTZ))`;

/** Decimal or hexadecimal. DuckDB also takes `1_000`, `1e3`, `0b11`, `1.5` and a sign alone. */
const INTEGER = textLiteral(String.raw`^[\s\v]*([-+]?(?:\d+|0[xX][0-9a-fA-F]+))[\s\v]*$`);

/** A pattern of LIKE that ends with an odd number of backslashes, so the last one escapes nothing. */
const OPEN_ESCAPE = textLiteral(String.raw`(?:^|[^\\])(?:\\\\)*\\$`);
/** One character of a pattern, or an escaped one. */
const PART = textLiteral(String.raw`\\[\s\S]|[\s\S]`);

/** As a regular expression: DuckDB's LIKE goes back at each `%`, and takes hours for some texts. */
const matchesLike: Spelling = (text, pattern) => {
  const isValid = sql`length(${pattern}) <= 1000 AND NOT regexp_matches(${pattern}, ${OPEN_ESCAPE})`;
  const part = sql`CASE x WHEN '%' THEN '.*' WHEN '_' THEN '.' ELSE regexp_escape(right(x, 1)) END`;
  const parts = sql`list_transform(regexp_extract_all(${pattern}, ${PART}), lambda x: ${part})`;
  return sql`regexp_full_match(${text}, CASE WHEN ${isValid} THEN array_to_string(${parts}, '') END, 's')`;
};

const inRange = (value: EngineSql, amount: EngineSql, most: number): EngineSql =>
  sql`CAST(CASE WHEN ${amount} BETWEEN ${integerLiteral(-most)} AND ${integerLiteral(most)} THEN ${value} END AS INTEGER)`;

/** `size` is a number that the resolver wrote. */
const microseconds: Spelling = (amount, size) => {
  const most = integerLiteral(Math.min(Math.floor(3.2e17 / Number(size)), Number.MAX_SAFE_INTEGER));
  const bounded = sql`CASE WHEN ${amount} BETWEEN -${most} AND ${most} THEN ${amount} END`;
  return sql`to_microseconds(CAST((${bounded}) AS BIGINT) * ${size})`;
};

const daysAway =
  (sign: EngineSql): Spelling =>
  (date, days) =>
    sql`CASE WHEN abs(${days}) < 4000000 THEN CAST(${date} ${sign} CAST(${days} AS INTEGER) AS DATE) END`;

const startOfWeek: Spelling = (shift, at) =>
  sql`(date_trunc('week', ${at} - to_days(${shift})) + to_days(${shift}))`;

const timestampOfParts = (...[year, month, day, hour, minute, second]: readonly EngineSql[]): EngineSql => {
  const text = (part: EngineSql | undefined, digits = sql`2`) =>
    sql`lpad(CAST(${part ?? sql`0`} AS VARCHAR), ${digits}, '0')`;
  const on = sql`${text(year, sql`4`)} || '-' || ${text(month)} || '-' || ${text(day)}`;
  const at = sql`${text(hour)} || ':' || ${text(minute)} || ':' || ${text(second)}`;
  return sql`TRY_CAST(${on} || ' ' || ${at} AS TIMESTAMP)`;
};

/** A month counts as 28 days, so the limit of a series holds for every month. */
const stepsBetween: Spelling = (from, to, step) => {
  const part = (name: EngineSql) => sql`date_part('${name}', ${step})`;
  const days = sql`${part(sql`year`)} * 336 + ${part(sql`month`)} * 28 + ${part(sql`day`)}`;
  const clock = sql`${part(sql`hour`)} * 3600 + ${part(sql`minute`)} * 60 + ${part(sql`second`)}`;
  const length = sql`abs(${days}) * 86400 + abs(${clock} + ${part(sql`microsecond`)} % 1000000 / 1000000.0)`;
  const way = sql`(CASE WHEN ${step} < to_days(0) THEN -1 ELSE 1 END)`;
  return sql`(${way} * (epoch(${to}) - epoch(${from})) / NULLIF(${length}, 0))`;
};

const ORIGIN = sql`TIMESTAMP '1950-01-01 00:00:00'`;

export const SPELLINGS: Readonly<Record<Operation, Spelling>> = {
  '=': between(sql`=`),
  '<>': between(sql`<>`),
  '<': between(sql`<`),
  '<=': between(sql`<=`),
  '>': between(sql`>`),
  '>=': between(sql`>=`),
  same: between(sql`IS NOT DISTINCT FROM`),
  differs: between(sql`IS DISTINCT FROM`),
  between: (value, low, high) => sql`(${value} BETWEEN ${low} AND ${high})`,
  not: (value) => sql`(NOT ${value})`,
  'is-null': (value) => sql`(${value} IS NULL)`,
  'is-not-null': (value) => sql`(${value} IS NOT NULL)`,
  coalesce: called(sql`COALESCE`),
  error: called(sql`error`),
  'as-text': cast(sql`VARCHAR`),
  'number-as-text': (value) => sql`regexp_replace(CAST(${value} AS VARCHAR), '\.0$', '')`,
  'timestamp-as-text': timestampText,
  'list-as-text': (value) => sql`CAST(to_json(${value}) AS VARCHAR)`,
  'json-as-text': cast(sql`VARCHAR`),
  // DuckDB's own cast also accepts `1`, `t` and `yes`.
  'text-as-boolean': (text) => sql`CASE lower(${text}) WHEN 'true' THEN TRUE WHEN 'false' THEN FALSE END`,
  'text-as-integer': (text) => sql`TRY_CAST(regexp_extract(${text}, ${INTEGER}, 1) AS BIGINT)`,
  'text-as-number': (text) => sql`TRY_CAST(replace(${text}, '_', '?') AS DOUBLE)`,
  // No other number has an A.
  'text-as-ordered-number': (text) => sql`TRY_CAST(translate(${text}, '_aA', '???') AS DOUBLE)`,
  'text-as-timestamp': timestampOfText,
  'stored-as-boolean': tryCast(sql`BOOLEAN`),
  'stored-as-integer': tryCast(sql`BIGINT`),
  'stored-as-number': tryCast(sql`DOUBLE`),
  'stored-as-timestamp': tryCast(sql`TIMESTAMP`),
  'stored-as-date': tryCast(sql`DATE`),
  'integer-as-number': cast(sql`DOUBLE`),
  'number-as-integer': (value) => sql`TRY_CAST(round(${value}) AS BIGINT)`,
  'boolean-as-integer': cast(sql`BIGINT`),
  'sum-as-integer': tryCast(sql`BIGINT`),
  'date-as-timestamp': cast(sql`TIMESTAMP`),
  'timestamp-as-date': cast(sql`DATE`),
  'as-json': called(sql`to_json`),
  'numbers-as-json': numbersAsJson,
  'timestamp-as-json': (at) => sql`to_json(${isoText(at)})`,
  'timestamps-as-json': (list) => sql`to_json(list_transform(${list}, lambda x: ${isoText(sql`x`)}))`,
  // NULL also for forms that only DuckDB accepts: infinities, trailing commas.
  'text-as-json': (text) =>
    sql`TRY_CAST(CASE WHEN NOT regexp_matches(regexp_replace(${text}, '"(?:[^"\\]|\\.)*"', '""', 'g'), '(?i)nan|inf|,\s*[\]}]') THEN ${text} END AS JSON)`,
  'json-array': called(sql`json_array`),
  negate: (value) => sql`(-${value})`,
  add: between(sql`+`),
  subtract: between(sql`-`),
  multiply: between(sql`*`),
  divide: (left, right) => sql`(${left} / NULLIF(${right}, 0))`,
  'add-integers': wide(sql`+`),
  'subtract-integers': wide(sql`-`),
  'multiply-integers': wide(sql`*`),
  'divide-integers': (left, right) => sql`(${left} // NULLIF(${right}, 0))`,
  modulo: (left, right) => sql`(${left} % NULLIF(${right}, 0))`,
  power: called(sql`pow`),
  abs: called(sql`abs`),
  sign: called(sql`sign`),
  round: (value, digits?: EngineSql) =>
    digits === undefined
      ? sql`round(${value})`
      : sql`round(${value}, CAST(least(greatest(${digits}, -300), 300) AS INTEGER))`,
  trunc: called(sql`trunc`),
  ceil: called(sql`ceil`),
  floor: called(sql`floor`),
  exp: called(sql`exp`),
  sqrt: called(sql`sqrt`),
  cbrt: called(sql`cbrt`),
  ln: called(sql`ln`),
  log10: called(sql`log10`),
  log: (value, base) => sql`(ln(${value}) / ln(${base}))`,
  greatest: called(sql`greatest`),
  least: called(sql`least`),
  lower: called(sql`lower`),
  upper: called(sql`upper`),
  length: called(sql`length`),
  'byte-length': called(sql`strlen`),
  reverse: called(sql`reverse`),
  replace: called(sql`replace`),
  substring: (text, at, characters?: EngineSql) =>
    substring(text, sql`least(${at}, ${MAX_COUNTED_LENGTH})`, characters),
  'substring-around': (text, at, characters?: EngineSql) => {
    const isBefore = sql`${at} = 0 OR ${at} < -length(${text})`;
    const from = sql`CASE WHEN ${isBefore} THEN 1 ELSE least(${at}, ${MAX_COUNTED_LENGTH}) END`;
    return substring(text, from, characters);
  },
  left: sized(sql`left`),
  right: sized(sql`right`),
  trim: called(sql`trim`),
  'trim-start': called(sql`ltrim`),
  'trim-end': called(sql`rtrim`),
  'pad-start': padded(sql`lpad`),
  'pad-end': padded(sql`rpad`),
  repeat: called(sql`repeat`),
  position: called(sql`strpos`),
  contains: called(sql`contains`),
  'contains-in-any-case': (text, part) => sql`contains(lower(${text}), lower(${part}))`,
  'starts-with': called(sql`starts_with`),
  'ends-with': called(sql`ends_with`),
  split: called(sql`string_split`),
  'url-host': (text) =>
    sql`NULLIF(lower(regexp_extract(trim(${text}), '^(?:[A-Za-z][A-Za-z0-9+.-]*:)?//(?:[^/?#@]*@)?(\[[^\]/?#]*\]|[^/?#:]*)', 1)), '')`,
  printf: called(sql`printf`),
  matches: called(sql`regexp_matches`),
  'matches-whole': (text, pattern) => sql`regexp_full_match(${text}, ${pattern}, 's')`,
  matched: (text, pattern, group) =>
    sql`CASE WHEN regexp_matches(${text}, ${pattern}) THEN regexp_extract(${text}, ${pattern}, ${group}) END`,
  'all-matched': called(sql`regexp_extract_all`),
  'replace-matched': (text, pattern, by) => sql`regexp_replace(${text}, ${pattern}, ${by}, 'g')`,
  // Fast, and in one pass, where a constant pattern has no other special character.
  'matches-percents': between(sql`LIKE`),
  'matches-like': matchesLike,
  list: (...items) => sql`[${listed(items)}]`,
  'list-length': called(sql`len`),
  'list-element': called(sql`list_extract`),
  'list-start': (list, most) => sql`list_slice(${list}, 1, ${most})`,
  'list-reversed': called(sql`list_reverse`),
  'list-joined': called(sql`array_to_string`),
  flattened: called(sql`flatten`),
  series: called(sql`generate_series`),
  'top-counts': (counts, most) =>
    sql`list_slice(list_sort(list_transform(map_entries(${counts}), lambda x: {n: -CAST(x.value AS BIGINT), v: x.key})), 1, ${most})`,
  'counted-value': (entry) => sql`${entry}.v`,
  'counted-times': (entry) => sql`(-${entry}.n)`,
  later: between(sql`+`),
  earlier: between(sql`-`),
  'time-between': between(sql`-`),
  'days-later': daysAway(sql`+`),
  'days-earlier': daysAway(sql`-`),
  'days-between': (from, to) => sql`(CAST(${to} AS DATE) - CAST(${from} AS DATE))`,
  'start-of': called(sql`date_trunc`),
  'start-of-week': startOfWeek,
  'boundaries-between': called(sql`date_diff`),
  'units-between': (to, from, size) => sql`((epoch_us(${to}) - epoch_us(${from})) // ${size})`,
  'local-time': (at, zone) => sql`timezone(${zone}, timezone('UTC', ${at}))`,
  'timestamp-of-local': (local, zone) => sql`timezone('UTC', timezone(${zone}, ${local}))`,
  'interval-of-days': (amount, days) => sql`to_days(${inRange(sql`${amount} * ${days}`, amount, 4_000_000)})`,
  'interval-of-microseconds': microseconds,
  'interval-of-months': (amount, months) =>
    sql`to_months(${inRange(sql`${amount} * ${months}`, amount, 120_000)})`,
  'interval-of-minutes': called(sql`to_minutes`),
  'timestamp-of-units': (units, size) =>
    sql`CASE WHEN ${units} BETWEEN -62135596800000000 // ${size} AND 253402300799999999 // ${size} THEN make_timestamp(CAST(${units} AS BIGINT) * ${size}) END`,
  'units-of-timestamp': (at, size) =>
    sql`((epoch_us(${at}) - (epoch_us(${at}) % ${size} + ${size}) % ${size}) // ${size})`,
  'timestamp-of-parts': timestampOfParts,
  'steps-between': stepsBetween,
  'time-bucket': (width, at, origin?: EngineSql) =>
    sql`CASE WHEN ${width} > to_days(0) THEN time_bucket(${width}, ${at}, ${origin ?? ORIGIN}) END`,
  'last-day': called(sql`last_day`),
  'days-since-1970': (day) => sql`CAST(date_diff('day', DATE '1970-01-01', ${day}) AS BIGINT)`,
  'date-of-days': (days) =>
    sql`CASE WHEN ${days} BETWEEN -719162 AND 2932896 THEN CAST(DATE '1970-01-01' + CAST(${days} AS INTEGER) AS DATE) END`,
  grouping: (term) => sql`CAST(GROUPING(${term}) AS BIGINT)`,
};
