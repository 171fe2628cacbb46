/** What the log says of read models that stand still: each reason once, and their going on once it lasts. */
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { TroubleTeller } from '../../src/foundation/projections/trouble-teller.js';

describe('trouble of the projections', () => {
  const told: (string | null)[] = [];
  let teller: TroubleTeller;

  beforeEach(() => {
    jest.useFakeTimers();
    told.length = 0;
    teller = new TroubleTeller((reason) => told.push(reason));
  });
  afterEach(() => {
    teller.close();
    jest.useRealTimers();
  });

  it('is told once, however often it is tried again', () => {
    for (let second = 0; second < 60; second += 1) {
      teller.heard(null);
      jest.advanceTimersByTime(1_000);
      teller.heard('the disk is full');
    }
    expect(told).toEqual(['the disk is full']);
  });

  it('is told again when the reason is another', () => {
    for (const reason of ['the disk is full', 'no such file', 'no such file']) teller.heard(reason);
    expect(told).toEqual(['the disk is full', 'no such file']);
  });

  it('is over when nothing was heard of it for a while, and new when it comes back', () => {
    teller.heard('the disk is full');
    teller.heard(null);
    jest.advanceTimersByTime(4_999);
    expect(told).toEqual(['the disk is full']);
    jest.advanceTimersByTime(1);
    teller.heard('the disk is full');
    expect(told).toEqual(['the disk is full', null, 'the disk is full']);
  });

  it('that never was is not told to be over', () => {
    teller.heard(null);
    jest.advanceTimersByTime(60_000);
    expect(told).toEqual([]);
  });
});
