/** Axes of charts: round values, few names, and everything that is drawn within them. */
import { describe, expect, it } from '@jest/globals';
import { dateAxis, dayNumber, plottedValue, valueAxis } from '../../../web/src/chart-scale.js';

const named = ({ ticks }: { readonly ticks: readonly { readonly text: string }[] }) =>
  ticks.map(({ text }) => text);

describe('values', () => {
  it.each([
    ['seconds', [391, 1_248], 'time', ['0', '5', '10', '15']],
    ['fractions of a second', [98, 131], 'time', ['0.90', '1.00', '1.10', '1.20', '1.30', '1.40']],
    ['minutes', [5_800, 19_000], 'time', ['0', '1:00', '2:00', '3:00', '4:00']],
    ['a single value', [1_000], 'time', ['10.00', '10.05']],
    ['moves', [19, 32], 'number', ['15', '20', '25', '30', '35']],
  ] as const)('of %s', (_, values, format, expected) => {
    const axis = valueAxis(values, format);
    expect(named(axis)).toEqual(expected);
    for (const value of values) {
      expect(axis.scale(value)).toBeGreaterThanOrEqual(0);
      expect(axis.scale(value)).toBeLessThanOrEqual(1);
    }
  });

  it('are points in multi events, means of moves, and nothing for what is no value', () => {
    expect(plottedValue(999_700_100_000_002, 'multi', 'single')).toBe(2);
    expect(plottedValue(2_567, 'number', 'average')).toBe(25.67);
    expect([plottedValue(-1, 'time', 'single'), plottedValue(8_640_000, 'time', 'single')]).toEqual([
      null,
      null,
    ]);
  });
});

describe('dates', () => {
  it.each([
    ['years', ['2005-01-01', '2013-08-01'], ['2006', '2008', '2010', '2012']],
    ['months', ['2024-01-15', '2024-06-01'], ['Mar 2024', 'May 2024']],
    ['few days', ['2024-01-02', '2024-01-09'], ['2 Jan 2024', '9 Jan 2024']],
  ])('over %s', (_, dates, expected) => {
    const axis = dateAxis(dates);
    expect(named(axis)).toEqual(expected);
    expect([axis.scale(dayNumber(dates[0] ?? '')), axis.scale(dayNumber(dates[1] ?? ''))]).toEqual([0, 1]);
  });
});
