/** How long entries are kept: what the setting may say, and what goes when. */
import { describe, expect, it } from '@jest/globals';
import { ConfigError, loadConfig } from '../../src/config.js';
import { LogRetention } from '../../src/logs/retention.js';
import { type LogSource } from '../../src/logs/sources.js';
import { LazyLogStore } from '../../src/logstore/lazy-log-store.js';

const daysOf = (PODIUM_LOG_RETENTION?: string) =>
  loadConfig(PODIUM_LOG_RETENTION === undefined ? {} : { PODIUM_LOG_RETENTION }).logRetentionDays;

describe('PODIUM_LOG_RETENTION', () => {
  it('is 30 days for every source when nothing is said', () => {
    const days = daysOf();
    expect(Object.keys(days)).toHaveLength(9);
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
    const now = Date.UTC(2026, 2, 31) * 1_000;
    expect(await new LogRetention(config, store).remove(now)).toBe(18);
    expect(removed.get('edge_logs')).toBe(Date.UTC(2026, 2, 30) * 1_000);
    expect(removed.get('auth_logs')).toBe(Date.UTC(2026, 2, 21) * 1_000);
  });
});
