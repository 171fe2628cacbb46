/** The rules of a round as a moderator types and reads them. */
import { describe, expect, it } from '@jest/globals';
import type { Advancement, RoundFormat, ValueFormat } from '../../../../src/domain/attempts.js';
import {
  advancementProblem,
  draftFrom,
  parseRules,
  shortRuleTexts,
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
