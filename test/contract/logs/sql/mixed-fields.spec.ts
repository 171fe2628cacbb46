/**
 * Fields that are one thing in one entry and another in the next, and what is asked of fields that were never there: what
 * each comparison, order and function makes of them, worked out by hand.
 */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Json } from '../../../../src/foundation/log-store/sources.js';
import { ASKED_AT, type LogQueries, openLogQueries } from '../../../support/log-queries.js';

/** Newest first. `text` and `whole` hold one type each, `mixed` every one, and the last entry nothing. */
const METADATA = [
  { mixed: 5, text: 'one', whole: 1 },
  { mixed: 'five', text: 'two', whole: 2 },
  { mixed: [5], tags: ['a'], whole: 3 },
  { mixed: true },
  { mixed: 10 },
  {},
];

let world: LogQueries;
beforeAll(async () => {
  world = await openLogQueries({
    edge_logs: METADATA.map((metadata, at) => ({
      timestamp: ASKED_AT - (at + 1) * 1_000_000,
      eventMessage: `entry ${at + 1}`,
      metadata,
    })),
  });
});
afterAll(() => world.close());

const FROM = 'from edge_logs t, unnest(t.metadata) as m';
const none = METADATA.map(() => null);

describe('a value of each entry', () => {
  const cases: readonly (readonly [expression: string, values: readonly Json[]])[] = [
    // What has been no record so far has no fields, and may be one in the next entry.
    ['m.text.part', none],
    ['t.metadata.text.part.of.it', none],
    ["m.text['part']", none],
    ['m.whole.part', none],
    ['m.tags[0].part', none],
    ['(m.text).part', none],
    // Numbers where both sides are, else texts; NULL beside what a value is not.
    ["m.mixed in (5, 'five')", [true, true, null, null, false, null]],
    ["m.mixed not in (5, 'five')", [false, false, null, null, true, null]],
    ["m.mixed in ('10', 'true')", [false, false, false, true, true, null]],
    ["m.mixed in (parse_json('10.0'))", [false, false, false, false, true, null]],
    ['m.mixed is distinct from 5', [false, true, true, true, true, true]],
    ["m.mixed is not distinct from parse_json('5.0')", [true, false, false, false, false, false]],
    ['m.mixed is not distinct from null', [false, false, false, false, false, true]],
    ["greatest(m.mixed, parse_json('9'))", [9, 'five', '[5]', 'true', 10, null]],
    ["least(m.mixed, parse_json('9'))", [5, '9', '9', '9', 9, null]],
    ['m.mixed = true', [null, null, null, true, null, null]],
    ['max(m.mixed) over ()', METADATA.map(() => 10)],
    ['min(m.mixed) over ()', METADATA.map(() => 5)],
    ["if(m.mixed = 10, '1', 'TRUE') = true", [true, true, true, true, null, true]],
    ['cast(m.mixed as bool)', [null, null, null, true, null, null]],
    ['json_type(m.mixed)', ['number', 'string', 'array', 'boolean', 'number', null]],
    ['to_json_string(m.whole / 1)', ['1', '2', '3', 'null', 'null', 'null']],
    [
      'to_json_string([m.whole / 1, 0.5, 10])',
      ['[1,0.5,10]', '[2,0.5,10]', '[3,0.5,10]', ...Array(3).fill('[null,0.5,10]')],
    ],
    ["array_includes(m.tags, 'a') = true", [null, null, true, null, null, null]],
    // What the engine would end the query for.
    ["m.text like concat(m.text, '\\\\')", none],
    ["m.text like concat(m.text, '\\\\\\\\')", [false, false, null, null, null, null]],
    ['substr(m.text, 9007199254740991)', ['', '', null, null, null, null]],
    ['substr(m.text, m.whole + 5000000000)', ['', '', null, null, null, null]],
    ['left(m.text, 9007199254740991)', ['one', 'two', null, null, null, null]],
    ["json_value_array(cast('UTC' as string))", none],
    ["array_length(json_query_array(''))", none],
  ];

  it.each(cases)('%s', async (expression, values) => {
    const rows = await world.rows(`select ${expression} as x ${FROM}`);
    expect(rows.map(({ x }) => x)).toEqual(values);
  });
});

describe('of texts that engines would take for numbers', () => {
  const TEXTS = '5|"NaN"|"1_000"|"A"|12.5|"8.5"';
  const from = `from (select parse_json(text) as x from unnest(split('${TEXTS}', '|')) as text)`;

  it('an order has the numbers first, then the rest as texts', async () => {
    const rows = await world.rows(`select x ${from} order by x`);
    expect(rows.map(({ x }) => x)).toEqual([5, '8.5', 12.5, '1_000', 'A', 'NaN']);
  });

  it('the extremes are those of the numbers', async () => {
    expect(await world.rows(`select min(x) as low, max(x) as high ${from}`)).toEqual([
      { low: 5, high: 12.5 },
    ]);
  });

  it('a whole number is one that is written so, and a number that is rounded', async () => {
    const rows = await world.rows(`select cast(x as int64) as n ${from} order by to_json_string(x)`);
    expect(rows.map(({ n }) => n)).toEqual([null, null, null, null, 13, 5]);
  });
});

it('statistics leave out what is too large for them, and what is no number', async () => {
  const values = "[1.0, 3.0, 1e308, cast('nan' as float64), cast('inf' as float64), null]";
  expect(await world.rows(`select variance(x) as v, corr(x, x) as c from unnest(${values}) as x`)).toEqual([
    { v: 2, c: 1 },
  ]);
});

it('a constant that a query groups by is no place of a column in its order', async () => {
  const grouped = (constant: string, order: string) =>
    world.rows(
      `select ${constant} as g, event_message as e, count(*) ${FROM} group by g, e order by ${order}`,
    );
  for (const constant of ['cast(-1 as int64)', 'cast(2 as int64)', "string('a')", "concat('a')"])
    expect((await grouped(constant, 'g, e desc')).map(({ e }) => e)).toEqual(
      METADATA.map((_, at) => `entry ${METADATA.length - at}`),
    );
});

it('an array that there is not gives no rows', async () => {
  expect(await world.rows(`select e ${FROM}, unnest(json_query_array('')) as e`)).toEqual([]);
});

it.each([
  [`select m.text like 'a\\\\' ${FROM}`, 'this pattern ends with a backslash'],
  [`select array_to_string(m.tags, m.text) ${FROM}`, 'the delimiter has to be written as a text'],
  [`select event_message.part ${FROM}`, 'a text has no fields'],
  [`select t.timestamp.part ${FROM}`, 'a timestamp has no fields'],
  ['select x.part from (select [1] as x)', 'an array has no fields'],
  [`select m.text.part ${FROM} group by m.text`, 'this has to be in GROUP BY'],
])('%s is refused', (sql, said) => {
  expect(() => world.compiled(sql)).toThrow(said);
});
