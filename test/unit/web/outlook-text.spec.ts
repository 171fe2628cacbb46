/** What is needed, in the words that the hall reads. */
import { describe, expect, it } from '@jest/globals';
import type { OutlookView } from '../../../src/competition/hall/round-outlook.js';
import type { Need } from '../../../src/domain/needs.js';
import { encodeMulti } from '../../../src/domain/scoring.js';
import { isLastOf, needText, placeNeeds, possibleText, recordNeeds } from '../../../web/src/outlook-text.js';

const NONE = { WR: null, CR: null, NR: null, PR: null };
const OUTLOOK: OutlookView = {
  resultId: 'Open2026_333_r1_7',
  personIds: [7],
  attemptNumber: 5,
  isEveryAttempt: false,
  projected: 731,
  bestPossible: 702,
  worstPossible: 812,
  places: { first: { need: 700, isTied: true }, podium: { need: 'success', isTied: false } },
  advancement: { possible: 1_100, certain: 900 },
  records: { single: { WR: 313, CR: 313, NR: 500, PR: 'any' }, average: { ...NONE, NR: 600 } },
  standings: null,
  spentElsewhere: 0,
};

describe('a need', () => {
  it.each<[Need, 'time' | 'number' | 'multi', string | null]>([
    [731, 'time', '7.31'],
    [24, 'number', '24'],
    [
      encodeMulti({ solved: 12, missed: 1, centiseconds: 350_000, dnf: false }),
      'multi',
      '11 points in 58:20',
    ],
    [encodeMulti({ solved: 1, missed: 0, centiseconds: 6_000, dnf: false }), 'multi', '1 point in 1:00'],
    ['success', 'time', 'any time'],
    ['success', 'number', 'any result'],
    ['any', 'time', 'even a DNF'],
    [null, 'time', null],
    [1, 'time', null],
  ])('of %j in %s is %j', (need, format, text) => expect(needText(need, format)).toBe(text));
});

describe('the needs of a competitor', () => {
  const texts = (needs: readonly { name: string; text: string }[]) =>
    needs.map(({ name, text }) => `${name} ${text}`);

  it('are to win when nobody else has attempts left, and to lead before', () => {
    const advance = ['To advance 9.00', 'To stay in 11.00'];
    expect(texts(placeNeeds(OUTLOOK, 'time', true))).toEqual([
      'To win 7.00 (shared)',
      'Podium any time',
      ...advance,
    ]);
    expect(texts(placeNeeds(OUTLOOK, 'time', false))).toEqual([
      'To lead 7.00 (shared)',
      'Top 3 any time',
      ...advance,
    ]);
  });

  it('leave out what is not possible, and what is said already', () => {
    const sure = { ...OUTLOOK, places: null, advancement: { possible: 900, certain: 900 } };
    expect(texts(placeNeeds(sure, 'time', false))).toEqual(['To advance 9.00']);
    expect(placeNeeds({ ...OUTLOOK, places: null, advancement: null }, 'time', false)).toEqual([]);
  });

  it('name each record once, with the highest that the value is worth, and none that stands already', () => {
    expect(texts(recordNeeds(OUTLOOK, 'time', 'meetups'))).toEqual([
      'Meetup WR single 3.13',
      'Meetup NR single 5.00',
      'Meetup NR average 6.00',
    ]);
    expect(recordNeeds({ ...OUTLOOK, records: null }, 'time', 'competitions')).toEqual([]);
  });

  it('stand beside the averages that are possible', () => {
    expect(possibleText(OUTLOOK, 'time')).toBe('7.02 to 8.12');
    expect(possibleText({ ...OUTLOOK, bestPossible: null }, 'time')).toBeNull();
  });
});

describe('the last competitor with open attempts', () => {
  const roster = (entered: number) => ({ roster: { expected: 2, entered, complete: 1, missing: [] } });
  const absent: OutlookView = { ...OUTLOOK, resultId: null, isEveryAttempt: true };

  it('is one with a result, or the only one who is absent', () => {
    expect(isLastOf([OUTLOOK], { roster: null })).toBe(true);
    expect(isLastOf([OUTLOOK], roster(2))).toBe(true);
    expect(isLastOf([absent], roster(1))).toBe(true);
    expect(isLastOf([OUTLOOK, absent], roster(1))).toBe(false);
    // Team members whose team is not known yet have no outlook.
    expect(isLastOf([OUTLOOK], roster(1))).toBe(false);
  });
});
