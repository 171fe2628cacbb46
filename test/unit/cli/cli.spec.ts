/** How the words of a command line are read, and how its answers are laid out. */
import { describe, expect, it, jest } from '@jest/globals';
import { InvalidArgumentError } from 'commander';
import {
  advancement,
  calendarDate,
  cutoff,
  duration,
  positiveInteger,
  region,
  timeline,
} from '../../../src/cli/arguments.js';
import { keyValueLines, table } from '../../../src/cli/output.js';
import { Pace, timeLeft } from '../../../src/cli/progress.js';
import { sizeText } from '../../../src/cli/sqlite-file.js';

describe('words of a command line', () => {
  it.each([
    ['10:00', 60_000],
    ['59.99', 5_999],
    ['59.9', 5_990],
    ['1:02:03.45', 372_345],
    ['6000', 6_000],
  ])('the time %s is %d centiseconds', (text, expected) => {
    expect(duration(text)).toBe(expected);
  });

  it.each([
    ['2:1:00', { numberOfAttempts: 2, attemptResult: 6_000 }],
    ['1:25', { numberOfAttempts: 1, attemptResult: 25 }],
  ])('the cutoff %s', (text, expected) => {
    expect(cutoff(text)).toEqual(expected);
  });

  it.each([
    ['16', { type: 'number', value: 16 }],
    ['75%', { type: 'percent', value: 75 }],
    ['under:10.00', { type: 'value', value: 1_000 }],
    ['under:25', { type: 'value', value: 25 }],
  ])('the advancement %s', (text, expected) => {
    expect(advancement(text)).toEqual(expected);
  });

  it.each([
    ['ie', [{ from: null, regionCode: 'IE' }]],
    [
      'IE,2020-05-01:GB,2024-01-01:none',
      [
        { from: null, regionCode: 'IE' },
        { from: '2020-05-01', regionCode: 'GB' },
        { from: '2024-01-01', regionCode: null },
      ],
    ],
  ])('the timeline %s', (text, expected) => {
    expect(timeline(text)).toEqual(expected);
  });

  it.each<[(text: string) => unknown, string]>([
    [duration, 'soon'],
    [duration, '0'],
    [duration, '0.00'],
    [duration, '1.234'],
    [cutoff, '2'],
    [cutoff, 'x:1:00'],
    [advancement, 'all'],
    [calendarDate, '2026-02-30'],
    [calendarDate, '11.4.2026'],
    [positiveInteger, '0'],
    [positiveInteger, '1e3'],
    [positiveInteger, '-1'],
    [timeline, 'IE,'],
    [timeline, '2020-13-01:IE'],
    [timeline, 'ZZ'],
    [region, 'XE'],
  ])('%p refuses %s as a usage error', (read, text) => {
    expect(() => read(text)).toThrow(InvalidArgumentError);
  });
});

describe('answers for people', () => {
  it('lays columns out as wide as their widest cell', () => {
    expect(
      table(
        [
          { id: 1, name: 'Aoife' },
          { id: 12, name: null },
        ],
        { id: 'id', name: ({ name }) => name },
      ),
    ).toBe('id  name\n1   Aoife\n12  —');
  });

  it('puts values of facts under each other', () => {
    expect(
      keyValueLines([
        ['id', 7],
        ['region', null],
      ]),
    ).toBe('id      7\nregion  —');
  });

  it.each([
    [4.2, '5 s'],
    [125, '2 min 5 s'],
    [3_725, '1 h 2 min'],
  ])('says %d seconds as %s', (seconds, expected) => {
    expect(timeLeft(seconds)).toBe(expected);
  });

  it('counts events where the positions are bytes, and takes the time left from the positions', () => {
    const now = jest.spyOn(Date, 'now').mockReturnValue(0);
    const pace = new Pace();
    expect(pace.text(0, 4_000_000, 'events', 0)).toBe('');
    now.mockReturnValue(2_000);
    expect(pace.text(1_000_000, 4_000_000, 'events', 1_800)).toBe('900 events/s, 6 s left');
    expect(pace.text(1_000_000, 4_000_000, 'rows')).toBe('500,000 rows/s, 6 s left');
    now.mockRestore();
  });

  it.each([
    [0, '0 B'],
    [999, '999 B'],
    [12_345, '12.3 kB'],
    [5_000_000_000, '5.0 GB'],
  ])('says %d bytes as %s', (bytes, expected) => {
    expect(sizeText(bytes)).toBe(expected);
  });
});
