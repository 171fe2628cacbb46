/** The steps of a drain. */
import { describe, expect, it } from '@jest/globals';
import {
  claimed,
  delayed,
  failed,
  isDue,
  LEASE_MS,
  movedTo,
  passed,
  resumed,
  skippedTo,
  startAt,
  stopped,
} from '../../../../src/logs/drains/progress.js';

const ONE = 'elsewhere:1:a';
const OTHER = 'elsewhere:2:b';
const batch = { after: 10, upTo: 20 };
const start = startAt(10);
const mine = { ...start, pending: batch, claimedBy: ONE, claimedUntil: 5 + LEASE_MS };

describe('a batch', () => {
  it('is claimed by one process until its lease ends, and is the same batch then', () => {
    expect(claimed(start, batch, { holder: ONE, now: 5 })).toEqual(mine);
    expect(claimed(mine, batch, { holder: OTHER, now: 4 + LEASE_MS })).toBeNull();
    expect(claimed(mine, batch, { holder: OTHER, now: 5 + LEASE_MS })).toMatchObject({ claimedBy: OTHER });
    expect(claimed(mine, { after: 10, upTo: 30 }, { holder: ONE, now: 6 })).toBeNull();
    expect(claimed(startAt(15), batch, { holder: ONE, now: 6 })).toBeNull();
  });

  it('is free at once when the clock was set back, or when its process of this host is gone', () => {
    expect(isDue({ ...mine, claimedUntil: 10 * LEASE_MS }, OTHER, 5)).toBe(true);
    expect(isDue(mine, OTHER, 6)).toBe(false);
  });

  it('moves the drain when the receiver has it, if the process has it still', () => {
    const at = { batch, holder: ONE, now: 9, entries: 3 };
    expect(passed({ ...mine, failures: 2 }, at)).toMatchObject({
      ...{ position: 20, pending: null, claimedBy: null, entries: 3, batches: 1, lastSentAt: 9, failures: 0 },
    });
    expect(passed({ ...mine, claimedBy: OTHER }, at)).toBeNull();
    expect(passed(mine, { ...at, entries: 0 })).toMatchObject({ position: 20, batches: 0 });
  });

  it('is sent again after pauses that double up to five minutes', () => {
    const after = failed(mine, { batch, holder: ONE, now: 9, problem: 'it answered 503' });
    expect(after).toMatchObject({ pending: batch, claimedBy: null, nextAt: 1_009, failures: 1 });
    expect(failed(mine, { batch, holder: OTHER, now: 9, problem: '' })).toBeNull();
    const pauses = [0, 1, 2, 8, 9, 100].map((failures) => delayed({ ...start, failures }, '', 0).nextAt);
    expect(pauses).toEqual([1_000, 2_000, 4_000, 256_000, 300_000, 300_000]);
  });
});

it('a drain that has stopped is not due until it is resumed', () => {
  const after = stopped({ ...mine, failures: 3, nextAt: 99 }, 'revoked', 7);
  expect(after).toMatchObject({
    stopped: 'revoked',
    claimedBy: null,
    lastError: { at: 7, problem: 'revoked' },
  });
  expect(isDue(after, ONE, 1_000)).toBe(false);
  expect(resumed(after)).toMatchObject({
    stopped: null,
    failures: 0,
    nextAt: 0,
    pending: batch,
    position: 10,
  });
});

it('a drain moves past entries that do not match, unless a batch is on its way', () => {
  expect(movedTo(start, 10, 30)).toMatchObject({ position: 30 });
  expect(movedTo(mine, 10, 30)).toBeNull();
  expect(movedTo(startAt(15), 10, 30)).toBeNull();
});

it('what is skipped is counted, and said', () => {
  const skip = { from: 10, position: 30, entries: 4, problem: '4 entries', now: 7 };
  expect(skippedTo({ ...mine, claimedBy: null, skipped: 1 }, skip)).toMatchObject({
    ...{ position: 30, pending: null, skipped: 5, lastError: { at: 7, problem: '4 entries' } },
  });
  expect(skippedTo(start, { ...skip, entries: 0 })).toMatchObject({ position: 30, lastError: null });
  expect(skippedTo(mine, skip)).toBeNull();
});
