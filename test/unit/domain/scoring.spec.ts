import { describe, expect, it } from '@jest/globals';
import { type RoundFormat, TIME_NOT_KNOWN, type ValueFormat } from '../../../src/domain/attempts.js';
import {
  attemptsBehindCutoff,
  averageOf,
  decodeMulti,
  encodeMulti,
  isCutoffMet,
  placesOf,
  singleOf,
  timeSpentOn,
  valueProblem,
} from '../../../src/domain/scoring.js';

const rules = (format: RoundFormat, valueFormat: ValueFormat = 'time') => ({
  format,
  valueFormat,
  cutoff: null,
});

describe('the single', () => {
  it.each([
    [[1200, 1100, 1300], 1100],
    [[-1, 1100, 0], 1100],
    [[-1, -2], -1],
    [[0, 0, 0], -1],
    [[TIME_NOT_KNOWN, -1], TIME_NOT_KNOWN],
    [[-899_900_000_000_000, 998_800_000_000_000], 998_800_000_000_000],
  ])('of %j is %d', (attempts, single) => {
    expect(singleOf(attempts)).toBe(single);
  });
});

describe('the average of five', () => {
  it.each([
    ['drops best and worst', [1000, 1100, 1200, 1300, 5000], 1200],
    ['rounds a third down', [1, 1000, 1000, 1001, 9999], 1000],
    ['rounds two thirds up', [1, 1000, 1001, 1001, 9999], 1001],
    ['counts one DNF as the worst', [1000, 1100, 1200, 1300, -1], 1200],
    ['counts one DNS as the worst', [-2, 1000, 1100, 1200, 1300], 1200],
    ['is DNF with two', [1000, 1100, 1200, -1, -2], -1],
    ['is none while one is missing', [1000, 1100, 1200, 1300, 0], 0],
    ['is none while one is missing, whatever else', [-1, -1, 0, 1000, 1000], 0],
    ['drops one time that is not known', [1000, 1100, 1200, 1300, TIME_NOT_KNOWN], 1200],
    ['is none where such a time counts', [1000, 1100, 1200, -1, TIME_NOT_KNOWN], 0],
    ['is none where one of two such times counts', [1000, 1100, 1200, TIME_NOT_KNOWN, TIME_NOT_KNOWN], 0],
    ['keeps centiseconds up to ten minutes', [1, 60_000, 60_000, 60_000, 99_999], 60_000],
    ['rounds to the second above', [1, 60_000, 60_000, 60_001, 99_999], 60_000],
    ['rounds half a second up', [1, 60_050, 60_050, 60_050, 99_999], 60_100],
    ['rounds less than half down, once', [1, 60_049, 60_050, 60_050, 99_999], 60_000],
  ])('%s', (_, attempts, average) => {
    expect(averageOf(attempts, rules('a'))).toBe(average);
    expect(averageOf(attempts, rules('5'))).toBe(average);
  });
});

describe('the mean of three', () => {
  it.each([
    [[1000, 1100, 1201], 1100],
    [[1000, 1100, 1202], 1101],
    [[1000, 1100, -1], -1],
    [[1000, 1100, 0], 0],
    [[1000, 1100, TIME_NOT_KNOWN], 0],
    [[1000, -1, TIME_NOT_KNOWN], -1],
  ])('of %j is %d', (attempts, average) => {
    expect(averageOf(attempts, rules('m'))).toBe(average);
    expect(averageOf(attempts, rules('3'))).toBe(average);
  });

  it('is 100 times the mean in number events', () => {
    expect(averageOf([24, 25, 26], rules('m', 'number'))).toBe(2500);
    expect(averageOf([24, 25, 25], rules('m', 'number'))).toBe(2467);
    expect(averageOf([30, 31, 31], rules('m', 'number'))).toBe(3067);
  });

  it('knows no unknown times in number events, and no ten minutes', () => {
    expect(averageOf([TIME_NOT_KNOWN, TIME_NOT_KNOWN, TIME_NOT_KNOWN], rules('m', 'number'))).toBe(
      100 * TIME_NOT_KNOWN,
    );
    expect(averageOf([1001, 1001, 1002], rules('m', 'number'))).toBe(100_133);
  });

  it('is none in multi events', () => {
    const value = encodeMulti({ solved: 8, missed: 0, centiseconds: 300_000, dnf: false });
    expect(averageOf([value, value, value], rules('m', 'multi'))).toBe(0);
  });
});

describe('the average', () => {
  it.each(['1', '2'] as const)('is none in format %s', (format) => {
    expect(averageOf([1000, 1000], rules(format))).toBe(0);
  });

  it('is none where the cutoff was not met', () => {
    const cutoff = { numberOfAttempts: 2, attemptResult: 1000 };
    expect(averageOf([1000, 1100, 900, 900, 900], { ...rules('a'), cutoff })).toBe(0);
    expect(averageOf([1000, 999, 900, 900, 900], { ...rules('a'), cutoff })).toBe(933);
  });
});

describe('a cutoff', () => {
  const cutoff = { numberOfAttempts: 2, attemptResult: 1000 };
  it.each([
    ['by one strictly below', [1200, 999], true],
    ['not by one equal', [1200, 1000], false],
    ['not by a DNF', [-1, -2], false],
    ['not by a later one', [0, 0, 500], false],
  ])('is met %s', (_, attempts, met) => {
    expect(isCutoffMet(attempts, cutoff)).toBe(met);
  });

  it('is always met where there is none', () => {
    expect(isCutoffMet([], null)).toBe(true);
    expect(attemptsBehindCutoff([1, 1, 1], null)).toEqual([]);
  });

  it('has behind it what was taken', () => {
    expect(attemptsBehindCutoff([1, 0, 0, -1, 5], cutoff)).toEqual([4, 5]);
  });
});

describe('the time spent', () => {
  it('leaves out DNFs and times that are not known', () => {
    expect(timeSpentOn([1000, -1, -2, 0, TIME_NOT_KNOWN, 500])).toBe(1500);
  });
});

describe('a value', () => {
  it.each([
    [0, 'time'],
    [-1, 'number'],
    [-2, 'multi'],
    [1, 'time'],
    [999_999_999_999_999, 'number'],
    [9991_0300000_0002, 'multi'],
    [-1_0001_0300000_0007, 'multi'],
  ] as const)('%d is valid in %s events', (value, format) => {
    expect(valueProblem(value, format)).toBeNull();
  });

  it.each([
    [-3, 'time'],
    [-3, 'number'],
    [1.5, 'time'],
    [Number.NaN, 'time'],
    [Number.POSITIVE_INFINITY, 'multi'],
    [1_000_000_000_000_000, 'time'],
    [1_000_000_000_000_000, 'multi'],
    // No puzzle was attempted.
    [9999_0300000_0000, 'multi'],
    // More were missed than there can have been.
    [-2_9999_0300000_0001, 'multi'],
  ] as const)('%d is not in %s events', (value, format) => {
    expect(valueProblem(value, format)).not.toBeNull();
  });
});

describe('a multi value', () => {
  it('holds points, time and missed', () => {
    expect(decodeMulti(9991_0300000_0002)).toEqual({
      solved: 10,
      missed: 2,
      points: 8,
      centiseconds: 300_000,
      dnf: false,
    });
  });

  it('of a DNF keeps its details', () => {
    const dnf = { solved: 5, missed: 7, centiseconds: 313_300, dnf: true };
    expect(decodeMulti(encodeMulti(dnf))).toEqual({ ...dnf, points: -2 });
  });

  it.each([0, -1, -2])('%d has no details', (value) => {
    expect(decodeMulti(value)).toBeNull();
  });
});

const scored = (best: number, average: number) => ({ best, average });

describe('places', () => {
  it('rank averages by average, then single', () => {
    const scores = [scored(900, 1100), scored(950, 1000), scored(800, 1100), scored(700, -1), scored(-1, -1)];
    expect(placesOf(scores, 'a')).toEqual([3, 1, 2, 4, 5]);
  });

  it('rank bests by single, then average', () => {
    const scores = [scored(900, 1100), scored(900, 1000), scored(800, 0), scored(-1, 0)];
    expect(placesOf(scores, '3')).toEqual([3, 2, 1, 4]);
  });

  it('are shared by equals, and the next is skipped', () => {
    const scores = [scored(900, 1000), scored(900, 1000), scored(800, 900), scored(950, 1000)];
    expect(placesOf(scores, 'm')).toEqual([2, 2, 1, 4]);
  });

  it('are shared at the end by all without a valid value', () => {
    expect(placesOf([scored(-1, 0), scored(-1, -1), scored(5, 0)], 'a')).toEqual([2, 2, 1]);
  });

  it('of no results are none', () => {
    expect(placesOf([], 'a')).toEqual([]);
  });
});
