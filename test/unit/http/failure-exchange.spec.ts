/** Limits on failed credentials that count for all nodes: what one node gives out, no other gives out again. */
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import type { FailureStore } from '../../../src/foundation/operational/failure-store.js';
import {
  EXCHANGE_EVERY_MS,
  FailureExchange,
  type SharedBuckets,
} from '../../../src/http/credentials/failure-exchange.js';
import { MemoryFailures } from '../../support/failures.js';

const SIZE = { burst: 30, perMinute: 30 };
const HOME = '203.0.113.7';

interface Node {
  readonly exchange: FailureExchange;
  readonly buckets: SharedBuckets;
}

const nodeOn = (failures: FailureStore, size = SIZE): Node => {
  const exchange = new FailureExchange({ failures });
  return { exchange, buckets: exchange.buckets('test', size) };
};

/** How many attempts the node gives out at this moment. */
const givenBy = ({ buckets }: Node, attempts = 100): number =>
  Array.from({ length: attempts }, () => buckets.take(HOME, Date.now())).filter((wait) => wait === null)
    .length;

describe('a limit on failures', () => {
  beforeEach(() => {
    jest.useFakeTimers({ now: 1_000_000, doNotFake: ['nextTick', 'queueMicrotask'] });
  });
  afterEach(() => {
    jest.useRealTimers();
  });
  /** Until what was counted is written, and until it is read again. */
  const later = (ms = EXCHANGE_EVERY_MS) => jest.advanceTimersByTimeAsync(ms);

  it('is one for two nodes', async () => {
    const failures = new MemoryFailures();
    const [a, b] = [nodeOn(failures), nodeOn(failures)];
    expect(givenBy(a)).toBe(30);
    await later();
    await b.exchange.refresh();
    expect(givenBy(b)).toBe(0);
  });

  it('is one for two nodes also after the clock was set back', async () => {
    const failures = new MemoryFailures();
    const [a, b] = [nodeOn(failures), nodeOn(failures)];
    await b.exchange.refresh();
    jest.setSystemTime(Date.now() - 600_000);
    expect(givenBy(a)).toBe(30);
    await later();
    await b.exchange.refresh();
    expect(givenBy(b)).toBe(0);
  });

  it('refills once, whatever the number of nodes', async () => {
    const failures = new MemoryFailures();
    const nodes = Array.from({ length: 3 }, () => nodeOn(failures));
    let given = 0;
    for (let second = 0; second < 240; second += 1) {
      for (const node of nodes) {
        await node.exchange.refresh();
        given += givenBy(node, 5);
      }
      await later();
    }
    // A burst and four minutes; nodes that count apart would give out 450.
    expect(given).toBeGreaterThanOrEqual(120);
    expect(given).toBeLessThanOrEqual(160);
  });

  it('opens again 12 s after a flood, also where all nodes gave out their burst at once', async () => {
    const failures = new MemoryFailures();
    const nodes = Array.from({ length: 4 }, () => nodeOn(failures));
    for (const node of nodes) givenBy(node);
    await later();
    for (const node of nodes) await node.exchange.refresh();
    await later(12_000);
    for (const { buckets } of nodes) expect(buckets.take(HOME, Date.now())).toBeNull();
  });

  it('forgets what a bucket has refilled', async () => {
    const failures = new MemoryFailures();
    const a = nodeOn(failures);
    for (let minute = 0; minute < 40; minute += 1) {
      expect(givenBy(a, 1)).toBe(1);
      await later(60_000);
    }
    expect(givenBy(a, 1)).toBe(1);
    await later();
    const fresh = nodeOn(failures);
    await fresh.exchange.refresh();
    expect(givenBy(fresh)).toBe(29);
  });

  it('that refills within hours counts each failure once, however long the pauses between them are', async () => {
    const failures = new MemoryFailures();
    const size = { burst: 20, perMinute: 0.01 };
    const [a, b] = [nodeOn(failures, size), nodeOn(failures, size)];
    for (let turn = 0; turn < 10; turn += 1) {
      expect(givenBy(a, 1)).toBe(1);
      await later();
      await b.exchange.refresh();
      await later(5 * 60_000);
      await b.exchange.refresh();
    }
    // Ten of twenty were used, and not even one was refilled within the 50 minutes.
    expect(givenBy(b)).toBe(10);
  });

  it('counts a failure once, also where another node fails on and so keeps the bucket from refilling', async () => {
    const failures = new MemoryFailures();
    const [a, b] = [nodeOn(failures), nodeOn(failures)];
    expect(givenBy(a, 15)).toBe(15);
    for (let second = 0; second < 90; second += 1) {
      await later();
      await a.exchange.refresh();
      await b.exchange.refresh();
      if (second % 2 === 0) givenBy(b, 1);
      // So it goes on to write.
      a.buckets.take('198.51.100.7', Date.now());
    }
    expect(givenBy(a, 1)).toBe(1);
    await later();
    await b.exchange.refresh();
    // Fifteen were left, and B used as many as it got back.
    expect(givenBy(b)).toBeGreaterThanOrEqual(12);
  });

  it('counts a failure once, also where a node of an older version has removed it meanwhile', async () => {
    const failures = new MemoryFailures();
    const size = { burst: 20, perMinute: 0.01 };
    const [a, b] = [nodeOn(failures, size), nodeOn(failures, size)];
    const both = async (): Promise<void> => {
      await later();
      for (const { exchange } of [a, b]) await exchange.refresh();
    };
    expect(givenBy(a, 5)).toBe(5);
    await both();
    await later(3 * 60_000);
    const at = Date.now();
    const other = { key: 'credential:other', begunAt: at, count: 1, at };
    await failures.exchange({ nodeId: 'older', at, failures: [other] }, at - 120_000);
    await b.exchange.refresh();
    expect(givenBy(a, 1)).toBe(1);
    await both();
    expect(givenBy(b)).toBe(14);
  });

  it('gets back on all nodes what was right', async () => {
    const failures = new MemoryFailures();
    const [a, b] = [nodeOn(failures), nodeOn(failures)];
    for (let turn = 0; turn < 100; turn += 1) {
      a.buckets.take(HOME, Date.now());
      // The other nodes see some of them while they are checked.
      if (turn % 2 === 0) await later();
      await b.exchange.refresh();
      a.buckets.giveBack(HOME, Date.now());
      await later(turn % 3 === 0 ? EXCHANGE_EVERY_MS : 100);
      await b.exchange.refresh();
    }
    await later(2 * EXCHANGE_EVERY_MS);
    await b.exchange.refresh();
    expect(givenBy(b)).toBe(30);
  });

  it('asks the store once a second, and only while credentials fail', async () => {
    const failures = new MemoryFailures();
    const a = nodeOn(failures);
    await later(60_000);
    expect(failures.exchanges).toBe(0);
    for (let turn = 0; turn < 100; turn += 1) {
      await a.exchange.refresh();
      givenBy(a, 1);
      await later(10);
    }
    expect(failures.exchanges).toBeLessThanOrEqual(3);
    const after = failures.exchanges;
    await later(60_000);
    expect(failures.exchanges).toBeLessThanOrEqual(after + 1);
  });

  it.each([
    ['fails', () => Promise.reject(new Error('away'))],
    ['hangs', () => new Promise<never>(() => undefined)],
  ])('holds for the node alone when the store %s, without a long wait', async (_, exchange) => {
    const a = nodeOn({ exchange });
    const refreshed = a.exchange.refresh();
    await later(250);
    await refreshed;
    expect(givenBy(a)).toBe(30);
    expect(givenBy(a)).toBe(0);
  });
});
