/** When each value of a result was entered. */
import { describe, expect, it } from '@jest/globals';
import {
  NO_VALUES,
  type RecordedChange,
  timesAfter,
  valuesAfter,
} from '../../../src/domain/entered-values.js';

const ROUND = { format: 'a', valueFormat: 'time', cutoff: null, date: null } as const;
const result = (recordedAt: number, ...attempts: readonly number[]): RecordedChange => ({
  recordedAt,
  change: { resultId: 'r', attempts },
});

describe('a value', () => {
  it('that a correction leaves as it was keeps its time', () => {
    const entered = result(10, 900, 1000, 1000, 1000, 1100);
    const { values, lost } = valuesAfter(
      NO_VALUES,
      [entered, result(20, 950, 1000, 1000, 1000, 1100)],
      ROUND,
    );
    expect(values).toMatchObject({ best: 950, singleAt: 20, average: 1000, averageAt: 10 });
    expect(lost).toEqual([{ kind: 'single', value: 900, enteredAt: 10, lostAt: 20 }]);
  });

  it('that the rules of the round change is of their time, the other keeps its own', () => {
    const before = { best: 900, average: 1000, singleAt: 10, averageAt: 20 };
    expect(timesAfter(before, { best: 900, average: 0 }, 30)).toEqual({ singleAt: 10, averageAt: 30 });
  });
});
