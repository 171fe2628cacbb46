/** Daily quotas of log entries: what the setting may say, and which one holds. */
import { describe, expect, it } from '@jest/globals';
import { ConfigError, loadConfig } from '../../../../src/foundation/config.js';
import { hasQuota, quotaOf } from '../../../../src/foundation/log-store/log-quotas.js';

const quotasOf = (PODIUM_LOG_QUOTA?: string) =>
  loadConfig(PODIUM_LOG_QUOTA === undefined ? {} : { PODIUM_LOG_QUOTA }).logQuotas;

describe('PODIUM_LOG_QUOTA', () => {
  it('is none when nothing is said', () => {
    expect(hasQuota(quotasOf())).toBe(false);
    expect(hasQuota(quotasOf('none,edge_logs=none,p/edge_logs=none'))).toBe(false);
    expect(quotaOf(quotasOf(), 'p', 'edge_logs')).toBeNull();
  });

  it('is that of project and source, else that of the source, else the general one', () => {
    const quotas = quotasOf(
      '10, edge_logs=20,auth_logs=none,p/edge_logs=30,a/b=c/edge_logs=40,q/edge_logs=none',
    );
    expect(hasQuota(quotas)).toBe(true);
    const found = [
      quotaOf(quotas, 'p', 'postgres_logs'),
      quotaOf(quotas, null, 'postgres_logs'),
      quotaOf(quotas, 'other', 'edge_logs'),
      quotaOf(quotas, 'other', 'auth_logs'),
      quotaOf(quotas, 'p', 'edge_logs'),
      quotaOf(quotas, 'a/b=c', 'edge_logs'),
      quotaOf(quotas, 'q', 'edge_logs'),
    ];
    expect(found).toEqual([10, 10, 20, null, 30, 40, null]);
  });

  it.each([
    '',
    '0',
    '-1',
    '1.5',
    'many',
    '1,2',
    'nope=3',
    'p/nope=3',
    'edge_logs=',
    'edge_logs=x',
    '/edge_logs=1',
    '1000000000000',
  ])('may not be %p', (text) => {
    expect(() => quotasOf(text)).toThrow(ConfigError);
    expect(() => quotasOf(text)).toThrow(/PODIUM_LOG_QUOTA/);
  });
});
