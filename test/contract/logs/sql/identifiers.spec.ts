/** The column `identifier`: what has sent an entry, `metadata.identifier`, else the entry's project. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ASKED_AT, type Asked, type LogQueries, openLogQueries } from '../../../support/log-queries.js';
import { askLql } from '../../../support/lql-queries.js';

const MINUTE = 60_000_000;
const at = (minutesAgo: number) => ({ timestamp: ASKED_AT - minutesAgo * MINUTE });

let world: LogQueries;
beforeAll(async () => {
  world = await openLogQueries({
    postgres_logs: [
      { ...at(1), eventMessage: 'named', metadata: { identifier: 'replica-1', parsed: { user_name: 'u' } } },
      { ...at(2), eventMessage: 'plain', metadata: { parsed: { user_name: 'v' } } },
      { ...at(3), eventMessage: 'numbered', metadata: { identifier: 7 } },
      { ...at(4), project: 'two', eventMessage: 'theirs', metadata: { identifier: 'other' } },
    ],
    function_logs: [
      { ...at(1), project: null, eventMessage: 'called', metadata: { project_ref: 'one' } },
      { ...at(2), project: null, eventMessage: 'of two', metadata: { project_ref: 'two' } },
    ],
    edge_logs: [
      { ...at(1), eventMessage: 'nested', metadata: { request: { identifier: 'inner' } } },
      { ...at(2), eventMessage: 'bare', metadata: {} },
    ],
  });
});
afterAll(() => world.close());

const values = async (sql: string, asked: Asked = {}) => {
  const { columns, rows } = await world.ask(sql, asked);
  return rows.map((row) => columns.map((column) => row[column]));
};

const OPEN = { text: 'select 1 as one', sandboxed: false };

describe('in SQL', () => {
  it.each<[string, readonly (readonly unknown[])[]]>([
    [
      'select identifier, event_message from postgres_logs',
      [
        ['replica-1', 'named'],
        ['one', 'plain'],
        ['7', 'numbered'],
      ],
    ],
    [
      'select identifier, p.user_name from postgres_logs cross join unnest(metadata) as m cross join unnest(m.parsed) as p',
      [
        ['replica-1', 'u'],
        ['one', 'v'],
      ],
    ],
    ['select t.Identifier from function_logs as t', [['one']]],
    [
      'select identifier, count(*) from postgres_logs group by identifier order by 1',
      [
        ['7', 1],
        ['one', 1],
        ['replica-1', 1],
      ],
    ],
    ["select event_message from postgres_logs where identifier = 'one'", [['plain']]],
    [
      'with recent as (select event_message from postgres_logs), r as (select * from recent) select identifier from r order by 1',
      [['7'], ['one'], ['replica-1']],
    ],
    ['select identifier from (select event_message from function_logs)', [['one']]],
    [
      "select p.identifier, f.identifier from postgres_logs p join function_logs f on p.identifier = f.identifier where p.event_message = 'plain'",
      [['one', 'one']],
    ],
    [
      "select p.identifier from (postgres_logs p cross join (select 1 as n)) where p.event_message = 'named'",
      [['replica-1']],
    ],
    [
      "select e.event_message, f.identifier from edge_logs e left join function_logs f on f.identifier = e.event_message where e.event_message = 'bare'",
      [['bare', null]],
    ],
    // A column of the author's is the column.
    ["with t as (select 'mine' as identifier from function_logs) select identifier from t", [['mine']]],
    [
      "select 'x' as identifier from postgres_logs where event_message = 'plain' order by identifier",
      [['x']],
    ],
    // A field is named with the alias of its unnest.
    [
      'select identifier, r.identifier from edge_logs cross join unnest(metadata) as m cross join unnest(m.request) as r',
      [['one', 'inner']],
    ],
    [
      "select m.identifier from postgres_logs, unnest(metadata) as m where event_message = 'numbered'",
      [['7']],
    ],
  ])('%s', async (sql, expected) => {
    expect(await values(sql)).toEqual(expected);
  });

  it('is no column of a star', async () => {
    const sql = "select *, identifier as who from function_logs where identifier = 'one'";
    const { columns } = await world.ask(sql);
    expect(columns).toEqual(['id', 'timestamp', 'event_message', 'metadata', 'who']);
  });

  it('is that of the token’s project alone, whatever the query reads', async () => {
    const asked = { stored: OPEN, onlyProject: 'two' };
    expect(await values('select identifier, event_message from postgres_logs', asked)).toEqual([
      ['other', 'theirs'],
    ]);
    expect(await values('select identifier from function_logs', asked)).toEqual([['two']]);
  });

  it.each([
    [
      'select identifier from postgres_logs p join function_logs f on p.id = f.id',
      'p.identifier or f.identifier',
    ],
    ['select identifier from (select count(*) as n from postgres_logs)', 'no column identifier'],
    ['select identifier from (select distinct event_message from postgres_logs)', 'no column identifier'],
    ['select identifier from unnest([1]) as x', 'no column identifier'],
  ])('is refused where it is not clear: %s', (sql, words) => {
    expect(() => world.compiled(sql)).toThrow(words);
  });
});

describe('in LQL', () => {
  it.each<[string, readonly unknown[]]>([
    ['f:postgres_logs identifier:replica-1', ['named']],
    ['f:postgres_logs -identifier:one', ['named', 'numbered']],
    ['f:postgres_logs identifier:~^r', ['named']],
    ['f:function_logs identifier:one', ['called']],
  ])('%s', async (lql, expected) => {
    const { rows } = await askLql(world, lql);
    expect(rows.map((row) => row.event_message)).toEqual(expected);
  });

  it('is chosen, counted by, and the values of a field', async () => {
    expect((await askLql(world, 'f:function_logs s:identifier')).rows).toEqual([{ identifier: 'one' }]);
    const counted = await askLql(world, 'f:postgres_logs s:identifier c:count(*)');
    expect(counted.rows).toHaveLength(3);
    const part = { kind: 'values', field: ['identifier'] } as const;
    const { rows } = await askLql(world, 'f:function_logs', {}, part);
    expect(rows).toEqual([{ value: 'one', count: 1 }]);
  });
});
