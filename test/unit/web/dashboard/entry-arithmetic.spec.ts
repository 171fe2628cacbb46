/** The line beside the card: what is so, what is possible, what is needed, what will be refused. */
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { averageOf, compareScores, encodeMulti, singleOf } from '../../../../src/domain/scoring.js';
import {
  allowedAttempts,
  type Card,
  type CardRules,
  cardFacts,
  limitQuestion,
  refusalReason,
} from '../../../../web/src/dashboard/areas/entry/arithmetic.js';
import { parseAttempt } from '../../../../web/src/dashboard/areas/entry/typed-attempt.js';
import { unusualReason } from '../../../../web/src/dashboard/areas/entry/unusual.js';

const RULES: CardRules = {
  eventId: '333',
  format: 'a',
  cutoff: null,
  timeLimit: null,
  valueFormat: 'time',
};
const card = (
  attempts: readonly number[],
  rules: Partial<CardRules> = {},
  more: Partial<Card> = {},
): Card => ({
  rules: { ...RULES, ...rules },
  attempts,
  entered: [],
  spentElsewhere: 0,
  lead: null,
  advancing: null,
  ...more,
});
const line = (of: Card): Record<string, string> =>
  Object.fromEntries(cardFacts(of).map(({ label, text }) => [label, text]));

describe('the line beside a card', () => {
  it('has nothing to say of an empty card', () => expect(line(card([0, 0, 0, 0, 0]))).toEqual({}));
  it('has the single from the first attempt on', () =>
    expect(line(card([8_345, 0, 0, 0, 0]))).toEqual({ Single: '1:23.45' }));
  it('says what the fifth attempt can make of the average', () =>
    expect(line(card([1_000, 1_100, 1_200, 1_300, 0]))).toEqual({
      Single: '10.00',
      'Best possible': '11.00',
      'Worst possible': '12.00',
    }));
  it('says that a second DNF is the end of it', () =>
    expect(line(card([1_000, -1, 1_200, -1, 0]))).toMatchObject({ Average: 'DNF in any case' }));
  it('has the average when all are in', () =>
    expect(line(card([1_000, 1_100, 1_200, 1_300, -1]))).toEqual({ Single: '10.00', Average: '12.00' }));
  it('calls that of three a mean, of counts with two decimals', () =>
    expect(line(card([28, 30, 31], { format: 'm', valueFormat: 'number' }))).toEqual({
      Single: '28',
      Mean: '29.67',
    }));
  it('has no average of multi results', () =>
    expect(line(card([998_902_732_000_001], { format: '1', valueFormat: 'multi' }))).toEqual({
      Single: '11/12 45:32',
    }));

  it('says what is needed for the lead and for going on', () => {
    const goals = { lead: { best: 900, average: 1_150 }, advancing: { best: 1_000, average: 1_190 } };
    expect(line(card([1_000, 1_100, 1_200, 1_300, 0], {}, goals))).toMatchObject({
      'For the lead': '11.48 or better',
      'To advance': '12.71 or better',
    });
  });
  it('says when nothing is needed any more, and nothing where nothing helps', () => {
    const goals = { lead: { best: 900, average: 950 }, advancing: { best: 2_000, average: 5_000 } };
    const said = line(card([1_000, 1_100, 1_200, 1_300, 0], {}, goals));
    expect(said['To advance']).toBe('already enough');
    expect(said).not.toHaveProperty('For the lead');
  });
  it('of the best of three says what the next has to be', () =>
    expect(line(card([1_000, 0, 0], { format: '3' }, { lead: { best: 900, average: 0 } }))).toMatchObject({
      'For the lead': '9.00 or better',
    }));

  it('needs the worst value that reaches the goal: one more does not', () => {
    const time = fc.integer({ min: 100, max: 20_000 });
    fc.assert(
      fc.property(fc.tuple(time, time, time, time), time, time, (four, best, more) => {
        const attempts = [...four, 0];
        const lead = { best, average: best + more };
        const said = line(card(attempts, {}, { lead }))['For the lead'];
        const reaches = (value: number): boolean => {
          const values = attempts.with(4, value);
          return compareScores('a', { best: singleOf(values), average: averageOf(values, RULES) }, lead) <= 0;
        };
        if (said === undefined) expect(reaches(1)).toBe(false);
        else if (said === 'already enough') expect(reaches(-1)).toBe(true);
        else {
          const needed = parseAttempt(said.replace(' or better', ''), 'time');
          if (needed.kind !== 'value') throw new Error(said);
          expect([reaches(needed.value), reaches(needed.value + 1)]).toEqual([true, false]);
        }
      }),
    );
  });
});

describe('a cutoff', () => {
  const cutoff = { numberOfAttempts: 2, attemptResult: 2_000 };
  it('is said before, when met, and when missed', () => {
    expect(line(card([0, 0, 0, 0, 0], { cutoff }))).toEqual({ Cutoff: 'under 20.00 in 2 attempts' });
    expect(line(card([2_000, 0, 0, 0, 0], { cutoff }))).toMatchObject({
      Cutoff: 'under 20.00 in one attempt',
    });
    expect(line(card([2_000, 1_999, 0, 0, 0], { cutoff }))).toMatchObject({ Cutoff: 'met' });
    expect(line(card([2_000, -1, 0, 0, 0], { cutoff }))).toMatchObject({
      Cutoff: 'under 20.00 not met: no more attempts',
    });
  });
  it('bars the attempts behind it until it is met', () => {
    expect(allowedAttempts([2_000, 0, 0, 0, 0], cutoff)).toBe(2);
    expect(allowedAttempts([2_000, 1_999, 0, 0, 0], cutoff)).toBe(5);
    expect(allowedAttempts([0, 0, 0], null)).toBe(3);
    expect(refusalReason(card([2_000, 0, 1_500, 0, 0], { cutoff }), 2)).toMatch(/cutoff/);
    expect(refusalReason(card([1_999, 0, 1_500, 0, 0], { cutoff }), 2)).toBeNull();
  });
});

describe('fewest moves', () => {
  const rules = { eventId: '333fm', format: 'm', valueFormat: 'number' } as const;
  it('are refused above 80, unless the round has them', () => {
    expect(refusalReason(card([80, 81, 90], rules, { entered: [0, 0, 90] }), 0)).toBeNull();
    expect(refusalReason(card([80, 81, 90], rules, { entered: [0, 0, 90] }), 1)).toMatch(/at most 80/);
    expect(refusalReason(card([80, 81, 90], rules, { entered: [0, 0, 90] }), 2)).toBeNull();
  });
});

describe('a time limit', () => {
  const each = { centiseconds: 6_000, cumulativeRounds: [] };
  const shared = { centiseconds: 6_000, cumulativeRounds: ['333-r1', '222-r1'] };
  it('asks for a DNF of a typed time that reaches it, of no other attempt', () => {
    const typed = card([6_001, 6_000, 5_999, -1, 0], { timeLimit: each });
    expect(limitQuestion(typed, 0)).toMatch(/limit of 1:00\.00: DNF\?/);
    expect(limitQuestion(typed, 1)).toMatch(/DNF\?/);
    expect([2, 3, 4].map((index) => limitQuestion(typed, index))).toEqual([null, null, null]);
  });
  it('does not ask about a time that the round has', () =>
    expect(limitQuestion(card([6_000, 0], { timeLimit: each }, { entered: [6_000, 0] }), 0)).toBeNull());
  it('over several rounds counts what was spent elsewhere', () => {
    const of = card([2_000, 1_999, 0, 0, 0], { timeLimit: shared }, { spentElsewhere: 2_000 });
    expect(limitQuestion(of, 1)).toBeNull();
    expect(line(of)).toMatchObject({ 'Time left': '0.01 of 1:00.00' });
    const reached = card([2_000, 2_000, 0, 0, 0], { timeLimit: shared }, { spentElsewhere: 2_000 });
    expect(limitQuestion(reached, 1)).toMatch(/all attempts together: DNF\?/);
    expect(line(reached)).toMatchObject({ 'Time left': 'none: 1:00.00 reached' });
    const over = card([2_000, 2_001, 0, 0, 0], { timeLimit: shared }, { spentElsewhere: 2_000 });
    expect(line(over)).toMatchObject({ 'Time left': 'none: 0.01 over 1:00.00' });
  });
});

describe('an unusual value', () => {
  it('is a result after a DNS, in every value format', () => {
    const reason = (valueFormat: CardRules['valueFormat'], attempts: readonly number[], index: number) =>
      unusualReason(index, { valueFormat, attempts, singles: [], ownBest: null });
    expect(reason('time', [1_000, -2, 1_100], 2)).toMatch(/DNS/);
    expect(reason('number', [-2, 0, 28], 2)).toMatch(/DNS/);
    expect(reason('time', [1_000, -2, 1_100], 0)).toBeNull();
    expect(reason('time', [1_000, -2, -2], 2)).toBeNull();
    expect(reason('time', [1_000, -1, 1_100], 2)).toBeNull();
  });
  const look = (
    attempts: readonly number[],
    index: number,
    singles: readonly number[] = [],
    ownBest: number | null = null,
  ) => unusualReason(index, { valueFormat: 'time', attempts, singles, ownBest });
  it('is one with a digit too few or too many beside the others', () => {
    expect(look([1_000, 1_100, 120], 2)).toMatch(/half/);
    expect(look([1_000, 1_100, 12_000], 2)).toMatch(/three times/);
    expect(look([1_000, 1_100, 1_200], 2)).toBeNull();
  });
  it('is one under a second, one typed twice, and hundredths from ten minutes on', () => {
    expect(look([12], 0)).toMatch(/second/);
    expect(look([1_000, 1_000], 1)).toMatch(/attempt before/);
    expect(look([60_012], 0)).toMatch(/whole seconds/);
    expect(look([60_000], 0)).toBeNull();
  });
  it('is one far ahead of a round in which a few have results', () => {
    expect(look([600], 0, [1_000, 1_100, 1_200])).toMatch(/everybody else/);
    expect(look([600], 0, [1_000, 1_100])).toBeNull();
    expect(look([900], 0, [1_000, 1_100, 1_200])).toBeNull();
  });
  it("is one far off the competitor's own best, in every value format", () => {
    expect(look([699], 0, [], 1_000)).toBe("Far better than the competitor's best, 10.00.");
    expect(look([700], 0, [], 1_000)).toBeNull();
    expect(look([3_001], 0, [], 1_000)).toMatch(/three times the competitor's best/);
    expect(look([3_000], 0, [], 1_000)).toBeNull();
    const count = { valueFormat: 'number' as const, singles: [], ownBest: 30 };
    expect(unusualReason(0, { ...count, attempts: [20] })).toMatch(/competitor's best, 30/);
    expect(unusualReason(0, { ...count, attempts: [21] })).toBeNull();
    const points = (solved: number): number =>
      encodeMulti({ solved, missed: 0, centiseconds: 60_000, dnf: false });
    const multi = { valueFormat: 'multi' as const, singles: [], ownBest: points(7) };
    expect(unusualReason(0, { ...multi, attempts: [points(11)] })).toMatch(/competitor's best, 7\/7/);
    expect(unusualReason(0, { ...multi, attempts: [points(10)] })).toBeNull();
  });
  it('is never a DNF, a DNS or nothing', () => {
    for (const value of [-1, -2, 0]) expect(look([1_000, value], 1, [10, 11, 12])).toBeNull();
  });
  it('is a count that hardly anybody has, and a multi result that took longer than it may', () => {
    expect(unusualReason(0, { valueFormat: 'number', attempts: [8], singles: [], ownBest: null })).toMatch(
      /unusual/,
    );
    expect(
      unusualReason(0, { valueFormat: 'number', attempts: [28], singles: [], ownBest: null }),
    ).toBeNull();
    const of = (text: string): number => {
      const typed = parseAttempt(text, 'multi');
      return typed.kind === 'value' ? typed.value : 0;
    };
    expect(
      unusualReason(0, { valueFormat: 'multi', attempts: [of('02023000')], singles: [], ownBest: null }),
    ).toMatch(/20 minutes/);
    expect(
      unusualReason(0, { valueFormat: 'multi', attempts: [of('02021959')], singles: [], ownBest: null }),
    ).toBeNull();
  });
});
