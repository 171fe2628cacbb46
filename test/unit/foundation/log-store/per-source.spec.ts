/** Settings with values for sources and projects: daily quotas and retention. */
import { describe, expect, it } from '@jest/globals';
import { loadConfig } from '../../../../src/foundation/config.js';
import { ConfigError } from '../../../../src/foundation/config-error.js';
import { allValues, ownValuesOf, settingOf } from '../../../../src/foundation/log-store/per-source.js';

const quotasOf = (PODIUM_LOG_QUOTA?: string) =>
  loadConfig(PODIUM_LOG_QUOTA === undefined ? {} : { PODIUM_LOG_QUOTA }).logQuotas;
const daysOf = (PODIUM_LOG_RETENTION?: string) =>
  loadConfig(PODIUM_LOG_RETENTION === undefined ? {} : { PODIUM_LOG_RETENTION }).logRetentionDays;

describe('PODIUM_LOG_QUOTA', () => {
  it('is none when nothing is said', () => {
    expect(allValues(quotasOf())).toEqual([null]);
    expect(allValues(quotasOf('none,edge_logs=none,p/edge_logs=5'))).toEqual([null, null, 5]);
    expect(settingOf(quotasOf(), 'edge_logs', 'p')).toBeNull();
  });

  it('is that of project and source, else that of the source, else the general one', () => {
    const quotas = quotasOf(
      '10, edge_logs=20,auth_logs=none,p/edge_logs=30,a/b=c/edge_logs=40,q/edge_logs=none',
    );
    expect([
      settingOf(quotas, 'postgres_logs', 'p'),
      settingOf(quotas, 'postgres_logs', null),
      settingOf(quotas, 'edge_logs', 'other'),
      settingOf(quotas, 'auth_logs', 'other'),
      settingOf(quotas, 'edge_logs', 'p'),
      settingOf(quotas, 'edge_logs', 'a/b=c'),
      settingOf(quotas, 'edge_logs', 'q'),
    ]).toEqual([10, 10, 20, null, 30, 40, null]);
    expect([...ownValuesOf(quotas, 'edge_logs').keys()]).toEqual(['p', 'a/b=c', 'q']);
  });

  it.each([
    '',
    '0',
    '-1',
    '1.5',
    'many',
    '1,2',
    'Nope=3',
    'p/no-pe=3',
    'edge_logs=',
    '/edge_logs=1',
    '1000000000000',
  ])('may not be %p', (text) => {
    expect(() => quotasOf(text)).toThrow(ConfigError);
    expect(() => quotasOf(text)).toThrow(/PODIUM_LOG_QUOTA/);
  });
});

describe('PODIUM_LOG_RETENTION', () => {
  it('is 30 days when nothing is said', () => {
    expect(allValues(daysOf())).toEqual([30]);
    expect(allValues(daysOf('auth_logs=3'))).toEqual([30, 3]);
  });

  it('is one number for all, and others for single sources and projects', () => {
    const days = daysOf('7, postgres_logs=90,edge_logs=1,p/edge_logs=3650');
    expect([
      settingOf(days, 'auth_logs', 'p'),
      settingOf(days, 'postgres_logs', null),
      settingOf(days, 'edge_logs', 'other'),
      settingOf(days, 'edge_logs', 'p'),
    ]).toEqual([7, 90, 1, 3_650]);
  });

  it.each([
    '',
    '0',
    '-1',
    '1.5',
    'forever',
    '3651',
    '1nope=3',
    'edge_logs=',
    'edge_logs=x',
    'p/_nope=3',
    '7,8',
  ])('may not be %p', (text) => {
    expect(() => daysOf(text)).toThrow(ConfigError);
    expect(() => daysOf(text)).toThrow(/PODIUM_LOG_RETENTION/);
  });
});
