/**
 * How ClickHouse spells the operations of a query tree. An operation writes an argument no more often than OPERATIONS says; a
 * test counts. The guards around some calls keep values from the engine that would fail the query.
 */
import { type EngineSql, integerLiteral, sql } from '../../../foundation/log-store/engine-sql.js';
import type { Operation } from '../../../foundation/log-store/query-operations.js';
import { once, textLiteral, withoutBlanks } from './clickhouse-sql.js';
import { asJson, jsonArray, numberAsText } from './json.js';
import { LIST_SPELLINGS, listOfText } from './lists.js';
import { as, common, listed, type Printed, printed, refuse, type Spelling, written } from './printed.js';
import { TIME_SPELLINGS } from './time.js';

type Kind = Parameters<typeof printed>[0];

const called =
  (kind: Kind, name: EngineSql): Spelling =>
  (...args) =>
    printed(kind, sql`${name}(${listed(args)})`);

/** Of numbers, in whatever type they are. */
const ofNumber =
  (name: EngineSql): Spelling =>
  ({ sql: value }) =>
    printed('number', sql`${name}(toFloat64(${value}))`);

/** Keeps whether the number is an integer. */
const sameNumber =
  (name: EngineSql): Spelling =>
  (value) =>
    value.type.kind === 'number'
      ? printed('number', sql`toFloat64(${name}(${value.sql}))`)
      : printed('integer', sql`toInt64(${name}(${value.sql}))`);

const compared =
  (sign: EngineSql): Spelling =>
  (left, right) => {
    const type = common([left, right]);
    return printed('boolean', sql`(${as(left, type).sql} ${sign} ${as(right, type).sql})`);
  };

const numeric =
  (sign: EngineSql): Spelling =>
  (left, right) =>
    printed(
      common([left, right]).kind === 'number' ? 'number' : 'integer',
      sql`(${left.sql} ${sign} ${right.sql})`,
    );

/** Computes in a wider type, and gives NULL when the result is too large. */
const wide =
  (sign: EngineSql): Spelling =>
  (left, right) =>
    printed('integer', sql`accurateCastOrNull(toInt128(${left.sql}) ${sign} ${right.sql}, 'Int64')`);

const coalesce: Spelling = (...values) => {
  const type = common(values);
  const typed = values.map((value) => as(value, type));
  if (type.kind !== 'list') return { sql: sql`coalesce(${listed(typed)})`, type };
  return { sql: sql`arraySlice(arrayConcat(${listed(typed)}), 1, 1)`, type };
};

const asText: Spelling = (value) => {
  switch (value.type.kind) {
    case 'string':
    case 'json':
      return printed('string', value.sql);
    case 'null':
      return printed('string', sql`CAST(NULL AS Nullable(String))`);
    case 'number':
      return printed('string', numberAsText(value.sql));
    case 'boolean':
    case 'list':
      return printed('string', asJson(value).sql);
    case 'timestamp':
      return printed('string', sql`replaceRegexpOne(toString(${value.sql}), '\\.?0*$', '')`);
    default:
      return printed('string', sql`toString(${value.sql})`);
  }
};

const textAsBoolean: Spelling = ({ sql: text }) =>
  printed('boolean', sql`CASE lowerUTF8(${text}) WHEN 'true' THEN true WHEN 'false' THEN false END`);

/** Halves away from zero: ClickHouse itself rounds them to the even number. The constant is the last number below a half. */
const rounded = (value: EngineSql): EngineSql => sql`trunc(${value} + sign(${value}) * 0.49999999999999994)`;

const round: Spelling = ({ sql: value }, digits?: Printed) => {
  const number = sql`toFloat64(${value})`;
  if (digits === undefined) return printed('number', once([number], rounded));
  const to = once([number, sql`least(greatest(${digits.sql}, -300), 300)`], (x, n) => {
    const scale = sql`pow(10., abs(${n}))`;
    const up = sql`${x} * ${scale}`;
    const down = sql`${x} / ${scale}`;
    return sql`if(${n} < 0, ${rounded(down)} * ${scale}, if(isFinite(${up}), ${rounded(up)} / ${scale}, ${x}))`;
  });
  return printed('number', to);
};

/** No text is longer. */
const MOST = integerLiteral(2 ** 32 - 1);

const count = ({ sql: characters }: Printed): EngineSql => sql`least(greatest(${characters}, 0), ${MOST})`;

const sized =
  (name: EngineSql): Spelling =>
  (text, characters) =>
    printed('string', sql`${name}(${text.sql}, ${count(characters)})`);

const trimmed =
  (name: EngineSql): Spelling =>
  (text, characters?: Printed) =>
    characters === undefined
      ? printed('string', sql`${name}(${text.sql})`)
      : printed('string', sql`${name}(${text.sql}, ${written(characters, 'trimming characters')})`);

/** What the dialect lets a text grow to; ClickHouse would compute a constant that a condition leaves out. */
const MAX_CHARACTERS = integerLiteral(65_536);

const padded =
  (name: EngineSql): Spelling =>
  (text, length, pattern) =>
    pattern === undefined
      ? refuse('padding with nothing')
      : printed(
          'string',
          sql`${name}(${text.sql}, least(greatest(${length.sql}, 0), ${MAX_CHARACTERS}), ${written(pattern, 'padding with a text')})`,
        );

const substringFrom = (text: Printed, at: EngineSql, characters: Printed | undefined): Printed =>
  printed(
    'string',
    characters === undefined
      ? sql`substringUTF8(${text.sql}, ${at})`
      : sql`substringUTF8(${text.sql}, ${at}, ${count(characters)})`,
  );

/** A pattern with its flags. ClickHouse lets `.` match the end of a line, unless a pattern says otherwise. */
const pattern = ({ sql: text, literal }: Printed): EngineSql =>
  typeof literal === 'string' ? textLiteral(`(?-s)${literal}`) : sql`concat('(?-s)', ${text})`;

const wholePattern = ({ literal }: Printed): EngineSql =>
  typeof literal === 'string' ? textLiteral(`^(?s:${literal})$`) : refuse('LIKE with this pattern');

const matched: Spelling = (text, expression, group) =>
  group === undefined
    ? refuse('a match of nothing')
    : printed(
        'string',
        sql`if(match(${text.sql}, ${pattern(expression)}), regexpExtract(${text.sql}, ${pattern(expression)}, ${group.sql}), NULL)`,
      );

/** A pattern of LIKE that ends with an odd number of backslashes, so the last one escapes nothing. */
const OPEN_ESCAPE = textLiteral(String.raw`(?:^|[^\\])(?:\\\\)*\\$`);

/** As a regular expression that ends where the text does, with `\x` for x. */
const matchesLike: Spelling = ({ sql: text }, { sql: like }) => {
  const isValid = sql`lengthUTF8(${like}) <= 1000 AND NOT match(${like}, ${OPEN_ESCAPE})`;
  const parts = sql`extractAll(assumeNotNull(${like}), '\\\\[\\s\\S]|[\\s\\S]')`;
  const part = sql`multiIf(x = '%', '.*', x = '_', '.', regexpQuoteMeta(rightUTF8(x, 1)))`;
  const expression = sql`concat('^(?s:', arrayStringConcat(arrayMap(x -> ${part}, ${parts})), ')$')`;
  return printed('boolean', sql`match(${text}, if(${isValid}, ${expression}, NULL))`);
};

const HOST = textLiteral(String.raw`^(?:[A-Za-z][A-Za-z0-9+.-]*:)?//(?:[^/?#@]*@)?(\[[^\]/?#]*\]|[^/?#:]*)`);

const printf: Spelling = (format, value) => {
  if (typeof format.literal !== 'string') return refuse('a format that is not written in the query');
  if (format.literal.includes(',')) return refuse("the flag ' of a format");
  return printed('string', sql`printf(${format.sql}, ${value.sql})`);
};

const extreme =
  (name: EngineSql): Spelling =>
  (...values) => {
    const type = common(values);
    return { sql: sql`${name}(${listed(values.map((value) => as(value, type)))})`, type };
  };

export const isNotNull = ({ sql: text, type }: Printed): Printed =>
  printed('boolean', type.kind === 'list' ? sql`notEmpty(${text})` : sql`isNotNull(${text})`);

const integerOf = (text: EngineSql): Printed => printed('integer', sql`toInt64OrNull(${text})`);
const numberOf = (text: EngineSql): Printed => printed('number', sql`toFloat64OrNull(${text})`);

export const SPELLINGS: Readonly<Record<Operation, Spelling>> = {
  ...LIST_SPELLINGS,
  ...TIME_SPELLINGS,
  '=': compared(sql`=`),
  '<>': compared(sql`<>`),
  '<': compared(sql`<`),
  '<=': compared(sql`<=`),
  '>': compared(sql`>`),
  '>=': compared(sql`>=`),
  same: (left, right) => printed('boolean', sql`isNotDistinctFrom(${left.sql}, ${right.sql})`),
  differs: (left, right) => printed('boolean', sql`(NOT isNotDistinctFrom(${left.sql}, ${right.sql}))`),
  between: (value, low, high) =>
    high === undefined
      ? refuse('BETWEEN without a bound')
      : printed('boolean', sql`(${value.sql} BETWEEN ${low.sql} AND ${high.sql})`),
  not: (value) => printed('boolean', sql`(NOT ${as(value, { kind: 'boolean' }).sql})`),
  'is-null': (value) =>
    printed('boolean', value.type.kind === 'list' ? sql`empty(${value.sql})` : sql`isNull(${value.sql})`),
  'is-not-null': isNotNull,
  coalesce,
  // As the result of a condition it is printed with that: see TermPrinter.
  error: (message) => printed('null', sql`if(throwIf(1, ${message.sql}), NULL, NULL)`),
  'as-text': asText,
  'number-as-text': ({ sql: value }) => printed('string', numberAsText(value)),
  'list-as-text': (list) => printed('string', asJson(list).sql),
  'json-as-text': ({ sql: json }) => printed('string', json),
  'text-as-boolean': textAsBoolean,
  'text-as-integer': ({ sql: text }) => integerOf(withoutBlanks(text)),
  'text-as-number': ({ sql: text }) => numberOf(withoutBlanks(text)),
  // No other number has an A.
  'text-as-ordered-number': ({ sql: text }) => numberOf(withoutBlanks(sql`translate(${text}, 'aA', '??')`)),
  'stored-as-boolean': textAsBoolean,
  'stored-as-integer': ({ sql: text }) => integerOf(text),
  'stored-as-number': ({ sql: text }) => numberOf(text),
  'integer-as-number': ({ sql: value }) => printed('number', sql`toFloat64(${value})`),
  'number-as-integer': ({ sql: value }) =>
    printed('integer', sql`accurateCastOrNull(${once([sql`toFloat64(${value})`], rounded)}, 'Int64')`),
  'boolean-as-integer': ({ sql: value }) => printed('integer', sql`toInt64(${value})`),
  'sum-as-integer': ({ sql: value }) => printed('integer', sql`accurateCastOrNull(${value}, 'Int64')`),
  'as-json': asJson,
  'numbers-as-json': asJson,
  'text-as-json': ({ sql: text }) =>
    printed('json', sql`if(isValidJSON(${text}), JSONExtractRaw(${text}), NULL)`),
  'json-array': (...values) => jsonArray(values),
  negate: sameNumber(sql`negate`),
  add: numeric(sql`+`),
  subtract: numeric(sql`-`),
  multiply: numeric(sql`*`),
  divide: ({ sql: left }, { sql: right }) => printed('number', sql`(${left} / nullIf(${right}, 0))`),
  'add-integers': wide(sql`+`),
  'subtract-integers': wide(sql`-`),
  'multiply-integers': wide(sql`*`),
  'divide-integers': ({ sql: left }, { sql: right }) =>
    printed('integer', sql`intDivOrZero(${left}, nullIf(${right}, 0))`),
  modulo: ({ sql: left }, { sql: right }) =>
    printed('integer', sql`moduloOrZero(${left}, nullIf(${right}, 0))`),
  power: called('number', sql`pow`),
  abs: sameNumber(sql`abs`),
  sign: sameNumber(sql`sign`),
  round,
  trunc: ofNumber(sql`trunc`),
  ceil: ofNumber(sql`ceil`),
  floor: ofNumber(sql`floor`),
  exp: ofNumber(sql`exp`),
  sqrt: ofNumber(sql`sqrt`),
  cbrt: ofNumber(sql`cbrt`),
  ln: ofNumber(sql`log`),
  log10: ofNumber(sql`log10`),
  log: ({ sql: value }, { sql: base }) => printed('number', sql`(log(${value}) / log(${base}))`),
  greatest: extreme(sql`greatest`),
  least: extreme(sql`least`),
  lower: called('string', sql`lowerUTF8`),
  // ClickHouse makes SS of ß.
  upper: ({ sql: text }) => printed('string', sql`upperUTF8(replaceAll(${text}, 'ß', 'ẞ'))`),
  length: ({ sql: text }) => printed('integer', sql`toInt64(lengthUTF8(${text}))`),
  'byte-length': ({ sql: text }) => printed('integer', sql`toInt64(length(${text}))`),
  reverse: called('string', sql`reverseUTF8`),
  replace: called('string', sql`replaceAll`),
  substring: (text, at, characters?: Printed) =>
    substringFrom(text, sql`least(${at.sql}, ${MOST})`, characters),
  'substring-around': (text, { sql: at }, characters?: Printed) => {
    const isBefore = sql`${at} = 0 OR ${at} < -toInt64(lengthUTF8(${text.sql}))`;
    return substringFrom(text, sql`if(${isBefore}, 1, least(${at}, ${MOST}))`, characters);
  },
  left: sized(sql`leftUTF8`),
  right: sized(sql`rightUTF8`),
  trim: trimmed(sql`trimBoth`),
  'trim-start': trimmed(sql`trimLeft`),
  'trim-end': trimmed(sql`trimRight`),
  'pad-start': padded(sql`leftPadUTF8`),
  'pad-end': padded(sql`rightPadUTF8`),
  repeat: ({ sql: text }, { sql: times }) =>
    printed('string', sql`repeat(${text}, least(greatest(${times}, 0), ${MAX_CHARACTERS}))`),
  position: ({ sql: text }, { sql: part }) =>
    printed('integer', sql`toInt64(positionUTF8(${text}, ${part}))`),
  contains: ({ sql: text }, { sql: part }) => printed('boolean', sql`(position(${text}, ${part}) > 0)`),
  'contains-in-any-case': ({ sql: text }, { sql: part }) =>
    printed('boolean', sql`(position(lowerUTF8(${text}), lowerUTF8(${part})) > 0)`),
  'starts-with': called('boolean', sql`startsWith`),
  'ends-with': called('boolean', sql`endsWith`),
  'url-host': ({ sql: text }) =>
    printed('string', sql`nullIf(lowerUTF8(regexpExtract(trimBoth(${text}), ${HOST}, 1)), '')`),
  printf,
  matches: (text, expression) => printed('boolean', sql`match(${text.sql}, ${pattern(expression)})`),
  'matches-whole': (text, expression) =>
    printed('boolean', sql`match(${text.sql}, ${wholePattern(expression)})`),
  matched,
  'all-matched': (text, expression) => listOfText(text.sql, sql`extractAll(s, ${pattern(expression)})`),
  'replace-matched': (text, expression, by) =>
    by === undefined
      ? refuse('a replacement by nothing')
      : printed('string', sql`replaceRegexpAll(${text.sql}, ${pattern(expression)}, ${by.sql})`),
  'matches-percents': ({ sql: text }, { sql: like }) => printed('boolean', sql`(${text} LIKE ${like})`),
  'matches-like': matchesLike,
  grouping: ({ sql: term }) => printed('integer', sql`toInt64(grouping(${term}))`),
};
