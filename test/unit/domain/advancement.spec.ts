import { describe, expect, it } from '@jest/globals';
import { advancing, prospectsOf } from '../../../src/domain/advancement.js';
import { advancementPlan } from '../../../src/domain/advancement-plan.js';
import type { Advancement } from '../../../src/domain/attempts.js';

describe('advancing', () => {
  const started = (best: number, average: number) => ({ best, average, attempts: [best] });
  const results = [started(1, 10), started(2, 20), started(2, 20), started(4, 40), started(-1, -1)];
  const places = [1, 2, 2, 4, 5];
  const goOn = (advancement: Advancement | null, of = results) =>
    advancing(of, places, { format: 'a', advancement });
  it.each([
    ['a number', { type: 'number', value: 1 }, [true, false, false, false, false]],
    [
      'a number that ends in a tie: all of it',
      { type: 'number', value: 2 },
      [true, true, true, false, false],
    ],
    [
      'a number above 75 percent of those who started',
      { type: 'number', value: 4 },
      [true, true, true, false, false],
    ],
    ['a value: all with a better average', { type: 'value', value: 20 }, [true, false, false, false, false]],
    [
      'a value that nearly all are better than: 75 percent at most',
      { type: 'value', value: 50 },
      [true, true, true, false, false],
    ],
    ['a percentage, rounded down', { type: 'percent', value: 75 }, [true, true, true, false, false]],
    ['a percentage of too few', { type: 'percent', value: 10 }, [false, false, false, false, false]],
  ] as const)('by %s', (_, advancement, expected) => {
    expect(goOn(advancement)).toEqual(expected);
  });

  it('does not happen in a final', () => {
    expect(goOn(null)).toEqual([false, false, false, false, false]);
  });

  it('keeps a tie across 75 percent out as a whole', () => {
    const [first, ...others] = results;
    const tied = [first, others[0], others[0]].flatMap((result) => result ?? []);
    expect(goOn({ type: 'number', value: 2 }, tied)).toEqual([true, false, false]);
  });

  it('does not count those who did not start among the 75 percent', () => {
    const absent = { best: -1, average: -1, attempts: [-2] };
    const field = [...results.slice(0, 3), absent, absent];
    expect(goOn({ type: 'number', value: 3 }, field)).toEqual([true, false, false, false, false]);
  });
});

describe('prospects', () => {
  const round = (results: readonly (readonly number[])[], absent: number, isOpen = true) =>
    prospectsOf({
      rules: { format: '3', cutoff: null, advancement: { type: 'number', value: 2 } },
      valueFormat: 'time',
      results,
      absent,
      isOpen,
    });

  it('are certain for who is complete and cannot be overtaken by too many', () => {
    const complete = [
      [1000, 1100, 1200],
      [1300, 1400, 1500],
      [1600, 1700, 1800],
    ];
    expect(round([...complete, [2000, 2100, 0]], 0)).toEqual(['certain', 'possible', 'out', 'possible']);
  });

  it('stay possible while absent competitors may stay away, which makes the round smaller', () => {
    const complete = [
      [1000, 1100, 1200],
      [1300, 1400, 1500],
    ];
    expect(round(complete, 1)).toEqual(['certain', 'possible']);
    expect(round(complete, 1, false)).toEqual(['certain', 'out']);
  });

  it('count a percentage of those who may be left', () => {
    const rules = { format: '1', cutoff: null, advancement: { type: 'percent', value: 20 } } as const;
    const results = [[1], [2], [3], [4]];
    const field = { rules, valueFormat: 'time', results, isOpen: true } as const;
    // A fifth who starts lets one advance; without it none does.
    expect(prospectsOf({ ...field, absent: 1 })?.[0]).toBe('possible');
    expect(prospectsOf({ ...field, absent: 0 })?.[0]).toBe('out');
  });

  it('are out without a valid result', () => {
    expect(round([[-1, -1, -1]], 3)).toEqual(['out']);
  });

  it('are none without a rule', () => {
    const rules = { format: 'a', cutoff: null, advancement: null } as const;
    expect(prospectsOf({ rules, valueFormat: 'time', results: [[1]], absent: 0, isOpen: true })).toBeNull();
  });
});

describe('a plan of who advances', () => {
  it('has them best first, in whatever order their results were entered', () => {
    const results = [3, 1, 4, 2].map((id) => ({ resultId: `r${id}`, personIds: [id], attempts: [100 * id] }));
    const plan = advancementPlan({
      round: { eventId: '333', roundNumber: 1 },
      state: { results, roster: null },
      setup: {
        rules: {
          format: '1',
          date: null,
          timeLimit: null,
          cutoff: null,
          advancement: { type: 'number', value: 2 },
        },
        valueFormat: 'time',
      },
      facts: { merged: new Map(), registrations: new Map() },
    });
    const personsOf = (some: typeof plan.placed): readonly number[] =>
      some.flatMap(({ personIds }) => personIds);
    expect([plan.placed, plan.competitors, plan.line].map(personsOf)).toEqual([
      [1, 2, 3, 4],
      [1, 2],
      [3, 4],
    ]);
  });
});
