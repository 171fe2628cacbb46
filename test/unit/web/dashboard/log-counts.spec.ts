/** Rows over time, in UTC wherever the reader is, and the query that counts what a result leaves out. */
import { execFileSync } from 'node:child_process';
import { describe, expect, it } from '@jest/globals';
import {
  boundsOf,
  countingQuery,
  countRows,
  parseCounts,
  timeColumn,
  unitFor,
  unitForRange,
} from '../../../../web/src/dashboard/areas/logs/counts.js';
import { type LogQuery, rangeOf } from '../../../../web/src/dashboard/areas/logs/log-query.js';

const LOADER = new URL('../../../support/typescript-loader.mjs', import.meta.url).href;
const LOGS = new URL('../../../../web/src/dashboard/areas/logs/', import.meta.url).href;
const DAY = 86_400_000;

/** What the script prints as JSON, for a reader in the zone. */
const inZone = (zone: string, script: string): unknown =>
  JSON.parse(
    execFileSync(
      process.execPath,
      ['--no-warnings', '--import', LOADER, '--input-type=module', '-e', script],
      { encoding: 'utf8', env: { ...process.env, TZ: zone } },
    ),
  );

const rowsAt = (...times: readonly string[]) => times.map((timestamp) => ({ timestamp }));

/** `2026-03-29T00:00:00.000Z 2`: start and count of each bucket. */
const shown = (counts: ReturnType<typeof countRows>): readonly string[] =>
  (counts?.buckets ?? []).map(({ start, count }) => `${new Date(start).toISOString()} ${count}`);

describe('a unit', () => {
  it.each([
    [0, 'second'],
    [179_999, 'second'],
    [180_000, 'minute'],
    [180 * 60_000, 'hour'],
    [180 * 3_600_000, 'day'],
    [10_000 * DAY, 'day'],
  ] as const)('of a range of %i ms is a %s', (length, unit) =>
    expect(unitFor(1_000, 1_000 + length)).toBe(unit),
  );

  it('of a range that says nothing is a day', () => {
    const between = (from: string, to: string) => unitForRange({ kind: 'between', from, to });
    expect([unitForRange({ kind: 'all' }), between('', '2026-01-01T00:00:00Z'), between('x', '')]).toEqual([
      'day',
      'day',
      'day',
    ]);
    expect(between('2026-03-29T00:30:00Z', '2026-03-29T02:30:00Z')).toBe('minute');
  });
});

describe('the column that says when', () => {
  it.each([
    [[], null],
    [[{ count: 3 }], null],
    [[{ day: '2026-03-29' }], null],
    [[{ at: '2026-03-29T00:00:00Z', timestamp: 5 }], 'at'],
    [[{ at: '2026-03-29T00:00:00Z', timestamp: '2026-03-29T01:00:00Z' }], 'timestamp'],
  ])('of %j is %s', (rows, column) => expect(timeColumn(rows)).toBe(column));
});

describe('counts', () => {
  it('have the empty stretches between the others', () => {
    const counts = countRows(
      rowsAt('2026-03-29T00:00:30.999Z', '2026-03-29T00:03:01Z', '2026-03-29T00:03:59Z'),
    );
    expect(counts?.unit).toBe('minute');
    expect(shown(counts)).toEqual([
      '2026-03-29T00:00:00.000Z 1',
      '2026-03-29T00:01:00.000Z 0',
      '2026-03-29T00:02:00.000Z 0',
      '2026-03-29T00:03:00.000Z 2',
    ]);
  });

  it('are null without a time, and leave out the rows that have none', () => {
    expect([countRows([]), countRows([{ a: 1 }]), parseCounts([], 'day')]).toEqual([null, null, null]);
    const counts = countRows([
      ...rowsAt('2026-03-29T00:00:00Z'),
      { timestamp: null },
      { timestamp: 'never' },
    ]);
    expect(shown(counts)).toEqual(['2026-03-29T00:00:00.000Z 1']);
  });

  it('put times of other zones, and those before 1970, where they belong', () => {
    const counts = countRows(rowsAt('1969-12-31T23:30:00Z', '1970-01-01T03:15:00+01:00'));
    expect([counts?.unit, shown(counts).at(0), shown(counts).at(-1)]).toEqual([
      'minute',
      '1969-12-31T23:30:00.000Z 1',
      '1970-01-01T02:15:00.000Z 1',
    ]);
  });

  it('of many years are by month, of many centuries by year', () => {
    const counts = countRows(rowsAt('1970-01-01T00:00:00Z', '1970-01-31T00:00:00Z', '2026-11-21T10:00:00Z'));
    expect([counts?.unit, counts?.buckets.length]).toEqual(['month', 56 * 12 + 11]);
    expect([shown(counts)[0], shown(counts)[1], shown(counts).at(-1)]).toEqual([
      '1970-01-01T00:00:00.000Z 2',
      '1970-02-01T00:00:00.000Z 0',
      '2026-11-01T00:00:00.000Z 1',
    ]);
    const old = countRows(rowsAt('1066-10-14T09:00:00Z', '2026-11-21T10:00:00Z'));
    expect([old?.unit, old?.buckets.length, shown(old)[0]]).toEqual([
      'year',
      961,
      '1066-01-01T00:00:00.000Z 1',
    ]);
  });

  it.each(['Europe/Dublin', 'Asia/Kolkata', 'America/St_Johns'])(
    'are those of UTC for a reader in %s, through the nights in which clocks change',
    (zone) => {
      const times = [
        '2026-03-29T00:30:00',
        '2026-03-29T01:30:00',
        '2026-03-29T02:30:00',
        '2026-10-25T01:30:00',
      ];
      const rows = [...rowsAt(...times), ...rowsAt(...times.map((time) => `${time}Z`))];
      const script = `import { countRows } from '${LOGS}counts.ts';
        const rows = ${JSON.stringify(rows)};
        const filled = [countRows([...rows.slice(0, 3), ...rows.slice(4, 7)]), countRows(rows)]
          .map(({ buckets }) => buckets.filter(({ count }) => count > 0)
            .map(({ start, count }) => [new Date(start).toISOString(), count]));
        console.log(JSON.stringify(filled));`;
      expect(inZone(zone, script)).toEqual([
        [
          ['2026-03-29T00:30:00.000Z', 2],
          ['2026-03-29T01:30:00.000Z', 2],
          ['2026-03-29T02:30:00.000Z', 2],
        ],
        [
          ['2026-03-29T00:00:00.000Z', 6],
          ['2026-10-25T00:00:00.000Z', 2],
        ],
      ]);
    },
  );

  it('of a counting query are spread like the others', () => {
    const rows = [
      { timestamp: '2026-03-29T00:00:00Z', count: 7 },
      { timestamp: '2026-03-29T02:00:00Z', count: '5' },
    ];
    expect(shown(parseCounts(rows, 'hour'))).toEqual([
      '2026-03-29T00:00:00.000Z 7',
      '2026-03-29T01:00:00.000Z 0',
      '2026-03-29T02:00:00.000Z 5',
    ]);
  });
});

describe('the query that counts all', () => {
  const asked: LogQuery = {
    endpoint: 'logs.all',
    language: 'stored',
    query: '',
    parameters: { project: 'p' },
    range: { kind: 'all' },
    redact: true,
  };
  const by = (language: LogQuery['language'], query: string, reads: string | null = 'edge_logs') =>
    countingQuery({ ...asked, language, query }, { reads, unit: 'hour' });

  it('is one over what the stored query reads, with all else as it was asked', () => {
    const query =
      'select timestamp_trunc(timestamp, hour) as timestamp, count(*) as count from edge_logs group by 1 order by 1';
    expect(by('stored', '')).toEqual({ ...asked, language: 'sql', query });
    expect(by('stored', '', null)).toBeNull();
  });

  it.each([
    ['select id from t;', 'from (select id from t\n) as asked'],
    ['  select id from t -- newest\n', 'from (select id from t -- newest\n) as asked'],
  ])('is one over %j', (query, from) => expect(by('sql', query)?.query).toContain(from));

  it('is an aggregate where it was LQL, unless that counts or chooses already', () => {
    expect(by('lql', 'm.a:1')?.query).toBe('m.a:1 c:count(*) c:group_by(t::hour)');
    expect([by('lql', 'm.a:1 c:count(*)'), by('lql', 's:id')]).toEqual([null, null]);
  });
});

it('a range that was chosen in the chart has the buckets that were chosen, and none before them', () => {
  const from = Date.UTC(2026, 1, 3, 4);
  const counts = parseCounts(
    [{ timestamp: '2026-02-03T04:01:00Z', count: 2 }],
    'minute',
    boundsOf(rangeOf(from, from + 3 * 60_000)),
  );
  expect(counts?.buckets.map(({ start, count }) => [(start - from) / 60_000, count])).toEqual([
    [0, 0],
    [1, 2],
    [2, 0],
  ]);
});

describe('the bounds of a range as its author writes them', () => {
  it.each(['UTC', 'America/New_York', 'Asia/Kolkata'])('are of UTC for a reader in %s', (zone) => {
    const texts = [
      '2026-03-08',
      '2026-03-08 02:30',
      '2026-3-8 2:30:00',
      '2026-03-08T04:30:00.5+02',
      '08.03.2026',
    ];
    const script = `import { boundsOf } from '${LOGS}counts.ts';
      import { narrowed } from '${LOGS}log-query.ts';
      const range = (from) => ({ kind: 'between', from, to: '' });
      const first = Date.UTC(2026, 2, 8, 2, 30);
      console.log(JSON.stringify([
        ...${JSON.stringify(texts)}.map((from) => boundsOf(range(from)).from),
        narrowed(range('2026-03-08 02:30'), first, first + 60_000).from]));`;
    const half = Date.UTC(2026, 2, 8, 2, 30);
    expect(inZone(zone, script)).toEqual([
      Date.UTC(2026, 2, 8) + 1,
      half + 1,
      half + 1,
      half + 501,
      null,
      '2026-03-08 02:30',
    ]);
  });

  it('leave out one that names its zone, which the chart need not know', () => {
    const range = {
      kind: 'between',
      from: '2026-03-08 02:30:00 Europe/Berlin',
      to: '2026-03-08T05:00:00Z',
    } as const;
    const counts = parseCounts(
      rowsAt('2026-03-08T03:00:00Z').map((row) => ({ ...row, count: 4 })),
      'hour',
      boundsOf(range),
    );
    expect(shown(counts)).toEqual([
      '2026-03-08T03:00:00.000Z 4',
      '2026-03-08T04:00:00.000Z 0',
      '2026-03-08T05:00:00.000Z 0',
    ]);
  });
});
