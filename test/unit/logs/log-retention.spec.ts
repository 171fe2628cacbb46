/** How long entries are kept: what goes when. */
import { beforeEach, describe, expect, it } from '@jest/globals';
import { loadConfig } from '../../../src/foundation/config.js';
import { LazyLogStore } from '../../../src/foundation/log-store/lazy-log-store.js';
import { BUILT_IN_SOURCES, type LogSource } from '../../../src/foundation/log-store/sources.js';
import { LogRetention } from '../../../src/logs/retention.js';
import { TrustedClock } from '../../../src/logs/trusted-clock.js';

const daysOf = (PODIUM_LOG_RETENTION: string) => loadConfig({ PODIUM_LOG_RETENTION }).logRetentionDays;

describe('retention', () => {
  it('removes from each source what is older than its days, and of a project what is older than its own', async () => {
    const removed = new Map<LogSource, unknown[]>();
    const store = new LazyLogStore(() => Promise.reject(new Error('not used')));
    store.sources = async () => [...BUILT_IN_SOURCES, 'audit_logs'];
    store.removeBefore = async (source, timestamp, whose) => {
      const days = (now - timestamp) / 86_400_000_000;
      removed.set(source, [...(removed.get(source) ?? []), whose === undefined ? days : [days, whose]]);
      return 2;
    };
    const config = {
      logRetentionDays: daysOf('10,edge_logs=1,p/edge_logs=90,q/edge_logs=3,audit_logs=7'),
      logStoreUrl: 'duckdb:x',
    };
    const refused = { removeOld: async () => undefined };
    const now = Date.UTC(2026, 2, 31) * 1_000;
    expect(await new LogRetention(config, store, refused).remove(now)).toBe(28);
    expect(removed.get('edge_logs')).toEqual([
      [1, { projects: ['p', 'q'], others: true }],
      [90, { projects: ['p'], others: false }],
      [3, { projects: ['q'], others: false }],
    ]);
    expect(removed.get('auth_logs')).toEqual([10]);
    expect(removed.get('audit_logs')).toEqual([7]);
    expect(removed.size).toBe(12);
  });

  it('goes on with the others where one fails, and says so', async () => {
    const removed: unknown[] = [];
    const store = new LazyLogStore(() => Promise.reject(new Error('not used')));
    store.sources = async () => ['edge_logs', 'auth_logs'];
    store.removeBefore = async (source, _, whose) => {
      if (removed.push([source, whose?.projects]) === 1) throw new Error('planted');
      return 2;
    };
    const config = { logRetentionDays: daysOf('10,p/edge_logs=90'), logStoreUrl: 'duckdb:x' };
    const retention = new LogRetention(config, store, { removeOld: async () => undefined });
    await expect(retention.remove(0)).rejects.toMatchObject({ errors: [new Error('planted')] });
    expect(removed).toEqual([
      ['edge_logs', ['p']],
      ['edge_logs', ['p']],
      ['auth_logs', undefined],
    ]);
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
