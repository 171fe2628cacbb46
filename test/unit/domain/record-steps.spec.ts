/** Steps of a record: what improves or equals it, what is beaten, and several races as one. */
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import {
  mergedSteps,
  type RecordStep,
  type RecordSteps,
  recordOn,
  stepsMissingIn,
  withoutStep,
  withStep,
} from '../../../src/domain/record-steps.js';

const step = (date: string, value: number): RecordStep => ({ date: `2024-01-${date}`, value });
const STEPS: RecordSteps = [step('05', 900), step('10', 800), step('20', 700)];

describe('a result', () => {
  it.each([
    ['first of all', [], step('01', 900), [step('01', 900)]],
    ['better than all', STEPS, step('25', 600), [...STEPS, step('25', 600)]],
    ['equal to the record', STEPS, step('25', 700), [...STEPS, step('25', 700)]],
    ['equal to the record on its day', STEPS, step('20', 700), STEPS],
    [
      'equal to a record of before',
      STEPS,
      step('15', 800),
      [step('05', 900), step('10', 800), step('15', 800), step('20', 700)],
    ],
    ['equal to a record that is beaten by then', STEPS, step('21', 800), STEPS],
    ['beaten on its day', STEPS, step('20', 750), STEPS],
    ['beaten before', STEPS, step('15', 850), STEPS],
    [
      'better on the day of a step',
      STEPS,
      step('10', 790),
      [step('05', 900), step('10', 790), step('20', 700)],
    ],
    [
      'told late, between two',
      STEPS,
      step('15', 750),
      [step('05', 900), step('10', 800), step('15', 750), step('20', 700)],
    ],
    [
      'told late, as good as a later step',
      STEPS,
      step('15', 700),
      [step('05', 900), step('10', 800), step('15', 700), step('20', 700)],
    ],
    ['told late, better than all after it', STEPS, step('01', 600), [step('01', 600)]],
    ['before the first', STEPS, step('01', 950), [step('01', 950), ...STEPS]],
  ])('%s', (_, steps, made, expected) => {
    expect(withStep(steps, made)).toEqual(expected);
  });

  it('that is beaten, or equals the step of its day, leaves the same array', () => {
    expect(withStep(STEPS, step('30', 701))).toBe(STEPS);
    expect(withStep(STEPS, step('10', 800))).toBe(STEPS);
  });
});

it('a record stands from its day on', () => {
  expect(['04', '05', '19', '20', '31'].map((day) => recordOn(STEPS, `2024-01-${day}`))).toEqual([
    null,
    900,
    800,
    700,
    700,
  ]);
});

it('only the step itself goes', () => {
  expect(withoutStep(STEPS, step('10', 800))).toEqual([step('05', 900), step('20', 700)]);
  expect(withoutStep(STEPS, step('11', 800))).toEqual(STEPS);
});

it('steps that others lack are found', () => {
  expect(stepsMissingIn(STEPS, [step('05', 900), step('10', 801), step('21', 700)])).toEqual(STEPS.slice(1));
});

const results = fc.array(
  fc.record({ date: fc.constantFrom('01', '02', '03', '04'), value: fc.constantFrom(1, 2, 3, 4) }),
);

it('steps do not depend on the order of the results, nor on how they were split', () => {
  const stepsOf = (some: readonly RecordStep[]): RecordSteps =>
    some.reduce<RecordSteps>((steps, one) => withStep(steps, one), []);
  fc.assert(
    fc.property(results, fc.nat(10), (some, at) => {
      const unbeaten = some.filter(
        (one) => !some.some((other) => other.date <= one.date && other.value < one.value),
      );
      const distinct = new Map(unbeaten.map((one) => [one.date, one]));
      const expected = [...distinct.values()].sort((a, b) => (a.date < b.date ? -1 : 1));
      expect(stepsOf(some)).toEqual(expected);
      expect(stepsOf(some.toReversed())).toEqual(expected);
      expect(mergedSteps([stepsOf(some.slice(0, at)), stepsOf(some.slice(at))])).toEqual(expected);
    }),
  );
});
