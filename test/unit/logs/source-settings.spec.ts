/** A server does not start with settings for a source that there is not. */
import { describe, expect, it } from '@jest/globals';
import { loadConfig } from '../../../src/foundation/config.js';
import { LogStoreUnavailableError } from '../../../src/foundation/log-store/log-store.js';
import { BUILT_IN_SOURCES } from '../../../src/foundation/log-store/sources.js';
import { SourceSettings } from '../../../src/logs/source-settings.js';

const started = (env: NodeJS.ProcessEnv, own: readonly string[] | null = ['audit_logs']): Promise<void> => {
  const sources = async () => {
    if (own === null) throw new LogStoreUnavailableError('damaged');
    return [...BUILT_IN_SOURCES, ...own];
  };
  return new SourceSettings(loadConfig(env), { sources }).onApplicationBootstrap();
};

describe('the settings for sources', () => {
  it('may name those that there are', async () => {
    await started({});
    await started({ PODIUM_LOG_QUOTA: '9,edge_logs=1,audit_logs=2,p/audit_logs=none' });
    await started({ PODIUM_LOG_RETENTION: 'audit_logs=2' });
  });

  it.each<[string, NodeJS.ProcessEnv]>([
    ['PODIUM_LOG_QUOTA', { PODIUM_LOG_QUOTA: 'audit_logs=1,adit_logs=2' }],
    ['PODIUM_LOG_QUOTA', { PODIUM_LOG_QUOTA: 'p/adit_logs=2' }],
    ['PODIUM_LOG_RETENTION', { PODIUM_LOG_RETENTION: '30,adit_logs=2' }],
  ])('may not name another: %s', async (setting, env) => {
    await expect(started(env)).rejects.toThrow(
      `${setting} names adit_logs, and there is no such source; \`podium sources create adit_logs\` adds it`,
    );
  });

  it('do not keep a server from serving without its logs, or beside those of another node', async () => {
    await started({ PODIUM_LOG_QUOTA: 'adit_logs=2' }, null);
    await started({ PODIUM_LOG_QUOTA: 'adit_logs=2', LOG_STORE_URL: 'http://127.0.0.1:1' });
  });
});
