/**
 * Refuses to start when a setting names a source that there is not. Its entries would otherwise be kept, or taken, by another rule
 * than the operator meant.
 */
import { Inject, Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { CONFIG, type PodiumConfig } from '../foundation/config.js';
import { ConfigError } from '../foundation/config-error.js';
import { owningNode } from '../foundation/log-store/log-owner.js';
import { LOG_STORE, type LogStore } from '../foundation/log-store/log-store.js';
import { namedSources } from '../foundation/log-store/per-source.js';
import { isBuiltIn } from '../foundation/log-store/sources.js';

@Injectable()
export class SourceSettings implements OnApplicationBootstrap {
  constructor(
    @Inject(CONFIG)
    private readonly config: Pick<PodiumConfig, 'logQuotas' | 'logRetentionDays' | 'logStoreUrl'>,
    @Inject(LOG_STORE) private readonly store: Pick<LogStore, 'sources'>,
  ) {}

  /** Throws ConfigError. */
  async onApplicationBootstrap(): Promise<void> {
    const { logQuotas, logRetentionDays, logStoreUrl } = this.config;
    if (owningNode(logStoreUrl)) return;
    const settings = {
      PODIUM_LOG_QUOTA: namedSources(logQuotas),
      PODIUM_LOG_RETENTION: namedSources(logRetentionDays),
    };
    for (const [setting, named] of Object.entries(settings)) {
      const own = [...named].filter((source) => !isBuiltIn(source));
      if (own.length === 0) continue;
      // A server whose logs cannot be read serves the rest.
      const sources = await this.store.sources().catch(() => null);
      const missing = sources === null ? undefined : own.find((source) => !sources.includes(source));
      if (missing !== undefined)
        throw new ConfigError(
          `${setting} names ${missing}, and there is no such source; \`podium sources create ${missing}\` adds it`,
        );
    }
  }
}
