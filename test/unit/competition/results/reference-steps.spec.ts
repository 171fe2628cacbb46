/** When a space got and lost the steps of its reference records, and what that says of a value. */
import { describe, expect, it } from '@jest/globals';
import {
  judgedAt,
  type References,
  takenBy,
  withSteps,
} from '../../../../src/competition/results/reference-steps.js';

const step = (date: string, value: number) => ({ date, value, holderId: null });
const NONE: References = { references: [], former: [] };

describe('the steps of references', () => {
  const first = withSteps(NONE, [step('2020-01-01', 900)], 10);

  it('keep their time while they stay, and are former ones afterwards', () => {
    const second = withSteps(first, [step('2020-01-01', 900), step('2021-01-01', 800)], 20);
    expect(second).toEqual({
      references: [
        { ...step('2020-01-01', 900), at: 10 },
        { ...step('2021-01-01', 800), at: 20 },
      ],
      former: [],
    });
    expect(withSteps(second, [step('2021-01-01', 800)], 30)).toEqual({
      references: [{ ...step('2021-01-01', 800), at: 20 }],
      former: [{ date: '2020-01-01', value: 900, goneAt: 30 }],
    });
  });

  it('forget a former one when a later one has beaten all that it had beaten', () => {
    const gone = withSteps(first, [], 20);
    const better = withSteps(withSteps(gone, [step('2019-12-31', 850)], 30), [], 40);
    expect(better.former).toEqual([{ date: '2019-12-31', value: 850, goneAt: 40 }]);
    const later = withSteps(withSteps(gone, [step('2020-01-02', 850)], 30), [], 40);
    expect(later.former).toHaveLength(2);
  });
});

describe('a value', () => {
  const references = withSteps(
    withSteps(NONE, [step('2020-01-01', 900)], 10),
    [step('2020-01-01', 900), step('2021-01-01', 800)],
    20,
  );
  const on = (date: string, value: number) => ({ date, value });

  it('is taken by the first better one of its day or before', () => {
    expect(takenBy(references.references, on('2021-01-01', 950))).toMatchObject({ value: 900 });
    expect(takenBy(references.references, on('2021-01-01', 900))).toMatchObject({ value: 800 });
    expect(takenBy(references.references, on('2020-12-31', 900))).toBeNull();
    expect(takenBy(references.references, on('2019-12-31', 950))).toBeNull();
  });

  it('is judged anew when it is taken, and when what took it is gone', () => {
    expect(judgedAt(references, on('2021-01-01', 800))).toBe(0);
    expect(judgedAt(references, on('2021-01-01', 850))).toBe(20);
    expect(judgedAt(references, on('2021-01-01', 950))).toBe(10);
    const without = withSteps(references, [step('2020-01-01', 900)], 30);
    expect(judgedAt(without, on('2021-01-01', 850))).toBe(30);
    expect(judgedAt(without, on('2020-12-31', 850))).toBe(0);
  });
});
