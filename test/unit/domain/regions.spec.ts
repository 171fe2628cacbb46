import { describe, expect, it } from '@jest/globals';
import {
  COUNTRIES_BY_CODE,
  continentOf,
  latestRegion,
  movedTimeline,
  parseRegion,
  regionName,
  regionOf,
  regionOn,
} from '../../../src/domain/regions.js';

describe('countries', () => {
  it('are the 249 of ISO 3166-1', () => {
    expect(COUNTRIES_BY_CODE.size).toBe(249);
    for (const code of COUNTRIES_BY_CODE.keys()) expect(code).toMatch(/^[A-Z]{2}$/);
  });

  it.each([
    ['IE', 'XE', 'Ireland'],
    ['RU', 'XE', 'Russia'],
    ['TR', 'XE', 'Türkiye'],
    ['CY', 'XE', 'Cyprus'],
    ['GE', 'XE', 'Georgia'],
    ['IL', 'XE', 'Israel'],
    ['KZ', 'XA', 'Kazakhstan'],
    ['EG', 'XF', 'Egypt'],
    ['MX', 'XN', 'Mexico'],
    ['BR', 'XS', 'Brazil'],
    ['NZ', 'XO', 'New Zealand'],
  ])('%s is in %s and named %s', (code, continent, name) => {
    expect(continentOf(code)).toBe(continent);
    expect(regionName(code)).toBe(name);
  });

  it('do not include what is not assigned, nor continents', () => {
    expect(continentOf('ZZ')).toBeNull();
    expect(continentOf('XE')).toBeNull();
    expect(regionName('XE')).toBe('Europe');
    expect(regionName('ZZ')).toBeNull();
  });
});

describe('a region', () => {
  it.each([
    ['ie', { kind: 'country', code: 'IE' }],
    ['Xn', { kind: 'continent', code: 'XN' }],
    ['ZZ', null],
    ['XX', null],
    ['', null],
    ['IRL', null],
    ['ı' + 'e', null],
    ['constructor', null],
  ])('%j is read as %j', (text, region) => {
    expect(parseRegion(text)).toEqual(region);
  });

  it.each([
    [['IE'], 'IE'],
    [['IE', 'IE'], 'IE'],
    [['IE', 'FR'], 'XE'],
    [['IE', 'US'], null],
    [['IE', null], null],
    [[null], null],
    [[], null],
  ])('of persons from %j is %j', (codes, region) => {
    expect(regionOf(codes)).toBe(region);
  });
});

describe('a timeline', () => {
  const timeline = [
    { from: null, regionCode: 'IE' },
    { from: '2020-01-01', regionCode: 'FR' },
    { from: '2022-01-01', regionCode: 'DE' },
  ];

  it.each([
    ['1999-12-31', 'IE'],
    ['2019-12-31', 'IE'],
    ['2020-01-01', 'FR'],
    ['2023-05-05', 'DE'],
  ])('on %s gives %s', (date, region) => {
    expect(regionOn(timeline, date)).toBe(region);
  });

  it('that begins later gives nothing before', () => {
    expect(regionOn(timeline.slice(1), '2019-12-31')).toBeNull();
    expect(regionOn([], '2019-12-31')).toBeNull();
  });

  it('ends in the region of today', () => {
    expect(latestRegion(timeline)).toBe('DE');
    expect(latestRegion([])).toBeNull();
  });

  it('takes a move that is told after the next one', () => {
    expect(movedTimeline(timeline, '2021-01-01', 'ES').map(({ regionCode }) => regionCode)).toEqual([
      'IE',
      'FR',
      'ES',
      'DE',
    ]);
  });

  it('replaces what began the same day', () => {
    expect(movedTimeline(timeline, '2022-01-01', null)).toEqual([
      ...timeline.slice(0, 2),
      { from: '2022-01-01', regionCode: null },
    ]);
  });
});
