import { describe, expect, it } from '@jest/globals';
import {
  isAssocId,
  isContestId,
  isDate,
  isName,
  isRoundNumber,
  isSpaceSlug,
  parseRoundCode,
  RESERVED_SLUGS,
} from '../../../src/domain/ids.js';

describe('ids', () => {
  it.each(['a', 'IrishChampionship2023', 'A-b_9', 'x'.repeat(64)])('%s may name a contest', (text) => {
    expect(isContestId(text)).toBe(true);
  });

  it.each(['', 'x'.repeat(65), 'a/b', 'a b', 'é', 'a\n', '..'])('%j may not', (text) => {
    expect(isContestId(text)).toBe(false);
  });

  it.each(['default', '0', 'a-b', 'x'.repeat(63)])('%s may be a slug', (text) => {
    expect(isSpaceSlug(text)).toBe(true);
  });

  it.each(['', '-a', 'A', 'a_b', 'x'.repeat(64), ...RESERVED_SLUGS])('%s may not', (text) => {
    expect(isSpaceSlug(text)).toBe(false);
  });

  it('of the association are letters and digits', () => {
    expect(isAssocId('2016ABCD01')).toBe(true);
    expect(isAssocId('2016-ABCD')).toBe(false);
    expect(isAssocId('')).toBe(false);
  });
});

describe('a round', () => {
  it.each([1, 99])('may be number %d', (number) => expect(isRoundNumber(number)).toBe(true));
  it.each([0, 100, 1.5, -1, Number.NaN])('may not be number %d', (number) =>
    expect(isRoundNumber(number)).toBe(false),
  );

  it.each([
    ['333-r1', { eventId: '333', roundNumber: 1 }],
    ['a-r1-r12', { eventId: 'a-r1', roundNumber: 12 }],
    ['333-r0', null],
    ['333-r01', null],
    ['333', null],
    ['-r1', null],
  ])('%s is %j', (code, ref) => {
    expect(parseRoundCode(code)).toEqual(ref);
  });
});

describe('a date', () => {
  it.each(['2024-02-29', '2023-12-31', '1900-01-01'])('%s is one', (text) => expect(isDate(text)).toBe(true));
  it.each([
    '2023-02-29',
    '1900-02-29',
    '2023-13-01',
    '2023-00-10',
    '2023-04-31',
    '2023-4-1',
    '20230401',
    '',
    '0999-01-01',
    '2023-01-01T00:00',
  ])('%s is none', (text) => expect(isDate(text)).toBe(false));
});

describe('a name', () => {
  it('can be shown', () => {
    expect(isName('Ṡ. O’Brien 中')).toBe(true);
    expect(isName('x'.repeat(200))).toBe(true);
  });
  it.each(['', '  ', 'x'.repeat(201), 'a\u0000b', 'a\nb', 'a\ud83d b'])('is not %j', (text) =>
    expect(isName(text)).toBe(false),
  );
});
