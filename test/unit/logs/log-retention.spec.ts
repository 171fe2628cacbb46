/** How long entries are kept: what the setting may say, and what goes when. */
import { beforeEach, describe, expect, it } from '@jest/globals';
import { ConfigError, loadConfig } from '../../../src/foundation/config.js';
import { LazyLogStore } from '../../../src/foundation/log-store/lazy-log-store.js';
import type { LogSource } from '../../../src/foundation/log-store/sources.js';
import { LogRetention } from '../../../src/logs/retention.js';
import { TrustedClock } from '../../../src/logs/trusted-clock.js';

const daysOf = (PODIUM_LOG_RETENTION?: string) =>
  loadConfig(PODIUM_LOG_RETENTION === undefined ? {} : { PODIUM_LOG_RETENTION }).logRetentionDays;

describe('PODIUM_LOG_RETENTION', () => {
  it('is 30 days for every source when nothing is said', () => {
    const days = daysOf();
    expect(Object.keys(days)).toHaveLength(11);
    expect(new Set(Object.values(days))).toEqual(new Set([30]));
  });

  it('is one number for all, and others for single sources', () => {
    expect(daysOf('7')).toMatchObject({ edge_logs: 7, auth_logs: 7 });
    expect(daysOf('7, postgres_logs=90,edge_logs=1')).toMatchObject({
      edge_logs: 1,
      postgres_logs: 90,
      auth_logs: 7,
    });
    expect(daysOf('auth_logs=3')).toMatchObject({ edge_logs: 30, auth_logs: 3 });
  });

  it.each(['', '0', '-1', '1.5', 'forever', '3651', 'nope=3', 'edge_logs=', 'edge_logs=x', '7,8'])(
    'may not be %p',
    (text) => {
      expect(() => daysOf(text)).toThrow(ConfigError);
      expect(() => daysOf(text)).toThrow(/PODIUM_LOG_RETENTION/);
    },
  );
});

describe('retention', () => {
  it('removes from each source what is older than its days', async () => {
    const removed = new Map<LogSource, number>();
    const store = new LazyLogStore(() => Promise.reject(new Error('not used')));
    store.removeBefore = async (source, timestamp) => {
      removed.set(source, timestamp);
      return 2;
    };
    const config = { logRetentionDays: daysOf('10,edge_logs=1'), logStoreUrl: 'duckdb:x' };
    const refused = { removeOld: async () => undefined };
    const now = Date.UTC(2026, 2, 31) * 1_000;
    expect(await new LogRetention(config, store, refused).remove(now)).toBe(22);
    expect(removed.get('edge_logs')).toBe(Date.UTC(2026, 2, 30) * 1_000);
    expect(removed.get('auth_logs')).toBe(Date.UTC(2026, 2, 21) * 1_000);
  });
});

describe('the time by which entries go', () => {
  const HOUR = 3_600_000;
  let wall: number;
  let steady: number;
  let clock: TrustedClock;
  beforeEach(() => {
    wall = Date.UTC(2026, 2, 31);
    steady = 5 * HOUR;
    clock = new TrustedClock({ wall: () => wall, steady: () => steady });
  });
  const pass = (milliseconds: number): void => {
    wall += milliseconds;
    steady += milliseconds;
  };

  it('is that of the system, with its small corrections', () => {
    for (const correction of [60_000, -60_000, 9 * 60_000]) {
      pass(HOUR);
      wall += correction;
      expect(clock.now()).toBe(wall);
    }
  });

  it('is not ahead with a clock that was set ahead and back again, however far', () => {
    wall += 40 * 24 * HOUR;
    expect(clock.now()).toBe(Date.UTC(2026, 2, 31));
    pass(23 * HOUR);
    expect(clock.now()).toBe(Date.UTC(2026, 2, 31, 23));
    wall -= 40 * 24 * HOUR;
    pass(2 * HOUR);
    expect(clock.now()).toBe(Date.UTC(2026, 3, 1, 1));
    wall += 24 * HOUR;
    expect(clock.now()).toBe(Date.UTC(2026, 3, 1, 1));
  });

  it('is ahead with a clock that has stood so for a day', () => {
    wall += 24 * HOUR;
    clock.now();
    pass(24 * HOUR);
    expect(clock.now()).toBe(wall);
    pass(HOUR);
    expect(clock.now()).toBe(wall);
  });

  it('goes back with the clock at once', () => {
    wall -= HOUR;
    expect(clock.now()).toBe(wall);
  });
});
