/** The rules of a round as a moderator types and reads them. */
import { describe, expect, it } from '@jest/globals';
import type { Advancement, RoundFormat, ValueFormat } from '../../../../src/domain/attempts.js';
import {
  advancementProblem,
  draftFrom,
  parseRules,
  shortRuleTexts,
  valueProblem,
} from '../../../../web/src/dashboard/areas/contests/rules-text.js';

const RULES = { format: 'a', date: null, timeLimit: null, cutoff: null, advancement: null } as const;

const parsed = (text: string, format: RoundFormat, values: ValueFormat): Advancement | null =>
  parseRules({ ...draftFrom({ ...RULES, format }, 0, values), advancement: text }, values).advancement;

describe('an advancement', () => {
  it.each([
    ['16', 'a', 'time', { type: 'number', value: 16 }],
    ['75 %', 'a', 'time', { type: 'percent', value: 75 }],
    ['under 1:00', 'a', 'time', { type: 'value', value: 6_000 }],
    ['< 12.34', '3', 'time', { type: 'value', value: 1_234 }],
    ['under 24.33', 'm', 'number', { type: 'value', value: 2_433 }],
    ['under 24', '1', 'number', { type: 'value', value: 24 }],
    ['', 'a', 'time', null],
  ] as const)('is read from “%s”', (text, format, values, expected) => {
    expect(parsed(text, format, values)).toEqual(expected);
    expect(advancementProblem(text, format, values)).toBeNull();
  });

  it.each(['some', 'under', 'under DNF', '16 of them', '%'])('is not read from “%s”', (text) => {
    expect(advancementProblem(text, 'a', 'time')).toContain('under 1:00');
  });

  it.each([
    ['a', 'time', { type: 'value', value: 6_000 }, 'under 1:00.00'],
    ['m', 'number', { type: 'value', value: 2_433 }, 'under 24.33'],
    ['a', 'time', { type: 'percent', value: 75 }, '75%'],
  ] as const)('is shown as it can be typed', (format, values, advancement, text) => {
    const rules = { ...RULES, format, advancement };
    expect(draftFrom(rules, 0, values).advancement).toBe(text);
    expect(parsed(text, format, values)).toEqual(advancement);
    expect(shortRuleTexts(rules, values)).toContain(`${text} advance`);
  });
});

describe('a limit or a cutoff', () => {
  it.each([
    ['', 'time'],
    ['1:02.34', 'time'],
    ['24', 'number'],
    ['11/12 45:32', 'multi'],
  ] as const)('takes “%s” in an event of the format %s', (text, values) => {
    expect(valueProblem(text, values)).toBeNull();
  });

  it.each([
    ['soon', 'time', 'Type a time above 0, such as 12.34, 1:02.34 or 1:02:03.45, or nothing'],
    ['0', 'time', 'Type a time above 0, such as 12.34, 1:02.34 or 1:02:03.45, or nothing'],
    ['DNF', 'time', 'Type a time above 0, such as 12.34, 1:02.34 or 1:02:03.45, or nothing'],
    ['12.5', 'number', 'Type a whole number above 0, or nothing'],
    ['12', 'multi', 'Type a result such as 11/12 45:32, or nothing'],
  ] as const)(
    'does not take “%s”, and offers no DNF in an event of the format %s',
    (text, values, problem) => {
      expect(valueProblem(text, values)).toBe(problem);
    },
  );
});
