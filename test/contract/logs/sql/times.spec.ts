/** Functions of moments, dates and zones, one expression a line, worked out by hand from a calendar. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Json } from '../../../../src/foundation/log-store/sources.js';
import { type LogQueries, openLogQueries } from '../../../support/log-queries.js';

/** 2026-03-17T14:47:02.123456Z: a Tuesday, day 76 of the year, in ISO week 12; Berlin is an hour ahead. */
const AT = Date.UTC(2026, 2, 17, 14, 47, 2) * 1_000 + 123_456;

let world: LogQueries;
beforeAll(async () => {
  world = await openLogQueries({
    edge_logs: [{ timestamp: AT, metadata: { seconds: 1_710_683_222, when: '2026-03-01' } }],
  });
});
afterAll(() => world.close());

const table = (name: string, cases: readonly (readonly [expression: string, value: Json])[]): void => {
  describe(name, () => {
    it.each(cases)('%s', async (expression, value) => {
      const rows = await world.rows(
        `select ${expression} as x from edge_logs t cross join unnest(metadata) as m`,
      );
      expect(rows).toEqual([{ x: value }]);
    });
  });
};

table('moments', [
  ['timestamp', '2026-03-17T14:47:02.123456Z'],
  ['current_timestamp()', '2026-03-17T12:00:00.000000Z'],
  ['current_timestamp', '2026-03-17T12:00:00.000000Z'],
  ['current_date()', '2026-03-17'],
  ["current_date('Pacific/Auckland')", '2026-03-18'],
  ["timestamp('2026-03-17 10:00:00')", '2026-03-17T10:00:00.000000Z'],
  ["timestamp('2026-03-17T10:00Z')", '2026-03-17T10:00:00.000000Z'],
  ["timestamp('2026-03-17T10:00:00.123456+05:30')", '2026-03-17T04:30:00.123456Z'],
  ["timestamp('2026-03-17 10:00:00', 'Europe/Berlin')", '2026-03-17T09:00:00.000000Z'],
  ["timestamp('2026-07-17 10:00:00', 'Europe/Berlin')", '2026-07-17T08:00:00.000000Z'],
  ["timestamp('2026-03-17 10:00:00Z', 'Europe/Berlin')", '2026-03-17T10:00:00.000000Z'],
  ["timestamp '2026-03-17 10:00:00 Europe/Berlin'", '2026-03-17T09:00:00.000000Z'],
  ["timestamp(date '2026-03-17')", '2026-03-17T00:00:00.000000Z'],
  ["timestamp('garbage')", null],
  ["timestamp('infinity')", null],
  ['timestamp(m.when)', '2026-03-01T00:00:00.000000Z'],
  ['timestamp_seconds(seconds)', '2024-03-17T13:47:02.000000Z'],
  ['timestamp_millis(1710683222123)', '2024-03-17T13:47:02.123000Z'],
  ['timestamp_micros(1710683222123456)', '2024-03-17T13:47:02.123456Z'],
  ['timestamp_seconds(999999999999999)', null],
  ['unix_seconds(timestamp)', 1_773_758_822],
  ['unix_millis(timestamp)', 1_773_758_822_123],
  ['unix_micros(timestamp)', 1_773_758_822_123_456],
  ["unix_seconds(timestamp '1969-12-31 23:59:59.5')", -1],
  ['datetime(timestamp)', '2026-03-17T14:47:02.123456Z'],
  ["datetime(timestamp, 'Europe/Berlin')", '2026-03-17T15:47:02.123456Z'],
  ["datetime(timestamp, '+05:30')", '2026-03-17T20:17:02.123456Z'],
  ["datetime(timestamp, 'UTC')", '2026-03-17T14:47:02.123456Z'],
  ['datetime(2026, 3, 17, 1, 2, 3)', '2026-03-17T01:02:03.000000Z'],
  ['datetime(2026, 2, 30, 1, 2, 3)', null],
  ['date(timestamp)', '2026-03-17'],
  ["date(timestamp, 'Pacific/Auckland')", '2026-03-18'],
  ['date(2026, 3, 17)', '2026-03-17'],
  ["date '2026-03-17'", '2026-03-17'],
]);

table('truncating', [
  ['timestamp_trunc(timestamp, microsecond)', '2026-03-17T14:47:02.123456Z'],
  ['timestamp_trunc(timestamp, millisecond)', '2026-03-17T14:47:02.123000Z'],
  ['timestamp_trunc(timestamp, second)', '2026-03-17T14:47:02.000000Z'],
  ['timestamp_trunc(timestamp, minute)', '2026-03-17T14:47:00.000000Z'],
  ['timestamp_trunc(t.timestamp, HOUR)', '2026-03-17T14:00:00.000000Z'],
  ['timestamp_trunc(timestamp, day)', '2026-03-17T00:00:00.000000Z'],
  ['timestamp_trunc(timestamp, week)', '2026-03-15T00:00:00.000000Z'],
  ['timestamp_trunc(timestamp, week(monday))', '2026-03-16T00:00:00.000000Z'],
  ['timestamp_trunc(timestamp, week(wednesday))', '2026-03-11T00:00:00.000000Z'],
  ['timestamp_trunc(timestamp, isoweek)', '2026-03-16T00:00:00.000000Z'],
  ['timestamp_trunc(timestamp, month)', '2026-03-01T00:00:00.000000Z'],
  ['timestamp_trunc(timestamp, quarter)', '2026-01-01T00:00:00.000000Z'],
  ['timestamp_trunc(timestamp, year)', '2026-01-01T00:00:00.000000Z'],
  ['timestamp_trunc(timestamp, isoyear)', '2025-12-29T00:00:00.000000Z'],
  ["timestamp_trunc(timestamp, day, 'America/New_York')", '2026-03-17T04:00:00.000000Z'],
  ["timestamp_trunc(timestamp, day, '+10:00')", '2026-03-17T14:00:00.000000Z'],
  ["timestamp_trunc(timestamp '2026-10-25 00:30:00', hour, 'Europe/Berlin')", '2026-10-25T00:00:00.000000Z'],
  ["timestamp_trunc(timestamp '2026-10-25 01:30:00', hour, 'Europe/Berlin')", '2026-10-25T01:00:00.000000Z'],
  ["timestamp_trunc(timestamp '2026-10-25 00:30:00', day, 'Europe/Berlin')", '2026-10-24T22:00:00.000000Z'],
  [
    "timestamp_trunc(timestamp '2026-03-29 01:30:30', minute, 'Europe/Berlin')",
    '2026-03-29T01:30:00.000000Z',
  ],
  ["timestamp_trunc(timestamp '2026-03-17 10:45:00', hour, 'Asia/Kolkata')", '2026-03-17T10:30:00.000000Z'],
  ['date_trunc(date(timestamp), month)', '2026-03-01'],
]);

/** Half a second before a day, a week, a month, a quarter and a year begin, and before 1970. */
table('truncating before 1970', [
  ["timestamp_trunc(timestamp '1969-12-31 23:59:59.5004', millisecond)", '1969-12-31T23:59:59.500000Z'],
  ["timestamp_trunc(timestamp '1969-12-31 23:59:59.5', second)", '1969-12-31T23:59:59.000000Z'],
  ["timestamp_trunc(timestamp '1969-12-31 23:59:58.000001', second)", '1969-12-31T23:59:58.000000Z'],
  ["timestamp_trunc(timestamp '1969-12-31 23:59:58', second)", '1969-12-31T23:59:58.000000Z'],
  ["timestamp_trunc(timestamp '1969-12-31 23:59:59.5', minute)", '1969-12-31T23:59:00.000000Z'],
  ["timestamp_trunc(timestamp '1969-12-31 23:59:59.5', hour)", '1969-12-31T23:00:00.000000Z'],
  ["timestamp_trunc(timestamp '1969-12-31 23:59:59.5', day)", '1969-12-31T00:00:00.000000Z'],
  ["timestamp_trunc(timestamp '1969-12-31 22:59:59.5', day, 'Europe/Berlin')", '1969-12-30T23:00:00.000000Z'],
  ["timestamp_trunc(timestamp '1969-11-29 23:59:59.5', week)", '1969-11-23T00:00:00.000000Z'],
  ["timestamp_trunc(timestamp '1969-11-30 23:59:59.5', isoweek)", '1969-11-24T00:00:00.000000Z'],
  ["timestamp_trunc(timestamp '1969-12-31 23:59:59.5', month)", '1969-12-01T00:00:00.000000Z'],
  ["timestamp_trunc(timestamp '1969-12-31 23:59:59.5', quarter)", '1969-10-01T00:00:00.000000Z'],
  ["timestamp_trunc(timestamp '1969-12-31 23:59:59.5', year)", '1969-01-01T00:00:00.000000Z'],
  ["timestamp_trunc(timestamp '1968-12-29 23:59:59.5', isoyear)", '1968-01-01T00:00:00.000000Z'],
  ["format_timestamp('%s', timestamp '1969-12-31 23:59:59.5')", '-1'],
]);

table('calculating', [
  ['timestamp_add(timestamp, interval 1 hour)', '2026-03-17T15:47:02.123456Z'],
  ['timestamp_sub(timestamp, interval 30 minute)', '2026-03-17T14:17:02.123456Z'],
  ['timestamp_sub(timestamp, interval 7 day)', '2026-03-10T14:47:02.123456Z'],
  ['timestamp_add(timestamp, interval 1 microsecond)', '2026-03-17T14:47:02.123457Z'],
  ["timestamp_add(timestamp, interval '2' second)", '2026-03-17T14:47:04.123456Z'],
  ['timestamp_add(timestamp, interval -1 day)', '2026-03-16T14:47:02.123456Z'],
  ['timestamp - interval 1 day', '2026-03-16T14:47:02.123456Z'],
  ['timestamp + interval 1 month', '2026-04-17T14:47:02.123456Z'],
  ['date_add(date(timestamp), interval 20 day)', '2026-04-06'],
  ['date_sub(date(timestamp), interval 1 month)', '2026-02-17'],
  ["timestamp_diff(timestamp, timestamp '2026-03-17 13:47:02.123457', hour)", 0],
  ["timestamp_diff(timestamp, timestamp '2026-03-17 13:47:02.123456', hour)", 1],
  ["timestamp_diff(timestamp '2026-03-17 10:00:00', timestamp '2026-03-17 13:30:00', hour)", -3],
  ["timestamp_diff(timestamp, '2026-03-17T14:47:00Z', millisecond)", 2_123],
  ["timestamp_diff(timestamp, '2026-03-16T00:00:00Z', day)", 1],
  ["date_diff(date '2026-03-17', date '2026-02-28', month)", 1],
  ["date_diff(date '2026-03-15', date '2026-03-14', week)", 1],
  ["date_diff(date '2026-03-16', date '2026-03-15', week)", 0],
  ["datetime_diff(datetime '2026-03-17 00:00:00', datetime '2026-03-16 23:59:59', day)", 1],
  ['extract(year from timestamp)', 2026],
  ['extract(month from timestamp)', 3],
  ['extract(day from timestamp)', 17],
  ['extract(hour from timestamp)', 14],
  ["extract(hour from timestamp at time zone 'Europe/Berlin')", 15],
  ['extract(minute from timestamp)', 47],
  ['extract(second from timestamp)', 2],
  ['extract(millisecond from timestamp)', 123],
  ['extract(microsecond from timestamp)', 123_456],
  ['extract(dayofweek from timestamp)', 3],
  ['extract(dayofyear from timestamp)', 76],
  ['extract(week from timestamp)', 11],
  ['extract(isoweek from timestamp)', 12],
  ['extract(quarter from timestamp)', 1],
  ['extract(isoyear from timestamp)', 2026],
  ['extract(date from timestamp)', '2026-03-17'],
]);

table('formats', [
  ["format_timestamp('%F %T', timestamp)", '2026-03-17 14:47:02'],
  ["format_timestamp('%Y-%m-%dT%H:%M:%E6SZ', timestamp)", '2026-03-17T14:47:02.123456Z'],
  ["format_timestamp('%E3S', timestamp)", '02.123'],
  ["format_timestamp('%E1S|%E*S', timestamp)", '02.1|02.123456'],
  ["format_timestamp('%E*S', timestamp '2026-03-17 10:00:00.120')", '00.12'],
  ["format_timestamp('%T|%E*S', timestamp '2026-03-17 10:00:50')", '10:00:50|50'],
  ["format_timestamp('%H:%M', timestamp, 'Europe/Berlin')", '15:47'],
  ["format_timestamp('%Ez|%z|%Z', timestamp, 'Europe/Berlin')", '+01:00|+0100|Europe/Berlin'],
  ["format_timestamp('%z', timestamp, '-02:30')", '-0230'],
  ["format_timestamp('%a %A %b %B', timestamp)", 'Tue Tuesday Mar March'],
  ["format_timestamp('%e|%k|%I %p|%P', timestamp)", '17|14|02 PM|pm'],
  ["format_timestamp('%j %U %V %G %g %u %w', timestamp)", '076 11 12 2026 26 2 2'],
  ["format_timestamp('%s', timestamp)", '1773758822'],
  ["format_timestamp('%D %R %y %C %Q', timestamp)", '03/17/26 14:47 26 20 1'],
  ["format_timestamp('%c', timestamp '2026-03-07 01:02:03')", 'Sat Mar  7 01:02:03 2026'],
  ["format_timestamp('100%%', timestamp)", '100%'],
  ["format_timestamp('%F', null)", null],
  ["format_date('%d.%m.%Y', date(timestamp))", '17.03.2026'],
  ["parse_timestamp('%Y-%m-%d %H:%M', '2026-03-17 10:30')", '2026-03-17T10:30:00.000000Z'],
  ["parse_timestamp('%Y-%m-%d %H:%M', '2026-03-17 10:30', 'Europe/Berlin')", '2026-03-17T09:30:00.000000Z'],
  ["parse_timestamp('%F', 'garbage')", null],
  ["parse_timestamp('%F %H:%M:%E*S', '2026-03-17 10:30:01.25')", '2026-03-17T10:30:01.250000Z'],
  ["parse_timestamp('%F %H:%M:%E*S', '2026-03-17 10:30:01')", '2026-03-17T10:30:01.000000Z'],
  ["parse_timestamp('%FT%H:%M:%E*S%Ez', '2026-03-17T10:30:01.25+02:00')", '2026-03-17T08:30:01.250000Z'],
  ["parse_timestamp('%FT%H:%M:%E*S%Ez', '2026-03-17T10:30:01.25Z')", '2026-03-17T10:30:01.250000Z'],
  ["parse_timestamp('%FT%H:%M:%E*S%Ez', '2026-03-17T10:30:01.123456789Z')", '2026-03-17T10:30:01.123456Z'],
  ["parse_timestamp('%FT%H:%M:%E*SZ', '2026-03-17T10:30:01.9999999Z')", '2026-03-17T10:30:01.999999Z'],
  ["parse_timestamp('%Y.%m%d%H%M %E*S UTC', '2026.03171030 01.1234567 UTC')", '2026-03-17T10:30:01.123456Z'],
  [
    `parse_timestamp('%F %H:%M:%E*S', '2026-03-17 10:30:01.${'1'.repeat(40)}')`,
    '2026-03-17T10:30:01.111111Z',
  ],
  ["parse_timestamp('%F %H:%M:%E*S', '2026-03-17 10:30:01.1234567x')", null],
  ["parse_timestamp('%FT%T%z', '2026-03-17T10:30:01Z')", '2026-03-17T10:30:01.000000Z'],
  ["parse_timestamp('%FT%TZ', '2026-03-17T10:30:01Z')", '2026-03-17T10:30:01.000000Z'],
  ["parse_timestamp('%%Y %H:%M', '%Y 10:30')", '1970-01-01T10:30:00.000000Z'],
  ["parse_timestamp('%H:%M', '10:30')", '1970-01-01T10:30:00.000000Z'],
  ["parse_date('%d.%m.%Y', '17.03.2026')", '2026-03-17'],
]);

table('buckets and series', [
  ['timestamp_bucket(timestamp, interval 5 minute)', '2026-03-17T14:45:00.000000Z'],
  [
    "timestamp_bucket(timestamp, interval 1 day, timestamp '2026-01-01 18:00:00')",
    '2026-03-16T18:00:00.000000Z',
  ],
  ['timestamp_bucket(timestamp, interval 0 day)', null],
  ['datetime_bucket(timestamp, interval 6 hour)', '2026-03-17T12:00:00.000000Z'],
  // 27834 days after 1950-01-01, an even number.
  ["date_bucket(date '2026-03-18', interval 2 day)", '2026-03-17'],
  [
    "generate_timestamp_array(timestamp '2026-03-17', timestamp '2026-03-18', interval 12 hour)",
    ['2026-03-17T00:00:00.000000Z', '2026-03-17T12:00:00.000000Z', '2026-03-18T00:00:00.000000Z'],
  ],
  ["generate_timestamp_array(timestamp '2026-01-01', timestamp '2020-01-01', interval 1 second)", []],
  ["array_length(generate_timestamp_array('2020-01-01', '2020-01-01 02:46:39', interval 1 second))", 10_000],
  ["generate_date_array(date '2026-02-28', date '2026-03-02')", ['2026-02-28', '2026-03-01', '2026-03-02']],
  [
    "generate_date_array(date '2026-01-31', date '2026-03-01', interval 1 month)",
    ['2026-01-31', '2026-02-28'],
  ],
  ['generate_array(1, 6, 2)', [1, 3, 5]],
  ['generate_array(3, 1, -1)', [3, 2, 1]],
  ['generate_array(1000000000, 1)', []],
  ['array_length(generate_array(1, 10000))', 10_000],
  ['generate_array(1, 5, 0)', null],
  ["last_day(date '2028-02-03')", '2028-02-29'],
  ["unix_date(date '1970-01-31')", 30],
  ['date_from_unix_date(-1)', '1969-12-31'],
  ['date_from_unix_date(9000000)', null],
  ["date '2026-02-28' + 1", '2026-03-01'],
  ["date '2026-03-01' - 1", '2026-02-28'],
  ["date '2026-03-01' + 9007199254740991", null],
]);
