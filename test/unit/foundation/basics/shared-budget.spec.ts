import { expect, it } from '@jest/globals';
import fc from 'fast-check';
import { SharedBudget } from '../../../../src/foundation/basics/shared-budget.js';
import { propertyRuns } from '../../../support/property-runs.js';

it('gives one tenant half, and the rest to others', () => {
  const budget = new SharedBudget(64);
  const first = budget.take('a', 16);
  expect(budget.take('a', 16)).not.toBeNull();
  expect(budget.take('a', 1)).toBeNull();
  expect(budget.take('b', 16)).not.toBeNull();
  expect(budget.take('b', 1)).toBeNull();
  expect(budget.take('c', 8)).not.toBeNull();
  first?.();
  expect(budget.take('c', 8)).not.toBeNull();
});

it('gives more than there is while nothing is taken', () => {
  const budget = new SharedBudget(10);
  const all = budget.take('a', 20);
  expect(all).not.toBeNull();
  expect(budget.take('b', 1)).toBeNull();
  all?.();
  expect(budget.take('b', 1)).not.toBeNull();
});

it('always leaves a part for the next tenant, whatever three others ask', () => {
  const asks = fc.array(fc.tuple(fc.constantFrom('a', 'b', 'c'), fc.integer({ min: 1, max: 300 })));
  fc.assert(
    fc.property(asks, (asked) => {
      const budget = new SharedBudget(1_024);
      for (const [tenant, amount] of asked) budget.take(tenant, amount);
      // Each takes half of what is left at most.
      expect(budget.take('new', 1_024 / 2 ** 4)).not.toBeNull();
    }),
    propertyRuns(200),
  );
});
