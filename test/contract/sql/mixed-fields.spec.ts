/**
 * Fields that are one thing in one entry and another in the next, and what is asked of fields that were never there: what
 * each comparison, order and function makes of them, worked out by hand.
 */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Json } from '../../../src/logs/sources.js';
import { ASKED_AT, type LogQueries, openLogQueries } from '../../support/log-queries.js';

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
  ];

  it.each(cases)('%s', async (expression, values) => {
    const rows = await world.rows(`select ${expression} as x ${FROM}`);
    expect(rows.map(({ x }) => x)).toEqual(values);
  });
});

it.each([
  [`select event_message.part ${FROM}`, 'a text has no fields'],
  [`select t.timestamp.part ${FROM}`, 'a timestamp has no fields'],
  ['select x.part from (select [1] as x)', 'an array has no fields'],
  [`select m.text.part ${FROM} group by m.text`, 'this has to be in GROUP BY'],
])('%s is refused', (sql, said) => {
  expect(() => world.compiled(sql)).toThrow(said);
});
