/** Typed values: the table of every spelling that organisers have used, and what is refused. */
import { describe, expect, it } from '@jest/globals';
import { countryCode } from '../../../../src/competition/exchange/formats/countries.js';
import { joinName, splitName } from '../../../../src/competition/exchange/formats/person-name.js';
import { shortNameOf } from '../../../../src/competition/exchange/formats/short-name.js';
import {
  readDate,
  readTyped,
  readTypedAverage,
} from '../../../../src/competition/exchange/formats/typed-values.js';

describe('times', () => {
  it.each([
    ['12', 1200],
    ['12.3', 1230],
    ['12.34', 1234],
    ['12.340', 1234],
    ['12.345', 1234],
    ['12.349', 1234],
    ['0.99', 99],
    ['1247.000', 124_700],
    ['1:02.34', 6234],
    ['1:02', 6200],
    ['01:02.3', 6230],
    ['10:00.005', 60_000],
    ['1:02:03.45', 372_345],
    ['DNF', -1],
    ['dnf', -1],
    ['-1', -1],
    ['DNS', -2],
    ['-2', -2],
    ['', 0],
    [' 12.34 ', 1234],
    ['0', 0],
  ])('%j is %d', (text, value) => {
    expect(readTyped(text, 'time')).toEqual({ ok: true, value });
  });

  it.each(['12,34', '1:60.00', '1:99:00', '-3', '12.3456', 'abc', '1:2:3:4', '.5', '5.', '+5'])(
    '%j is none',
    (text) => {
      expect(readTyped(text, 'time')).toEqual({ ok: false, reason: expect.stringContaining(`“${text}”`) });
    },
  );
});

describe('counts, multi results and averages', () => {
  it.each([
    ['28', 'number', 28],
    ['DNF', 'number', -1],
    ['11/12 45:32', 'multi', 998_902_732_000_001],
    ['2/2 1:00.50', 'multi', 999_700_060_500_000],
    ['DNS', 'multi', -2],
  ] as const)('%j in a %s event is %d', (text, format, value) => {
    expect(readTyped(text, format)).toEqual({ ok: true, value });
  });

  it.each([
    ['28.5', 'number'],
    ['1/3 10:00', 'multi'],
    ['5/4 10:00', 'multi'],
    ['12.34', 'multi'],
  ] as const)('%j in a %s event is none', (text, format) => {
    expect(readTyped(text, format).ok).toBe(false);
  });

  it('has means of counts times 100', () => {
    expect(readTypedAverage('28.33', 'number')).toEqual({ ok: true, value: 2833 });
    expect(readTypedAverage('28', 'number')).toEqual({ ok: true, value: 2800 });
    expect(readTypedAverage('DNF', 'number')).toEqual({ ok: true, value: -1 });
    expect(readTypedAverage('12.34', 'time')).toEqual({ ok: true, value: 1234 });
  });
});

describe('dates', () => {
  it.each([
    ['2005-9-11', '2005-09-11'],
    ['2023-07-29', '2023-07-29'],
    ['2020-2-29', '2020-02-29'],
    ['2021-2-29', null],
    ['2021-13-1', null],
    ['29.7.2023', null],
  ])('%j is %j', (text, date) => {
    expect(readDate(text)).toBe(date);
  });
});

describe('names', () => {
  it.each([
    ['Kim Tae Hyung (金兑衡)', 'Kim Tae Hyung', '金兑衡'],
    ['Weixing Zhang (张 炜星)', 'Weixing Zhang', '张 炜星'],
    ['Ivan Petrov (Иван Петров)', 'Ivan Petrov', 'Иван Петров'],
    ['Yu Nakajima（中島悠）', 'Yu Nakajima', '中島悠'],
    ['Łukasz Cichecki', 'Łukasz Cichecki', null],
    ['Ann (Annie) Smith', 'Ann (Annie) Smith', null],
    ['Ann Smith (Annie)', 'Ann Smith (Annie)', null],
    ['  Ann   Smith ', 'Ann Smith', null],
  ])('%j is %j and %j', (text, name, localizedName) => {
    expect(splitName(text)).toEqual({ name, localizedName });
  });

  it('are put together again', () => {
    expect(joinName(splitName('Kim Tae Hyung (金兑衡)'))).toBe('Kim Tae Hyung (金兑衡)');
  });

  it('are shortened to 32 characters', () => {
    expect(shortNameOf('Irish Championship 2023')).toBe('Irish Championship 2023');
    expect(shortNameOf('European Rubik’s Cube Championship 2006')).toBe('European Rubik’s Cube Ch 2006');
    expect(shortNameOf('x'.repeat(80))).toHaveLength(32);
  });
});

describe('countries', () => {
  it.each([
    ['Korea', 'KR'],
    ['Republic of Korea', 'KR'],
    ['Hong Kong', 'HK'],
    ['China', 'CN'],
    ['Chinese Taipei', 'TW'],
    ['USA', 'US'],
    ['United States', 'US'],
    ['Côte d’Ivoire', 'CI'],
    ['Czech Republic', 'CZ'],
    ['Bosnia and Herzegovina', 'BA'],
    ['St. Lucia', 'LC'],
    ['ie', 'IE'],
    ['Atlantis', null],
    ['XE', null],
  ])('%j is %j', (text, code) => {
    expect(countryCode(text)).toBe(code);
  });
});
