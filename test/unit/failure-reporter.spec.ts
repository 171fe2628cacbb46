/** What the log says of read models that stand still: each reason once, and their going on once it lasts. */
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { FailureReporter } from '../../src/foundation/projections/failure-reporter.js';

describe('trouble of the projections', () => {
  const told: (string | null)[] = [];
  let teller: FailureReporter;

  beforeEach(() => {
    jest.useFakeTimers();
    told.length = 0;
    teller = new FailureReporter((reason) => told.push(reason));
  });
  afterEach(() => {
    teller.close();
    jest.useRealTimers();
  });

  it('is told once, however often it is tried again', () => {
    for (let second = 0; second < 60; second += 1) {
      teller.observe(null);
      jest.advanceTimersByTime(1_000);
      teller.observe('the disk is full');
    }
    expect(told).toEqual(['the disk is full']);
  });

  it('is told again when the reason is another', () => {
    for (const reason of ['the disk is full', 'no such file', 'no such file']) teller.observe(reason);
    expect(told).toEqual(['the disk is full', 'no such file']);
  });

  it('is over when nothing was heard of it for a while, and new when it comes back', () => {
    teller.observe('the disk is full');
    teller.observe(null);
    jest.advanceTimersByTime(4_999);
    expect(told).toEqual(['the disk is full']);
    jest.advanceTimersByTime(1);
    teller.observe('the disk is full');
    expect(told).toEqual(['the disk is full', null, 'the disk is full']);
  });

  it('that never was is not told to be over', () => {
    teller.observe(null);
    jest.advanceTimersByTime(60_000);
    expect(told).toEqual([]);
  });
});
