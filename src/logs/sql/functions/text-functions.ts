/** Functions of texts. Texts compare byte by byte. Lengths are in characters. Positions begin at 1. */
import { type EngineSql, integerLiteral, joined, sql, textLiteral } from '../engine-sql.js';
import { refuse } from '../query-problem.js';
import {
  argument,
  type Call,
  type Functions,
  has,
  listOf,
  MAX_ARGUMENTS,
  of,
  simple,
  text,
  whole,
} from './call.js';
import { patternAt, plainPattern } from './pattern-argument.js';
import { formattedText } from './text-format.js';

const concat = (call: Call) =>
  of(
    'string',
    sql`(${joined(
      call.args.map((_, at) => text(call, at)),
      ' || ',
    )})`,
  );

/** The engine counts characters in 32 bits. No text is longer. */
const MAX_COUNTED_LENGTH = 2 ** 32 - 1;

const count = (characters: EngineSql): EngineSql =>
  sql`least(greatest(${characters}, 0), ${integerLiteral(MAX_COUNTED_LENGTH)})`;

/** A negative position counts from the end. Position 0, and positions before the beginning, mean the beginning. */
const substr = (call: Call) => {
  const from = text(call, 0);
  const at = position(call, from);
  if (!has(call, 2)) return of('string', sql`substr(${from}, ${at})`);
  return of('string', sql`substr(${from}, ${at}, ${count(whole(call, 2))})`);
};

const position = (call: Call, from: EngineSql): EngineSql => {
  const { literal } = argument(call, 1);
  if (typeof literal === 'number' && literal >= 0)
    return integerLiteral(Math.min(Math.max(1, Math.round(literal)), MAX_COUNTED_LENGTH));
  const at = whole(call, 1);
  return sql`CASE WHEN ${at} = 0 OR ${at} < -length(${from}) THEN 1 ELSE least(${at}, ${integerLiteral(MAX_COUNTED_LENGTH)}) END`;
};

const trim = (printed: EngineSql, call: Call) =>
  of(
    'string',
    has(call, 1) ? sql`${printed}(${text(call, 0)}, ${text(call, 1)})` : sql`${printed}(${text(call, 0)})`,
  );

const split = (call: Call) => {
  const delimiter = has(call, 1) ? text(call, 1) : sql`','`;
  return listOf('string', sql`string_split(${text(call, 0)}, ${delimiter})`);
};

const regexpContains = (call: Call) => {
  const plain = plainPattern(call, 1);
  if (plain !== null) return of('boolean', sql`contains(${text(call, 0)}, ${textLiteral(plain)})`);
  return of('boolean', sql`regexp_matches(${text(call, 0)}, ${patternAt(call, 1).sql})`);
};

const patternOfOneGroup = (call: Call) => {
  const pattern = patternAt(call, 1, 'literal');
  if (pattern.groups <= 1) return pattern;
  return refuse(
    argument(call, 1).span,
    'this pattern may have one group in parentheses at most; (?:…) is none',
  );
};

/** The text of the single group, or of the whole match without a group; NULL without a match. */
const regexpExtract = (call: Call) => {
  const { sql: pattern, groups } = patternOfOneGroup(call);
  const from = text(call, 0);
  const group = integerLiteral(groups);
  return of(
    'string',
    sql`CASE WHEN regexp_matches(${from}, ${pattern}) THEN regexp_extract(${from}, ${pattern}, ${group}) END`,
  );
};

const regexpExtractAll = (call: Call) => {
  const { sql: pattern, groups } = patternOfOneGroup(call);
  return listOf('string', sql`regexp_extract_all(${text(call, 0)}, ${pattern}, ${integerLiteral(groups)})`);
};

const regexpReplace = (call: Call) =>
  of('string', sql`regexp_replace(${text(call, 0)}, ${patternAt(call, 1).sql}, ${text(call, 2)}, 'g')`);

const inAnyCase = (call: Call) =>
  of('boolean', sql`contains(lower(${text(call, 0)}), lower(${text(call, 1)}))`);

const length = simple([1, 1], (call) => {
  const { type } = argument(call, 0);
  if (type.kind === 'array' && type.form === 'list')
    return refuse(call.span, 'the length of an array is array_length');
  return of('integer', sql`length(${text(call, 0)})`);
});

const bytes = simple([1, 1], (call) => of('integer', sql`strlen(${text(call, 0)})`));

const sized = (printed: EngineSql) =>
  simple([2, 2], (call) => of('string', sql`${printed}(${text(call, 0)}, ${count(whole(call, 1))})`));

/** Limit, in characters, of a result that is longer than its argument. A longer result is NULL. */
const MAX_RESULT_LENGTH = integerLiteral(65_536);

/** Pads a text to a length. Cuts a longer text. */
const padded = (printed: EngineSql) =>
  simple([2, 3], (call) => {
    const length = whole(call, 1);
    const pattern = has(call, 2) ? text(call, 2) : sql`' '`;
    const made = sql`${printed}(${text(call, 0)}, CAST(${length} AS INTEGER), ${pattern})`;
    return of(
      'string',
      sql`CASE WHEN ${length} BETWEEN 0 AND ${MAX_RESULT_LENGTH} AND ${pattern} <> '' THEN ${made} END`,
    );
  });

const repeated = simple([2, 2], (call) => {
  const [of0, times] = [text(call, 0), whole(call, 1)];
  const fits = sql`${times} BETWEEN 0 AND ${MAX_RESULT_LENGTH} AND strlen(${of0}) * ${times} <= ${MAX_RESULT_LENGTH}`;
  return of('string', sql`CASE WHEN ${fits} THEN repeat(${of0}, ${times}) END`);
});

/** The host of a URL in lower case; NULL without one. */
const host = simple([1, 1], (call) =>
  of(
    'string',
    sql`NULLIF(lower(regexp_extract(trim(${text(call, 0)}), '^(?:[A-Za-z][A-Za-z0-9+.-]*:)?//(?:[^/?#@]*@)?(\[[^\]/?#]*\]|[^/?#:]*)', 1)), '')`,
  ),
);

const substring = simple([2, 3], substr);

export const TEXT_FUNCTIONS: Functions = {
  lower: simple([1, 1], (call) => of('string', sql`lower(${text(call, 0)})`)),
  upper: simple([1, 1], (call) => of('string', sql`upper(${text(call, 0)})`)),
  length,
  char_length: length,
  character_length: length,
  byte_length: bytes,
  octet_length: bytes,
  substr: substring,
  substring,
  left: sized(sql`left`),
  right: sized(sql`right`),
  trim: simple([1, 2], (call) => trim(sql`trim`, call)),
  ltrim: simple([1, 2], (call) => trim(sql`ltrim`, call)),
  rtrim: simple([1, 2], (call) => trim(sql`rtrim`, call)),
  concat: simple([1, MAX_ARGUMENTS], concat),
  reverse: simple([1, 1], (call) => of('string', sql`reverse(${text(call, 0)})`)),
  replace: simple([3, 3], (call) =>
    of('string', sql`replace(${text(call, 0)}, ${text(call, 1)}, ${text(call, 2)})`),
  ),
  lpad: padded(sql`lpad`),
  rpad: padded(sql`rpad`),
  repeat: repeated,
  instr: simple([2, 2], (call) => of('integer', sql`strpos(${text(call, 0)}, ${text(call, 1)})`)),
  format: simple([1, MAX_ARGUMENTS], formattedText),
  string: simple([1, 1], (call) => of('string', text(call, 0))),
  'net.host': host,
  starts_with: simple([2, 2], (call) => of('boolean', sql`starts_with(${text(call, 0)}, ${text(call, 1)})`)),
  ends_with: simple([2, 2], (call) => of('boolean', sql`ends_with(${text(call, 0)}, ${text(call, 1)})`)),
  contains_substr: simple([2, 2], inAnyCase),
  strpos: simple([2, 2], (call) => of('integer', sql`strpos(${text(call, 0)}, ${text(call, 1)})`)),
  split: simple([1, 2], split),
  regexp_contains: simple([2, 2], regexpContains),
  regexp_extract: simple([2, 2], regexpExtract),
  regexp_substr: simple([2, 2], regexpExtract),
  regexp_extract_all: simple([2, 2], regexpExtractAll),
  regexp_replace: simple([3, 3], regexpReplace),
};
