/** The time of an entry: every form that senders write, and near misses. */
import { describe, expect, it } from '@jest/globals';
import { entryTime } from '../../src/logs/ingest/entry-time.js';

const NOON = Date.UTC(2026, 2, 1, 12) * 1_000;

describe('the time of an entry', () => {
  it.each<[unknown, number]>([
    ['2026-03-01T12:00:00Z', NOON],
    ['2026-03-01T12:00:00', NOON],
    ['2026-03-01 12:00:00', NOON],
    ['2026-03-01t12:00z', NOON],
    ['2026-03-01', NOON - 12 * 3_600_000_000],
    ['2026-03-01T12:00:00.1Z', NOON + 100_000],
    ['2026-03-01T12:00:00.000001Z', NOON + 1],
    ['2026-03-01T12:00:00.0000019Z', NOON + 1],
    ['2026-03-01T12:00:00,5Z', NOON + 500_000],
    ['2026-03-01T14:00:00+02:00', NOON],
    ['2026-03-01T14:00:00+0200', NOON],
    ['2026-03-01T14:00:00+02', NOON],
    ['2026-02-28T23:30:00-12:30', NOON],
    ['1969-12-31T23:59:59.999999Z', -1],
    [1_772_366_400, NOON],
    [1_772_366_400_000, NOON],
    [1_772_366_400_000_001, NOON + 1],
    ['1772366400', NOON],
    ['1772366400000', NOON],
    ['1772366400000001', NOON + 1],
    ['9999-12-31T23:59:59.999999Z', Date.UTC(10_000, 0) * 1_000 - 32],
  ])('%p', (given, expected) => {
    expect(entryTime(given)).toBe(expected);
  });

  it.each<unknown>([
    '',
    'now',
    '2026-13-01T00:00:00Z',
    '2026-02-29T00:00:00Z',
    '2026-03-01T24:00:00Z',
    '2026-03-01T12:60:00Z',
    '2026-03-01T12:00:00.Z',
    '2026-03-01T12:00:00+24:00',
    '2026-03-01T12:00:00Zulu',
    '26-03-01',
    '0099-01-01T00:00:00Z',
    '0100-01-01T00:00:00+00:01',
    '9999-12-31T23:59:59-00:01',
    123,
    17_723_664_000,
    -1_772_366_400,
    1_772_366_400.5,
    Number.NaN,
    true,
    {},
    null,
  ])('%p is none', (given) => {
    expect(entryTime(given)).toBeNull();
  });
});
