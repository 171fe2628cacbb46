/**
 * The functions of the dialect, one table each: an expression over one entry, and what the dialect's documentation says
 * that it gives, worked out by hand.
 */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Json } from '../../../src/logs/sources.js';
import { type LogQueries, openLogQueries } from '../../support/log-queries.js';

/** 2026-03-17T14:47:02.123456Z, a Tuesday, day 76 of the year. */
const AT = Date.UTC(2026, 2, 17, 14, 47, 2) * 1_000 + 123_456;

const METADATA = {
  word: 'Grüße',
  path: '/rest/v1/todos',
  whole: 7,
  negative: -7,
  half: 2.5,
  text: '42',
  flag: true,
  nothing: null,
  deep: { er: { est: 'here' } },
  tags: ['b', 'a', 'c'],
  numbers: [3, 10, 2],
};

let world: LogQueries;
beforeAll(async () => {
  world = await openLogQueries({
    edge_logs: [{ timestamp: AT, eventMessage: 'GET | 200', metadata: METADATA }],
  });
});
afterAll(() => world.close());

const table = (name: string, cases: readonly (readonly [expression: string, value: Json])[]): void => {
  describe(name, () => {
    it.each(cases)('%s', async (expression, value) => {
      const rows = await world.rows(
        `select ${expression} as x from edge_logs cross join unnest(metadata) as m`,
      );
      expect(rows).toEqual([{ x: value }]);
    });
  });
};

table('texts', [
  ["'a' || \"b\" || 'c'", 'abc'],
  ["'it\\'s' || r'\\d' || '''q\"q'''", 'it\'s\\dq"q'],
  ["'\\u00e9\\x41\\101\\n'", 'éAA\n'],
  ['lower(word)', 'grüße'],
  ["upper('grün')", 'GRÜN'],
  ['length(word)', 5],
  ['char_length(word)', 5],
  ['byte_length(word)', 7],
  ["substr('apple', 2)", 'pple'],
  ["substr('apple', 2, 2)", 'pp'],
  ["substr('apple', -2)", 'le'],
  ["substr('apple', -3, 2)", 'pl'],
  ["substr('apple', 0, 2)", 'ap'],
  ["substr('apple', -10, 2)", 'ap'],
  ["substr('apple', 9)", ''],
  ["substring('apple', whole - 5, 2)", 'pp'],
  ["left('apple', 2) || right('apple', 1)", 'ape'],
  ["trim('  a  ')", 'a'],
  ["trim('xxaxx', 'x')", 'a'],
  ["ltrim('xxaxx', 'x')", 'axx'],
  ["rtrim('xxaxx', 'x')", 'xxa'],
  ["concat('a', whole, '-', flag)", 'a7-true'],
  ["concat('a', null)", null],
  ["starts_with(path, '/rest')", true],
  ["ends_with(path, '/rest')", false],
  ["ends_with(path, 'todos')", true],
  ["contains_substr(word, 'GRÜ')", true],
  ["contains_substr(path, 'V2')", false],
  ["strpos(path, 'v1')", 7],
  ["strpos(path, 'v2')", 0],
  ["split(path, '/')", ['', 'rest', 'v1', 'todos']],
  ["split('a,b')", ['a', 'b']],
  ["split('a,b')[offset(1)]", 'b'],
  ["split('a,b')[safe_offset(5)]", null],
  ["split('a,b')[ordinal(1)]", 'a'],
  ["replace(path, 'v1', 'v2')", '/rest/v2/todos'],
  ["reverse('abc')", 'cba'],
  ["path like '/rest/%'", true],
  ["path not like '%V1%'", true],
  ["not path like '/rest%'", false],
  ["'50%' like r'50\\%'", true],
  ["'b' > 'B'", true],
  ["'Z' < 'a'", true],
]);

table('regular expressions', [
  ["regexp_contains(path, 'v1')", true],
  ["regexp_contains(path, r'^/rest/v\\d/')", true],
  ["regexp_contains(path, r'^rest')", false],
  ["regexp_contains(path, '(?i)TODOS|ITEMS')", true],
  ["regexp_contains('a.b', 'a.b')", true],
  ["regexp_contains('axb', r'a\\.b')", false],
  ["regexp_contains(null, 'a')", null],
  ["regexp_extract(path, r'v(\\d)')", '1'],
  ["regexp_extract(path, r'v\\d')", 'v1'],
  ["regexp_extract(path, r'x(\\d)')", null],
  ["regexp_extract(path, '(?:rest|auth)')", 'rest'],
  ["regexp_extract_all('a1b22', r'\\d+')", ['1', '22']],
  ["regexp_replace('a1b2', r'\\d', '#')", 'a#b#'],
  ["regexp_replace('john smith', r'(\\w+) (\\w+)', r'\\2 \\1')", 'smith john'],
]);

table('numbers', [
  ['whole / 2', 3.5],
  ['whole / 0', null],
  ['div(whole, 2)', 3],
  ['div(negative, 2)', -3],
  ['mod(negative, 3)', -1],
  ['whole * 2 - 1', 13],
  ['-whole + half', -4.5],
  ['whole + text', 49],
  ['safe_divide(1, 4)', 0.25],
  ['safe_divide(1, 0)', null],
  ['round(half)', 3],
  ['round(-half)', -3],
  ['round(1.005 * 1000, 1)', 1005],
  ['round(3.14159, 2)', 3.14],
  ['round(1234, -2)', 1200],
  ['trunc(-half)', -2],
  ['ceil(half)', 3],
  ['floor(-half)', -3],
  ['abs(negative)', 7],
  ['sign(negative)', -1],
  ['pow(2, 10)', 1024],
  ['sqrt(-1)', null],
  ['ln(0)', null],
  ['greatest(1, whole, 3)', 7],
  ['least(1, whole, half)', 1],
  ['greatest(1, null, 3)', null],
  ["greatest('a', 'c', 'b')", 'c'],
  ['0x1F + 1', 32],
  ['1.5e2', 150],
]);

table('conditions', [
  ["if(whole > 5, 'big', 'small')", 'big'],
  ['if(m.nothing is null, 1, 2)', 1],
  ["case when whole > 10 then 'a' when flag then 'b' else 'c' end", 'b'],
  ["case whole when 7 then 'seven' end", 'seven'],
  ["case whole when 8 then 'eight' end", null],
  ['case whole when 1 then 1 else 2.5 end', 2.5],
  ["coalesce(m.nothing, 'x')", 'x'],
  ['coalesce(whole, 0)', 7],
  ['ifnull(m.nothing, 0)', 0],
  ['nullif(whole, 7)', null],
  ['nullif(whole, 8)', 7],
  ['whole between 5 and 7', true],
  ['whole not between 5 and 7', false],
  ['whole in (1, 7)', true],
  ["path in ('a', 'b')", false],
  ["path not in ('a', 'b')", true],
  ["'a' in unnest(['a', 'b'])", true],
  ["'z' not in unnest(m.tags)", true],
  ['10 in unnest(m.numbers)', true],
  ['m.nothing is null and m.missing is null', true],
  ['flag is true and not flag is false', true],
  ['m.nothing is not true', true],
  ['flag = true', true],
  ['flag', true],
]);

table('types', [
  ['whole', 7],
  ['half', 2.5],
  ['word', 'Grüße'],
  ['flag', true],
  ['m.nothing', null],
  ['m.deep', { er: { est: 'here' } }],
  ['m.deep.er', { est: 'here' }],
  ['m.deep.er.est', 'here'],
  ['deep.er.est', 'here'],
  ['metadata.deep.er.est', 'here'],
  ['m.deep.none.at.all', null],
  ['m.whole.inner', null],
  ['m.tags', ['b', 'a', 'c']],
  ['m.tags[offset(0)]', 'b'],
  ['m.numbers[offset(1)] + 1', 11],
  ['m.numbers[safe_offset(9)]', null],
  ['metadata[offset(0)].path', '/rest/v1/todos'],
  ['cast(text as int64)', 42],
  ["cast('12.5' as int64)", null],
  ["cast('abc' as int64)", null],
  ["safe_cast('abc' as float64)", null],
  ["cast('1.5' as numeric(10, 2))", 1.5],
  ['cast(half as int64)', 3],
  ['cast(-half as int64)', -3],
  ['cast(whole as string)', '7'],
  ['cast(3.0 as string)', '3'],
  ['cast(flag as string)', 'true'],
  ['cast(flag as int64)', 1],
  ['cast(1 as bool)', true],
  ["cast('true' as bool)", true],
  ["cast('no' as bool)", false],
  ["cast('2026-03-17' as date)", '2026-03-17'],
  ["cast('2026-03-17 10:00:00+02' as timestamp)", '2026-03-17T08:00:00.000000Z'],
  ["cast('garbage' as timestamp)", null],
  ['cast(timestamp as string)', '2026-03-17 14:47:02.123456+00'],
  ["cast(timestamp '2026-03-17 10:00:00' as string)", '2026-03-17 10:00:00+00'],
  ["cast(timestamp '2026-03-17 10:00:00.5' as string)", '2026-03-17 10:00:00.500+00'],
  ['text > 9', true],
  ['text > whole', true],
  ['word > 9', null],
  ['whole = text', false],
  ["whole >= '7'", true],
  ["timestamp > '2026-03-17'", true],
  ["timestamp < '2026-03-17T14:47:02.123457Z'", true],
  ["timestamp = '2026-03-17T16:47:02.123456+02:00'", true],
  ["timestamp < 'not a time'", null],
  ["date(timestamp) = '2026-03-17'", true],
]);

table('JSON', [
  ["json_value(metadata, '$.deep.er.est')", 'here'],
  ["json_value(metadata, '$.deep')", null],
  ["json_value(metadata, '$.tags[1]')", 'a'],
  ["json_value(m.deep, '$.er.est')", 'here'],
  ['json_value(\'{"a": {"b c": 5}}\', \'$.a["b c"]\')', '5'],
  ["json_value('no json', '$.a')", null],
  ["json_query(metadata, '$.deep.er')", { est: 'here' }],
  ["json_extract_scalar(metadata, '$.whole')", '7'],
  ['to_json_string(m.deep)', '{"er":{"est":"here"}}'],
  ['to_json_string(m.tags)', '["b","a","c"]'],
  ['to_json_string(word)', '"Grüße"'],
  ['to_json_string(whole)', '7'],
  ['to_json_string(null)', 'null'],
  ['parse_json(\'{"a": [1]}\')', { a: [1] }],
  ['array_length(m.tags)', 3],
  ['array_length(m.deep)', null],
  ['array_length([1, 2])', 2],
  ["array_length(split(path, '/'))", 4],
  ["array_to_string(m.tags, '-')", 'b-a-c'],
  ["array_to_string(['a', null, 'b'], '-', '?')", 'a-?-b'],
  ['array_reverse([1, 2])', [2, 1]],
  ["array_includes(m.tags, 'a')", true],
]);
