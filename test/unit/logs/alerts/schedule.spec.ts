/** When runs are due, and the entries that each looks at. */
import { describe, expect, it } from '@jest/globals';
import { dueTimes, MAX_RUNS, windowOf, windowParameters } from '../../../../src/logs/alerts/schedule.js';

const at = (text: string): number => Date.parse(`2026-03-17T${text}Z`);
const iso = (times: readonly number[]): readonly string[] =>
  times.map((time) => new Date(time).toISOString().slice(11, 16));

describe('runs', () => {
  it.each([
    ['none between two of them', '10:01', '10:04:59', []],
    ['at its multiples', '10:00', '10:12', ['10:05', '10:10']],
    ['also at the very end', '10:00', '10:05', ['10:05']],
    ['none after a clock was set back', '10:10', '10:02', []],
  ])('are due: %s', (_, after, until, expected) => {
    expect(iso(dueTimes(5, at(`${after}:00`), at(`${until}:00`.slice(0, 8))))).toEqual(expected);
  });

  it('are the newest thousand after a long time without a server', () => {
    const times = dueTimes(1, 0, at('10:00:00'));
    expect(times).toHaveLength(MAX_RUNS);
    expect(iso(times.slice(-1))).toEqual(['10:00']);
  });
});

describe('the window', () => {
  it('ends a minute before the run, and the windows of consecutive runs touch', () => {
    const [one, two] = [windowOf(at('10:05:00'), 5), windowOf(at('10:10:00'), 5)];
    expect(one).toEqual({ from: at('09:59:00'), until: at('10:04:00') });
    expect(two.from).toBe(one.until);
  });

  it('is bounded for queries that take entries after the start, up to and with the end', () => {
    expect(windowParameters(windowOf(at('10:05:00'), 5))).toEqual({
      iso_timestamp_start: '2026-03-17T09:58:59.999999Z',
      iso_timestamp_end: '2026-03-17T10:03:59.999999Z',
    });
  });
});
