/** Codes of activities: what they name, and what is a part of what. */
import { describe, expect, it } from '@jest/globals';
import {
  activityCode,
  isActivityCode,
  isPartOf,
  parseActivityCode,
} from '../../../src/domain/activity-codes.js';

describe('a code', () => {
  it.each([
    ['333-r1', ['333', 1, null, null]],
    ['333-r12-g3', ['333', 12, 3, null]],
    ['333fm-r1-a2', ['333fm', 1, null, 2]],
    ['333mbf-r1-g3-a2', ['333mbf', 1, 3, 2]],
    ['my-event-r1', ['my-event', 1, null, null]],
  ] as const)(
    '%s names a part of a round, and is written again',
    (code, [eventId, roundNumber, group, attempt]) => {
      const parsed = parseActivityCode(code);
      expect(parsed).toEqual({ eventId, roundNumber, group, attempt });
      expect(parsed && activityCode(parsed)).toBe(code);
    },
  );

  it.each([
    '333',
    '333-r0',
    '333-r100',
    '333-r1-a1-g1',
    '333-r1-gA',
    'other-lunch',
    'other-unofficial-magic-r1',
    `${'x'.repeat(65)}-r1`,
  ])('%s names none', (code) => {
    expect(parseActivityCode(code)).toBeNull();
    expect(isActivityCode(code)).toBe(true);
  });

  it.each(['', 'a b', 'a/b', 'x'.repeat(101)])('“%s” is none', (code) =>
    expect(isActivityCode(code)).toBe(false),
  );
});

it.each([
  ['333-r1', '333-r1', true],
  ['333-r1-g2', '333-r1', true],
  ['333-r1-g2-a1', '333-r1-g2', true],
  ['333-r1-g2-a1', '333-r1-a1', true],
  ['333-r1-g2', '333-r1-g1', false],
  ['333-r1', '333-r1-g1', false],
  ['333-r11', '333-r1', false],
  ['333fm-r1', '333-r1', false],
  ['333-r1-gA', '333-r1', true],
  ['333-r1', '333', true],
  ['other-lunch', 'other-lunch', true],
  ['other-lunchtime', 'other-lunch', false],
])('%s is a part of %s: %s', (code, whole, expected) => expect(isPartOf(code, whole)).toBe(expected));
